package io.muninn.transport.local;

import io.muninn.model.NodeId;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.transport.stream.Control;
import io.muninn.wire.Codecs;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one run that one agent serves: their connections, and the messages between them.
 *
 * <p><b>Order.</b> Messages are delivered in the order in which they were sent, between all nodes
 * of the agent. Deliveries are not nested: a message waits until the callbacks of the current batch
 * and the step that sends it are over. At most {@value #TURN_MAX} messages are delivered before
 * descriptors are polled again, so that faults and sockets are not starved.
 *
 * <p><b>Bytes.</b> A message that names bytes is encoded when it is sent, because the next effect
 * may change them; the receiver reads the encoded bytes. Any other message is passed as an object;
 * its encoding only determines the number of bytes that are counted. When the loop has ended, the
 * bytes of messages that were not delivered are released.
 *
 * <p><b>Threads.</b> The event loop.
 */
public final class LocalNodes {
    /** System property: whether messages are compared with their encodings; for tests. */
    public static final String CHECKS_CODECS = "muninn.check-codecs";

    static final int TURN_MAX = 256;

    private static final int BUFFER_BYTES = 128 << 10;

    /** Used bytes from which on a buffer takes no further message. */
    private static final int BUFFER_BYTES_FULL = BUFFER_BYTES / 2;

    /** An item that waits for delivery. */
    private sealed interface Parcel {
        /** A message that names no bytes. */
        record Whole(LocalLink to, WireMessage message) implements Parcel {}

        /** A message that names bytes: its frame, without length, of which it has a reference. */
        record Frame(LocalLink to, ByteBuf frame) implements Parcel {}

        /** A message that names no bytes, and its frame to compare it with. */
        record Checked(LocalLink to, WireMessage message, ByteBuf frame) implements Parcel {}

        /** The end of a link, and the callback of its other end. */
        record End(LocalLink to, Runnable whenClosed, AgentEventLoop loop) implements Parcel {}
    }

    private final AgentEventLoop loop;
    private final ByteBufAllocator buffers;
    private final TreeSet<Integer> served;
    private final TreeMap<Integer, LocalNode> open = new TreeMap<>(); // by node
    private final List<Dial> dials = new ArrayList<>(); // to nodes that are not open yet
    private final ArrayDeque<Parcel> parcels = new ArrayDeque<>();
    private final @Nullable CodecCheck check; // null unless every message is checked
    private @Nullable ByteBuf buffer; // null before the first message
    private boolean requested;

    /** An attempt of a node to reach another. */
    private record Dial(LocalNode from, NodeId target) {}

    /**
     * @param loop of the agent
     * @param served the nodes that this agent serves
     * @param codecs of the messages that nodes send to each other
     */
    public LocalNodes(AgentEventLoop loop, List<NodeId> served, Codecs codecs) {
        this(
                loop,
                served,
                codecs,
                Boolean.getBoolean(CHECKS_CODECS),
                PooledByteBufAllocator.DEFAULT);
    }

    LocalNodes(
            AgentEventLoop loop,
            List<NodeId> served,
            Codecs codecs,
            boolean checksCodecs,
            ByteBufAllocator buffers) {
        this.loop = loop;
        this.buffers = buffers;
        this.served = new TreeSet<>(served.stream().map(NodeId::index).toList());
        check = checksCodecs ? new CodecCheck(codecs) : null;
        loop.whenEnded(this::release);
    }

    public boolean serves(NodeId node) {
        return served.contains(node.index());
    }

    /** The first node that this agent serves. */
    public NodeId first() {
        return NodeId.of(served.first());
    }

    /** True if all nodes of the run are served here, so that none of them needs to listen. */
    public boolean serveAll(int nodes) {
        return served.size() == nodes;
    }

    // --- meeting -------------------------------------------------------------------------------

    /** Makes a node reachable for the others. */
    public void open(LocalNode node) {
        open.put(node.self().index(), node);
        for (Dial dial : List.copyOf(dials)) {
            if (dial.target.equals(node.self())) {
                dials.remove(dial);
                connect(dial.from, node);
            }
        }
    }

    /** Makes a node unreachable, and cancels its own attempts. */
    public void close(LocalNode node) {
        open.remove(node.self().index(), node);
        dials.removeIf(dial -> dial.from == node);
    }

    /** Connects a node with another, as soon as the other is reachable. */
    public void dial(LocalNode from, NodeId target) {
        LocalNode reached = open.get(target.index());
        Dial dial = new Dial(from, target);
        if (reached != null) {
            connect(from, reached);
        } else if (!dials.contains(dial)) {
            dials.add(dial);
        }
    }

    private static void connect(LocalNode from, LocalNode target) {
        Control.Join join = from.joinHere();
        target.refusalHere(join)
                .ifPresentOrElse(
                        text -> {
                            target.turnedAwayHere(join, text);
                            from.refused(target.self(), text);
                        },
                        () -> {
                            LocalLink near = from.newLocalLink();
                            LocalLink far = target.newLocalLink();
                            LocalLink.join(near, far);
                            target.admit(far, join);
                            from.welcomed(target.self(), near);
                        });
    }

    // --- messages ------------------------------------------------------------------------------

    /**
     * Sends a message.
     *
     * @return bytes of its frame, length included
     */
    int send(LocalLink to, WireMessage message, ByteBufWriter writer, int frameBytesMax) {
        ByteBuf target = buffer();
        int start = target.writerIndex();
        boolean whole = false;
        try {
            target.writeIntLE(0); // the place of the length on a stream
            writer.wrap(target, frameBytesMax);
            if (message instanceof Control) {
                writer.u8(Control.MARK);
            }
            Codecs.encode(message, writer);
            whole = true;
        } finally {
            if (!whole) {
                target.writerIndex(start);
            }
        }
        int bytes = target.writerIndex() - start;
        ByteBuf frame = target.slice(start + Integer.BYTES, bytes - Integer.BYTES);
        if (check != null) {
            check.decode(frame);
        }
        if (writer.namedBytes()) {
            parcels.add(new Parcel.Frame(to, frame.retain()));
        } else if (check != null) {
            parcels.add(new Parcel.Checked(to, message, frame.retain()));
        } else {
            target.writerIndex(start); // it was encoded only to be counted
            parcels.add(new Parcel.Whole(to, message));
        }
        request();
        return bytes;
    }

    /** A buffer with room for a usual message. */
    private ByteBuf buffer() {
        ByteBuf present = buffer;
        if (present != null && present.refCnt() == 1 && present.capacity() == BUFFER_BYTES) {
            return present.clear(); // no frame in it waits for delivery
        }
        if (present != null && present.writerIndex() < BUFFER_BYTES_FULL) {
            return present;
        }
        if (present != null) {
            present.release();
        }
        ByteBuf next = buffers.directBuffer(BUFFER_BYTES);
        buffer = next;
        return next;
    }

    /** Releases all buffers: nothing is delivered any more. */
    private void release() {
        for (Parcel parcel : parcels) {
            switch (parcel) {
                case Parcel.Frame(LocalLink _, ByteBuf frame) -> frame.release();
                case Parcel.Checked(LocalLink _, WireMessage _, ByteBuf frame) -> frame.release();
                case Parcel.Whole _, Parcel.End _ -> {} // without bytes
            }
        }
        parcels.clear();
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }

    /** Ends a link at its other end, after all messages that were sent to it. */
    void end(LocalLink to, Runnable whenClosed, AgentEventLoop ofCaller) {
        parcels.add(new Parcel.End(to, whenClosed, ofCaller));
        request();
    }

    private void request() {
        if (!requested) {
            requested = true;
            loop.execute(this::deliver);
        }
    }

    private void deliver() {
        for (int i = 0; i < TURN_MAX && !parcels.isEmpty(); i++) {
            deliver(parcels.remove());
        }
        requested = !parcels.isEmpty();
        if (requested) {
            loop.schedule(0, this::deliver); // descriptors first
        }
    }

    private void deliver(Parcel parcel) {
        switch (parcel) {
            case Parcel.Whole(LocalLink to, WireMessage message) ->
                    to.deliver(receiver -> receiver.onRecord(message));
            case Parcel.Frame(LocalLink to, ByteBuf frame) -> {
                to.deliver(receiver -> receiver.onFrame(new ByteBufReader(frame)));
                frame.release();
            }
            case Parcel.Checked(LocalLink to, WireMessage message, ByteBuf frame) -> {
                try {
                    if (check != null) {
                        check.compare(message, frame);
                    }
                } finally {
                    frame.release();
                }
                to.deliver(receiver -> receiver.onRecord(message));
            }
            case Parcel.End(LocalLink to, Runnable whenClosed, AgentEventLoop ofCaller) -> {
                to.endSeen();
                ofCaller.run(whenClosed);
            }
        }
    }
}
