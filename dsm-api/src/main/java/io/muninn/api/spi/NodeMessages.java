package io.muninn.api.spi;

import io.muninn.api.Messages;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * The collective calls of a node's messages, over its sends and receives; one instance for all
 * threads of the node.
 *
 * <p>One thread of a node takes part for one tag, throughout the run. Two that called at the same
 * time would receive each other's parts, and two that called one after the other would leave out
 * half of the values without a sign: the second thread is refused.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public abstract class NodeMessages implements Messages {
    /** Tags whose thread is remembered, the latest ones. */
    public static final int COLLECTIVE_TAGS_MAX = 4096;

    /** A thread that takes part. */
    private record Caller(long threadId, String name) {
        static Caller current() {
            Thread self = Thread.currentThread();
            return new Caller(self.threadId(), self.getName());
        }
    }

    /** By tag; guarded by the monitor. */
    private final Map<Integer, Caller> callers = new LinkedHashMap<>();

    protected NodeMessages() {}

    @Override
    public final void broadcast(int root, int tag, MemorySegment bytes) {
        takePart("broadcast", tag);
        if (node() != root) {
            receive(root, tag, bytes);
            return;
        }
        for (int node = 0; node < nodes(); node++) {
            if (node != root) {
                send(node, tag, bytes);
            }
        }
    }

    @Override
    public final long reduceLong(int tag, long value, LongBinaryOperator operator) {
        takePart("reduction", tag);
        if (node() != 0) {
            send(0, tag, value);
            return receiveLong(0, tag);
        }
        long result = value;
        for (int node = 1; node < nodes(); node++) {
            result = operator.applyAsLong(result, receiveLong(node, tag));
        }
        for (int node = 1; node < nodes(); node++) {
            send(node, tag, result);
        }
        return result;
    }

    @Override
    public final double reduceDouble(int tag, double value, DoubleBinaryOperator operator) {
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
                            + node()
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
