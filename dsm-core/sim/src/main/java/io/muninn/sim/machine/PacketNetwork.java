package io.muninn.sim.machine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries messages between nodes, in packets: memory bus, I/O bus and network interface of the
 * sender, the link, and network interface, I/O bus and memory bus of the receiver. A node sends one
 * message after another. Packets wait for every one of these but the link.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 4.
 */
final class PacketNetwork {
    /** A message of which some packets have not been sent. */
    private static final class Outgoing {
        final NodeMachine to;
        final Runnable arrived;
        int bytesLeft;

        Outgoing(NodeMachine to, int bytes, Runnable arrived) {
            this.to = to;
            this.arrived = arrived;
            bytesLeft = bytes;
        }
    }

    private record Packet(NodeMachine to, int bytes, Runnable arrived) {}

    private static final Runnable NOTHING = () -> {};

    private final SmpModel model;
    private final Clock clock;
    private final long packetPicos;
    private final long latencyPicos;
    private final List<ArrayDeque<Outgoing>> queues = new ArrayList<>(); // by node
    private final long[] queuedBytes;
    private final boolean[] isSending;

    PacketNetwork(SmpModel model, int nodes, Clock clock) {
        this.model = model;
        this.clock = clock;
        packetPicos = model.network().packetCycles() * model.cyclePicos();
        latencyPicos = model.network().latencyCycles() * model.cyclePicos();
        queuedBytes = new long[nodes];
        isSending = new boolean[nodes];
        for (int i = 0; i < nodes; i++) {
            queues.add(new ArrayDeque<>());
        }
    }

    /** Sends a message, after all earlier ones of its sender. */
    void send(NodeMachine from, NodeMachine to, int bytes, Runnable arrived) {
        queues.get(from.index()).add(new Outgoing(to, bytes, arrived));
        queuedBytes[from.index()] += bytes;
        if (!isSending[from.index()]) {
            isSending[from.index()] = true;
            sendNext(from);
        }
    }

    /** How long a processor of a node waits until its queue has room. */
    long roomInPicos(NodeMachine from) {
        long over = queuedBytes[from.index()] - model.network().queueBytes();
        return over <= 0 ? 0 : over * model.ioBus().cyclePicos() / model.ioBus().widthBytes();
    }

    private void sendNext(NodeMachine from) {
        ArrayDeque<Outgoing> queue = queues.get(from.index());
        Outgoing message = queue.peek();
        if (message == null) {
            isSending[from.index()] = false;
            return;
        }
        int bytes = Math.min(message.bytesLeft, model.network().packetBytes());
        message.bytesLeft -= bytes;
        queuedBytes[from.index()] -= bytes;
        boolean isLast = message.bytesLeft == 0;
        if (isLast) {
            queue.remove();
        }
        Packet packet = new Packet(message.to, bytes, isLast ? message.arrived : NOTHING);
        long readPicos =
                from.memoryBus().book(clock.nowPicos(), model.memoryBus().transferPicos(bytes));
        long ioPicos = model.ioBus().transferPicos(bytes);
        long endPicos = from.ioBus().book(readPicos, ioPicos);
        clock.at(endPicos, () -> leave(from, packet));
        clock.at(endPicos - ioPicos, () -> sendNext(from)); // reads memory meanwhile
    }

    /** The packet is at the interface of its sender. */
    private void leave(NodeMachine from, Packet packet) {
        long leftPicos = from.networkInterface().book(clock.nowPicos(), packetPicos);
        long linkPicos =
                model.cyclePicos() * Math.ceilDiv(packet.bytes(), model.network().linkBytes());
        clock.at(leftPicos + latencyPicos + linkPicos, () -> arrive(packet));
    }

    private void arrive(Packet packet) {
        long readPicos = packet.to().networkInterface().book(clock.nowPicos(), packetPicos);
        clock.at(readPicos + latencyPicos, () -> cross(packet));
    }

    private void cross(Packet packet) {
        long crossedPicos =
                packet.to()
                        .ioBus()
                        .book(clock.nowPicos(), model.ioBus().transferPicos(packet.bytes()));
        clock.at(crossedPicos, () -> write(packet));
    }

    private void write(Packet packet) {
        long writtenPicos =
                packet.to()
                        .memoryBus()
                        .book(clock.nowPicos(), model.memoryBus().transferPicos(packet.bytes()));
        clock.at(writtenPicos, packet.arrived());
    }
}
