package io.muninn.kernel;

import io.muninn.spi.ProtocolViolation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Releases, or acquires, that some protocols have not performed yet, and those that all have
 * performed and that wait to be taken, in order.
 *
 * @param <G> kind of gate, identified by its instance
 * @param <T> time of the logical clock that is kept with each
 */
final class OpenGates<G, T> {
    /** A gate that all protocols have performed. */
    record Performed<G, T>(G gate, T time) {}

    private static final class Open<G, T> {
        final G gate;
        final T time;
        final int parts;
        int partsPerformed;

        Open(G gate, T time, int parts) {
            this.gate = gate;
            this.time = time;
            this.parts = parts;
        }
    }

    private final List<Open<G, T>> open = new ArrayList<>();
    private final ArrayDeque<Performed<G, T>> performed = new ArrayDeque<>();

    /**
     * @param protocols number of protocols that must perform their part; if 0, it is performed at
     *     once
     */
    void begin(G gate, T time, int protocols) {
        if (protocols == 0) {
            performed.add(new Performed<>(gate, time));
        } else {
            open.add(new Open<>(gate, time, protocols));
        }
    }

    /**
     * Records that one protocol has performed its part.
     *
     * @throws ProtocolViolation if the gate is not open
     */
    void partPerformed(G gate) {
        for (Iterator<Open<G, T>> each = open.iterator(); each.hasNext(); ) {
            Open<G, T> next = each.next();
            if (next.gate == gate) {
                next.partsPerformed++;
                if (next.partsPerformed == next.parts) {
                    each.remove();
                    performed.add(new Performed<>(gate, next.time));
                }
                return;
            }
        }
        throw new ProtocolViolation("event=" + gate + " is performed, and was not begun");
    }

    /**
     * The gate that has been open for the longest time.
     *
     * @param kind as in "release"
     */
    Optional<AgentRequest> oldest(String kind) {
        return open.stream()
                .findFirst()
                .map(first -> new AgentRequest(first, kind + " " + first.gate));
    }

    /** True if none is open, or waits to be taken. */
    boolean isEmpty() {
        return open.isEmpty() && performed.isEmpty();
    }

    boolean hasPerformed() {
        return !performed.isEmpty();
    }

    /**
     * Removes and returns the one that was performed first; there is one if {@link #hasPerformed}.
     */
    Performed<G, T> takePerformed() {
        return performed.remove();
    }

    /** Removes the open ones. */
    void abandon() {
        open.clear();
    }
}
