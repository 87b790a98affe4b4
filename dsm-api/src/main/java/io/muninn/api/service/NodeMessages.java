package io.muninn.api.service;

import io.muninn.api.Message;
import io.muninn.api.Messages;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * The messages of one node; one instance for all its threads.
 *
 * <p>One thread of a node takes part in collective calls for one tag, throughout the run. Two
 * threads that called concurrently would receive each other's parts; two that called one after the
 * other would silently leave out half of the values. So a second thread is refused.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public final class NodeMessages implements Messages {
    /** Number of tags whose thread is recorded; the oldest entry is removed first. */
    public static final int COLLECTIVE_TAGS_MAX = 4096;

    /** The thread that takes part for a tag. */
    private record Caller(long threadId, String name) {
        static Caller current() {
            Thread self = Thread.currentThread();
            return new Caller(self.threadId(), self.getName());
        }
    }

    private static final long FOR_EVER = -1;

    private final int node;
    private final int nodes;
    private final MessageLink link;
    private final Runnable beforeSend;

    /** Callers by tag; guarded by the monitor. */
    private final Map<Integer, Caller> callers = new LinkedHashMap<>();

    public NodeMessages(int node, int nodes, MessageLink link) {
        this(node, nodes, link, () -> {});
    }

    /**
     * @param beforeSend called before each message, which is a release
     */
    NodeMessages(int node, int nodes, MessageLink link, Runnable beforeSend) {
        this.beforeSend = beforeSend;
        this.node = node;
        this.nodes = nodes;
        this.link = link;
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public void send(int to, int tag, MemorySegment source) {
        check(to, 0, tag);
        if (source.byteSize() > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "message of " + source.byteSize() + " bytes, more than " + BYTES_MAX);
        }
        beforeSend.run();
        link.send(to, tag, source);
    }

    @Override
    public Message receive(int from, int tag) {
        check(from, ANY, tag);
        try {
            return link.receive(from, tag, FOR_EVER);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    @Override
    public Message receive(int from, int tag, long time, TimeUnit unit) throws TimeoutException {
        check(from, ANY, tag);
        return link.receive(from, tag, Math.max(0, unit.toNanos(time)));
    }

    private void check(int other, int least, int tag) {
        if (other < least || other >= nodes) {
            throw new IllegalArgumentException("node " + other + " is outside 0.." + (nodes - 1));
        }
        if (tag < 0) {
            throw new IllegalArgumentException("tag " + tag + " is negative");
        }
    }

    @Override
    public void broadcast(int root, int tag, MemorySegment bytes) {
        takePart("broadcast", tag);
        if (node != root) {
            receive(root, tag, bytes);
            return;
        }
        for (int to = 0; to < nodes; to++) {
            if (to != root) {
                send(to, tag, bytes);
            }
        }
    }

    @Override
    public long reduceLong(int tag, long value, LongBinaryOperator operator) {
        takePart("reduction", tag);
        if (node != 0) {
            send(0, tag, value);
            return receiveLong(0, tag);
        }
        long result = value;
        for (int from = 1; from < nodes; from++) {
            result = operator.applyAsLong(result, receiveLong(from, tag));
        }
        for (int to = 1; to < nodes; to++) {
            send(to, tag, result);
        }
        return result;
    }

    @Override
    public double reduceDouble(int tag, double value, DoubleBinaryOperator operator) {
        long bits =
                reduceLong(
                        tag,
                        Double.doubleToRawLongBits(value),
                        (left, right) ->
                                Double.doubleToRawLongBits(
                                        operator.applyAsDouble(
                                                Double.longBitsToDouble(left),
                                                Double.longBitsToDouble(right))));
        return Double.longBitsToDouble(bits);
    }

    private synchronized void takePart(String what, int tag) {
        Caller self = Caller.current();
        Caller first = callers.putIfAbsent(tag, self);
        if (first != null && first.threadId() != self.threadId()) {
            throw new IllegalStateException(
                    what
                            + " with tag "
                            + tag
                            + " by thread "
                            + self.name()
                            + " of node "
                            + node
                            + ", and thread "
                            + first.name()
                            + " of this node takes part with that tag: one thread of every node"
                            + " calls it. Let one thread of the node call it, such as thread() 0,"
                            + " or give each thread a tag of its own");
        }
        if (callers.size() > COLLECTIVE_TAGS_MAX) {
            callers.remove(callers.keySet().iterator().next());
        }
    }
}
