package io.muninn.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Explicit messages between nodes, over the transport that carries the coherence traffic. A message
 * is addressed to a node and a tag; exactly one thread of that node receives it, any one of them. A
 * send is a release and a receive is an acquire: the receiver sees the sender's earlier stores.
 *
 * <p><b>Shape.</b> Nodes are 0 to {@link #nodes()} - 1, including this node; tags are 0 or more;
 * content is 0 to {@link #BYTES_MAX} bytes. Numbers are sent in the machine's byte order.
 *
 * <p><b>Order.</b> Messages that one thread sends to one node with one tag arrive in the order
 * sent. There is no order between tags or senders.
 *
 * <p><b>Bounds.</b> At most {@link #BYTES_MAX} bytes from one node wait at another node to be
 * received; a further send waits until some have been received. Two nodes that only send to each
 * other may therefore wait for ever.
 *
 * <p><b>Errors.</b> A node or tag out of range or a message that is too long causes {@link
 * IllegalArgumentException}. Content whose length differs from the length that the receiver expects
 * causes {@link DsmException} with sender, tag and both lengths; the message is lost. Calls that
 * wait throw {@link NodeLostException} when a node is lost and {@link DsmException} when the run
 * has failed.
 *
 * <p><b>Threads.</b> Any application thread. In broadcasts and reductions the parties are nodes:
 * for each tag exactly one thread of a node takes part, always the same; a second thread is
 * refused. If a node has several threads, let thread 0 make these calls, or use a separate tag for
 * each thread.
 */
public interface Messages {
    /** Stands for any sender in a receive. */
    int ANY = -1;

    /**
     * Longest message, and largest number of bytes from one node that wait at another to be
     * received: 4 MiB. Send longer content in parts, or share it.
     */
    int BYTES_MAX = 4 << 20;

    /** This node, 0 to {@link #nodes()} - 1. */
    int node();

    /** Nodes in the cluster, at least 1. */
    int nodes();

    /** Sends a copy of {@code source}; the caller may change it as soon as the call returns. */
    void send(int node, int tag, MemorySegment source);

    /**
     * Waits for a message with this tag.
     *
     * @param node the sender, or {@link #ANY}
     */
    Message receive(int node, int tag);

    /**
     * Waits for a message with this tag, at most for the given time.
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
     * @return the sender, 0-based
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
     * @return the sender, 0-based
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
     * Sends the root's bytes to every node. One thread of every node calls it, with the same tag
     * and a segment of the same length. The bytes are sent on {@code root} and replaced on all
     * other nodes.
     *
     * <p><b>Cost.</b> {@code nodes() - 1} messages.
     *
     * @param root the node whose bytes are sent, 0-based
     * @throws IllegalStateException if another thread of this node has called a broadcast or a
     *     reduction with this tag
     */
    void broadcast(int root, int tag, MemorySegment bytes);

    /**
     * Combines one value of every node; all nodes get the result. One thread of every node calls
     * it, with the same tag; a node with several threads must combine their values first. Values
     * are combined in node order, so the result is reproducible.
     *
     * <p><b>Cost.</b> {@code 2 * (nodes() - 1)} messages, through node 0.
     *
     * @throws IllegalStateException if another thread of this node has called a broadcast or a
     *     reduction with this tag
     */
    long reduceLong(int tag, long value, LongBinaryOperator operator);

    /**
     * As {@link #reduceLong(int, long, LongBinaryOperator)}, for doubles. The result is bitwise
     * reproducible even if the operator is not associative: values are combined in node order.
     */
    double reduceDouble(int tag, double value, DoubleBinaryOperator operator);
}
