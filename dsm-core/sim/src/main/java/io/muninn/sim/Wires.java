package io.muninn.sim;

import io.muninn.sim.delay.Delays;
import io.muninn.sim.machine.Clock;
import io.muninn.sim.machine.Server;
import io.muninn.sim.machine.SmpModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Wires that several links share; each carries one message at a time. A message is sent over the
 * single wire of all nodes, or over the wire from its sender to the switch and then over the wire
 * from the switch to its receiver. Before and after these wires it passes the network interfaces of
 * both nodes, which are busy with one message at a time, whether sent or received.
 */
final class Wires {
    /** Of the interfaces' utilization, which nothing reads. */
    private static final long WINDOW_PICOS = 1_000_000 * SmpModel.NANO;

    private final Delays delays;
    private final Clock clock;
    private final long[] toSwitchNanos; // when it is free, by node; the first for a single wire
    private final long[] fromSwitchNanos; // when it is free, by node
    private Optional<LastingLinks> lasting = Optional.empty();
    private final List<Server> interfaces = new ArrayList<>(); // by node

    Wires(Delays delays, int nodes, Clock clock) {
        this.delays = delays;
        this.clock = clock;
        toSwitchNanos = new long[nodes];
        fromSwitchNanos = new long[nodes];
        for (int i = 0; i < nodes; i++) {
            interfaces.add(new Server(WINDOW_PICOS, 0));
        }
    }

    /** From now on, lasting links send messages again that a cut connection has lost. */
    void outlast(LastingLinks links) {
        lasting = Optional.of(links);
    }

    /** The links, if they outlast their connections. */
    Optional<LastingLinks> lasting() {
        return lasting;
    }

    /** Carries an accepted message; the action runs when it arrives, unless links are lasting. */
    void carry(Link link, Link.Frame frame, Runnable arrived) {
        if (lasting.isPresent()) {
            lasting.get().send(link, frame);
        } else {
            carry(link, frame.bytes().length, arrived);
        }
    }

    /** Carries bytes over a link, behind what was sent before; the action runs when they arrive. */
    void carry(Link link, int bytes, Runnable arrived) {
        if (delays.occupancy(bytes) == 0) {
            cross(link, bytes, arrived);
            return;
        }
        pass(link.from(), bytes, () -> cross(link, bytes, () -> pass(link.to(), bytes, arrived)));
    }

    private void pass(int node, int bytes, Runnable passed) {
        long servicePicos = delays.occupancy(bytes) * SmpModel.NANO;
        clock.at(interfaces.get(node).book(clock.nowPicos(), servicePicos), passed);
    }

    private void cross(Link link, int bytes, Runnable arrived) {
        long start = begin(link, bytes, nowNanos());
        clock.at(link.carry(bytes, start, delays) * SmpModel.NANO, arrived);
    }

    private long nowNanos() {
        return clock.nowPicos() / SmpModel.NANO;
    }

    /** Returns when the last shared wire begins to carry a message. */
    private long begin(Link link, int bytes, long nowNanos) {
        if (delays.isWireShared()) {
            return begin(toSwitchNanos, 0, bytes, nowNanos);
        }
        if (delays.arePortsShared()) {
            long left = begin(toSwitchNanos, link.from(), bytes, nowNanos);
            return begin(fromSwitchNanos, link.to(), bytes, left);
        }
        return nowNanos;
    }

    private long begin(long[] freeNanos, int wire, int bytes, long nowNanos) {
        long start = Math.max(nowNanos, freeNanos[wire]);
        freeNanos[wire] = start + delays.transfer(bytes);
        return start;
    }

    /** How long a node's wires and its interface still have messages to carry; 0 without any. */
    long queueNanos(int node) {
        int wire = delays.isWireShared() ? 0 : node;
        long free = Math.max(toSwitchNanos[wire], fromSwitchNanos[wire]);
        long backlog = interfaces.get(node).backlogPicos(clock.nowPicos()) / SmpModel.NANO;
        return Math.max(Math.max(0, free - nowNanos()), backlog);
    }
}
