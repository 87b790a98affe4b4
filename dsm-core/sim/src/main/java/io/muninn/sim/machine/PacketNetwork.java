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
        final boolean isUpdate;
        final Runnable arrived;
        int bytesLeft;

        Outgoing(NodeMachine to, int bytes, boolean isUpdate, Runnable arrived) {
            this.to = to;
            this.isUpdate = isUpdate;
            this.arrived = arrived;
            bytesLeft = bytes;
        }
    }

    private record Packet(NodeMachine to, int bytes, boolean isUpdate, Runnable arrived) {}

    private static final Runnable NOTHING = () -> {};

    private final SmpModel model;
    private final Clock clock;
    private final long packetPicos;
    private final long updatePicos;
    private final long latencyPicos;
    private final List<ArrayDeque<Outgoing>> queues = new ArrayList<>(); // by node
    private final long[] queuedBytes;
    private final boolean[] isSending;
    private final long[] leavePicos; // by node: when the last packet reaches its interface
    private final long[][] linkPicos; // by sender and receiver: when the last packet arrives

    PacketNetwork(SmpModel model, int nodes, Clock clock) {
        this.model = model;
        this.clock = clock;
        packetPicos = model.network().packetCycles() * model.cyclePicos();
        updatePicos = model.network().updateCycles() * model.cyclePicos();
        latencyPicos = model.network().latencyCycles() * model.cyclePicos();
        queuedBytes = new long[nodes];
        isSending = new boolean[nodes];
        leavePicos = new long[nodes];
        linkPicos = new long[nodes][nodes];
        for (int i = 0; i < nodes; i++) {
            queues.add(new ArrayDeque<>());
        }
    }

    /**
     * Sends a message, after all earlier ones of its sender.
     *
     * @param isUpdate whether hardware sends stores that it has seen on the memory bus: they do not
     *     pass the sender's I/O bus
     */
    void send(NodeMachine from, NodeMachine to, int bytes, boolean isUpdate, Runnable arrived) {
        queues.get(from.index()).add(new Outgoing(to, bytes, isUpdate, arrived));
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
        Packet packet =
                new Packet(message.to, bytes, message.isUpdate, isLast ? message.arrived : NOTHING);
        long readPicos =
                from.memoryBus().book(clock.nowPicos(), model.memoryBus().transferPicos(bytes));
        long ioPicos = message.isUpdate ? 0 : model.ioBus().transferPicos(bytes);
        long endPicos = message.isUpdate ? readPicos : from.ioBus().book(readPicos, ioPicos);
        long leave = Math.max(endPicos, leavePicos[from.index()]);
        leavePicos[from.index()] = leave;
        clock.at(leave, () -> leave(from, packet));
        clock.at(endPicos - ioPicos, () -> sendNext(from)); // reads memory meanwhile
    }

    /** The packet is at the interface of its sender. */
    private void leave(NodeMachine from, Packet packet) {
        long leftPicos = from.networkInterface().book(clock.nowPicos(), servicePicos(packet));
        long crossing =
                model.cyclePicos() * Math.ceilDiv(packet.bytes(), model.network().linkBytes());
        long[] arrivals = linkPicos[from.index()];
        int to = packet.to().index();
        arrivals[to] = Math.max(arrivals[to], leftPicos + latencyPicos + crossing);
        clock.at(arrivals[to], () -> arrive(packet));
    }

    private long servicePicos(Packet packet) {
        return packet.isUpdate() ? updatePicos : packetPicos;
    }

    private void arrive(Packet packet) {
        long readPicos =
                packet.to().networkInterface().book(clock.nowPicos(), servicePicos(packet));
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
