package io.muninn.agent.lifecycle;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The races that a run has found: the first ones with their text, the rest as a count. */
public final class RaceList {
    /** Largest number of races that are kept with their text. */
    public static final int NAMED_MAX = 20;

    private final List<String> named = new ArrayList<>();
    private final List<String> namedPossible = new ArrayList<>();
    private int count;
    private int possible;

    /**
     * A warning that names the regions in which nodes may access one element concurrently without a
     * check; empty if there are none. The processes of a node share its pages, so their accesses
     * are not told apart.
     *
     * @param processes of each node
     */
    public static Optional<String> unchecked(List<RegionSpec> regions, int processes) {
        String names =
                regions.stream()
                        .filter(RaceList::isUnchecked)
                        .map(region -> region.name() + " (" + region.protocol().word() + ")")
                        .collect(Collectors.joining(", "));
        List<String> where = new ArrayList<>();
        if (!names.isEmpty()) {
            where.add("in " + names + ", which --protocol write-shared would change");
        }
        if (processes > 1) {
            where.add("between processes of one node");
        }
        return where.isEmpty()
                ? Optional.empty()
                : Optional.of("races: not looked for " + String.join(", nor ", where));
    }

    private static boolean isUnchecked(RegionSpec region) {
        ProtocolKind kind = ProtocolKind.of(region.protocol());
        return !region.protocol().isSealed() && !kind.traits().has(Trait.FINDS_RACES);
    }

    /**
     * Adds a race, of an element without one so far.
     *
     * @param isCertain false if there may be no race
     */
    public void add(String text, boolean isCertain) {
        List<String> texts = isCertain ? named : namedPossible;
        if (texts.size() < NAMED_MAX) {
            texts.add(text);
        }
        if (isCertain) {
            count++;
        } else {
            possible++;
        }
    }

    /** True if no race is certain. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Returns the first certain race; there must be one. */
    public String first() {
        return "race: " + named.getFirst();
    }

    /** Prints a line for each race with a text, and one for the rest; then possible races. */
    public void print(Consumer<String> lines) {
        print("race: ", named, count, lines);
        print("possible race: ", namedPossible, possible, lines);
    }

    private static void print(String what, List<String> texts, int count, Consumer<String> lines) {
        texts.forEach(text -> lines.accept(what + text));
        if (count > texts.size()) {
            lines.accept(what + "and " + (count - texts.size()) + " more elements");
        }
    }
}
