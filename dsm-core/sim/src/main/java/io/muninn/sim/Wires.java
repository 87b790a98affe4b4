package io.muninn.sim;

import io.muninn.sim.delay.Delays;

/**
 * Wires that several links share; each carries one message at a time. A message is sent over the
 * single wire of all nodes, or over the wire from its sender to the switch and then over the wire
 * from the switch to its receiver.
 */
final class Wires {
    private final Delays delays;
    private final long[] toSwitchNanos; // when it is free, by node; the first for a single wire
    private final long[] fromSwitchNanos; // when it is free, by node

    Wires(Delays delays, int nodes) {
        this.delays = delays;
        toSwitchNanos = new long[nodes];
        fromSwitchNanos = new long[nodes];
    }

    /** Carries a message. Returns when its last shared wire begins to carry it. */
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
