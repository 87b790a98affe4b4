package io.muninn.agent.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Races that a run has found: some to be named, the rest counted. */
public final class RaceList {
    /** Most races that are named. */
    public static final int NAMED_MAX = 20;

    private final List<String> named = new ArrayList<>();
    private int count;

    /** Adds a race of an element that was not added before. */
    public void add(String text) {
        if (named.size() < NAMED_MAX) {
            named.add(text);
        }
        count++;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** The first, which there has to be. */
    public String first() {
        return "race: " + named.getFirst();
    }

    /** A line for each that is named, and one for the rest. */
    public void print(Consumer<String> lines) {
        named.forEach(text -> lines.accept("race: " + text));
        if (count > named.size()) {
            lines.accept("race: and " + (count - named.size()) + " more elements");
        }
    }
}
