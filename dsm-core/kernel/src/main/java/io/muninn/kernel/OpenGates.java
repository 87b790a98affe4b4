package io.muninn.kernel;

import io.muninn.spi.ProtocolViolation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Releases, or acquires, that some protocols have not performed yet, and those that all have
 * performed and that await their manager, in order.
 *
 * @param <G> kind of gate, identified by its instance
 */
final class OpenGates<G> {
    private static final class Open<G> {
        final G gate;
        final int parts;
        int partsPerformed;

        Open(G gate, int parts) {
            this.gate = gate;
            this.parts = parts;
        }
    }

    private final List<Open<G>> open = new ArrayList<>();
    private final ArrayDeque<G> performed = new ArrayDeque<>();

    /**
     * @param protocols how many have to perform their part
     */
    void begin(G gate, int protocols) {
        open.add(new Open<>(gate, protocols));
    }

    /**
     * One protocol has performed its part.
     *
     * @throws ProtocolViolation if the gate is not open
     */
    void partPerformed(G gate) {
        for (Iterator<Open<G>> each = open.iterator(); each.hasNext(); ) {
            Open<G> next = each.next();
            if (next.gate == gate) {
                next.partsPerformed++;
                if (next.partsPerformed == next.parts) {
                    each.remove();
                    performed.add(gate);
                }
                return;
            }
        }
        throw new ProtocolViolation("event=" + gate + " is performed, and was not begun");
    }

    boolean hasPerformed() {
        return !performed.isEmpty();
    }

    /**
     * Removes and returns the one that was performed first; there is one if {@link #hasPerformed}.
     */
    G takePerformed() {
        return performed.remove();
    }

    /** Forgets those that are open. */
    void abandon() {
        open.clear();
    }
}
