package io.muninn.sim;

import io.muninn.sim.delay.Delays;

/**
 * Wires that several links share: when each has carried what it was given. One after another,
 * messages go through the one wire of all, or through the wire from their sender to the switch and
 * then the one from there to their receiver.
 */
final class Wires {
    private final Delays delays;
    private final long[] toSwitchNanos; // by node; of the one wire, the first
    private final long[] fromSwitchNanos; // by node

    Wires(Delays delays, int nodes) {
        this.delays = delays;
        toSwitchNanos = new long[nodes];
        fromSwitchNanos = new long[nodes];
    }

    /** Takes a message. Returns when the last wire that it shares begins to carry it. */
    long carry(Link link, int bytes, long nowNanos) {
        if (delays.isWireShared()) {
            return carry(toSwitchNanos, 0, bytes, nowNanos);
        }
        if (delays.arePortsShared()) {
            long left = carry(toSwitchNanos, link.from(), bytes, nowNanos);
            return carry(fromSwitchNanos, link.to(), bytes, left);
        }
        return nowNanos;
    }

    private long carry(long[] freeNanos, int wire, int bytes, long nowNanos) {
        long start = Math.max(nowNanos, freeNanos[wire]);
        freeNanos[wire] = start + delays.transfer(bytes);
        return start;
    }

    /** How long the busiest of these wires still has messages to carry; 0 without any. */
    long queueNanos(long nowNanos) {
        long latest = nowNanos;
        for (int i = 0; i < toSwitchNanos.length; i++) {
            latest = Math.max(latest, Math.max(toSwitchNanos[i], fromSwitchNanos[i]));
        }
        return latest - nowNanos;
    }
}
