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
    private int count;

    /**
     * A warning that names the regions in which nodes may store to one element concurrently without
     * a check; empty if there are none. The processes of a node share its pages, so their stores
     * cannot be told apart.
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
            where.add("in " + names);
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
        return kind.traits().has(Trait.TWINS) && !kind.traits().has(Trait.FINDS_RACES);
    }

    /** Adds a race, of an element without one so far. */
    public void add(String text) {
        if (named.size() < NAMED_MAX) {
            named.add(text);
        }
        count++;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** Returns the first race; there must be one. */
    public String first() {
        return "race: " + named.getFirst();
    }

    /** Prints a line for each race with a text, and one for the rest. */
    public void print(Consumer<String> lines) {
        named.forEach(text -> lines.accept("race: " + text));
        if (count > named.size()) {
            lines.accept("race: and " + (count - named.size()) + " more elements");
        }
    }
}
