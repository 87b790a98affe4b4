package io.muninn.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Explicit messages between nodes, over the transport that carries the coherence traffic. A message
 * is addressed to a node and a tag; any thread of that node may receive it, one thread does. A send
 * is a release and a receive an acquire: what the sender stored before is seen by the receiver
 * after.
 *
 * <p><b>Shape.</b> Nodes are 0 to {@link #nodes()} - 1, the own node included; tags are 0 or more;
 * content is 0 to {@link #BYTES_MAX} bytes. Numbers travel in the machine's byte order.
 *
 * <p><b>Order.</b> Messages from one node to one node with one tag arrive in the order sent, if one
 * thread sends them. Nothing is promised between tags or senders.
 *
 * <p><b>Bounds.</b> At most {@link #BYTES_MAX} bytes from one node wait at another for a receiver;
 * a send beyond that waits until some have been received. Two nodes that only send to each other
 * may so wait for ever.
 *
 * <p><b>Errors.</b> A node or tag out of range and a message too long give {@link
 * IllegalArgumentException}; content that does not fit what the receiver asked for gives {@link
 * DsmException} with sender, tag and both lengths, and the message is gone. Calls that wait throw
 * {@link NodeLostException} when a node is lost and {@link DsmException} when the run has failed.
 *
 * <p><b>Threads.</b> Any application thread. Broadcasts and reductions are the node's: one of its
 * threads takes part for one tag, always the same; a second one is refused. With several threads to
 * a node let thread 0 call, or give each thread a tag of its own.
 */
public interface Messages {
    /** Stands for any sender in a receive. */
    int ANY = -1;

    /**
     * Longest message, and most bytes that wait at one node for a receiver and come from one other:
     * 4 MiB. What is longer goes in pieces, or is shared.
     */
    int BYTES_MAX = 4 << 20;

    /** This node, 0 to {@link #nodes()} - 1. */
    int node();

    /** Nodes in the cluster, at least 1. */
    int nodes();

    /** Sends a copy of {@code source}; it may be changed as soon as the call returns. */
    void send(int node, int tag, MemorySegment source);

    /**
     * Waits for a message with this tag.
     *
     * @param node the sender, or {@link #ANY}
     */
    Message receive(int node, int tag);

    /**
     * Waits for a message with this tag, but not longer than that.
     *
     * @param node the sender, or {@link #ANY}
     * @throws TimeoutException if the time ran out; the text names sender and tag
     */
    Message receive(int node, int tag, long time, TimeUnit unit) throws TimeoutException;

    /** Sends a copy of {@code source}. */
    default void send(int node, int tag, byte[] source) {
        send(node, tag, MemorySegment.ofArray(source));
    }

    /** Sends elements {@code from} (inclusive) to {@code to} (exclusive) of {@code source}. */
    default void send(int node, int tag, double[] source, int from, int to) {
        send(
                node,
                tag,
                MemorySegment.ofArray(source)
                        .asSlice((long) from * Double.BYTES, (long) (to - from) * Double.BYTES));
    }

    /** Sends the values, 8 bytes each. */
    default void send(int node, int tag, long... values) {
        send(node, tag, MemorySegment.ofArray(values));
    }

    /**
     * Waits for a message that fills {@code target} exactly.
     *
     * @param node the sender, or {@link #ANY}
     * @return who sent it
     */
    default int receive(int node, int tag, MemorySegment target) {
        Message message = receive(node, tag);
        if (message.bytes() != target.byteSize()) {
            throw new DsmException(
                    "message of "
                            + message.bytes()
                            + " bytes from node "
                            + message.node()
                            + " with tag "
                            + tag
                            + " does not fit "
                            + target.byteSize()
                            + " bytes");
        }
        target.copyFrom(message.content());
        return message.node();
    }

    /**
     * Waits for a message that fills elements {@code from} to {@code to} of {@code target} exactly.
     *
     * @param node the sender, or {@link #ANY}
     * @return who sent it
     */
    default int receive(int node, int tag, double[] target, int from, int to) {
        return receive(
                node,
                tag,
                MemorySegment.ofArray(target)
                        .asSlice((long) from * Double.BYTES, (long) (to - from) * Double.BYTES));
    }

    /**
     * Waits for a message of one 64-bit integer.
     *
     * @param node the sender, or {@link #ANY}
     */
    default long receiveLong(int node, int tag) {
        Message message = receive(node, tag);
        if (message.bytes() != Long.BYTES) {
            throw new DsmException(
                    "message of "
                            + message.bytes()
                            + " bytes from node "
                            + message.node()
                            + " with tag "
                            + tag
                            + " is not one long");
        }
        return message.content().get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }

    /**
     * Gives every node the root's bytes. One thread of every node calls it, with the same tag and a
     * segment of the same length. On {@code root} the bytes are sent, elsewhere they are replaced.
     *
     * <p><b>Cost.</b> {@code nodes() - 1} messages.
     *
     * @param root the node whose bytes count, 0-based
     * @throws IllegalStateException if another thread of this node has called a broadcast or a
     *     reduction with this tag
     */
    void broadcast(int root, int tag, MemorySegment bytes);

    /**
     * Combines one value of every node; all get the result. One thread of every node calls it, with
     * the same tag: of the values of several threads, a node first makes one. Values are combined
     * in order of node, so the result is the same every time.
     *
     * <p><b>Cost.</b> {@code 2 * (nodes() - 1)} messages, through node 0.
     *
     * @throws IllegalStateException if another thread of this node has called a broadcast or a
     *     reduction with this tag
     */
    long reduceLong(int tag, long value, LongBinaryOperator operator);

    /**
     * As {@link #reduceLong(int, long, LongBinaryOperator)}, for doubles. An operator that is not
     * associative still gives the same bits every time: values are combined in order of node.
     */
    double reduceDouble(int tag, double value, DoubleBinaryOperator operator);
}
