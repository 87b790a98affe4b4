package io.muninn.agent.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The races that a run has found: the first ones with their text, the rest as a count. */
public final class RaceList {
    /** Most races that are kept with their text. */
    public static final int NAMED_MAX = 20;

    private final List<String> named = new ArrayList<>();
    private int count;

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
