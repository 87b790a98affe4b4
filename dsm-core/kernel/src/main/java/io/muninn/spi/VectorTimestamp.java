package io.muninn.spi;

import io.muninn.model.NodeId;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.Arrays;

/**
 * A vector timestamp: for each node of the cluster the last of its intervals that is covered, 0 for
 * none. Immutable; compared as a partial order.
 *
 * <p><b>Shape.</b> An array. With more nodes than a live cluster has, an array that many timestamps
 * share, and a few nodes for which it does not hold: a page and a notice have a timestamp each, and
 * most differ from others in the intervals of one or two nodes.
 *
 * <p>Source: Keleher, Cox, Dwarkadas, Zwaenepoel, TreadMarks, 1994, section 2.2.
 */
public final class VectorTimestamp {
    /** Largest number of nodes that differ from a shared array. */
    private static final int OTHERS_MAX = 32;

    private static final long[] ZERO = new long[NodeId.NODES_MAX];
    private static final int[] NO_NODES = {};
    private static final long[] NO_INTERVALS = {};

    private final int nodes;
    private final long[] intervals; // by node, of those that are not among the others
    private final int[] others; // ascending
    private final long[] ofOthers; // their intervals, none of which is that of the array

    private VectorTimestamp(long[] intervals) {
        this(intervals.length, intervals, NO_NODES, NO_INTERVALS);
    }

    private VectorTimestamp(int nodes, long[] intervals, int[] others, long[] ofOthers) {
        this.nodes = nodes;
        this.intervals = intervals;
        this.others = others;
        this.ofOthers = ofOthers;
    }

    /** Covers no interval of any node. */
    public static VectorTimestamp zero(int nodes) {
        return nodes <= NodeId.LIVE_MAX
                ? new VectorTimestamp(new long[nodes])
                : new VectorTimestamp(nodes, ZERO, NO_NODES, NO_INTERVALS);
    }

    public int nodes() {
        return nodes;
    }

    /** The last interval of a node that is covered; 0 if none is. */
    public long of(NodeId node) {
        return of(node.index());
    }

    private long of(int node) {
        if (others.length > 0) {
            int place = Arrays.binarySearch(others, node);
            if (place >= 0) {
                return ofOthers[place];
            }
        }
        return intervals[node];
    }

    public boolean covers(NodeId node, long interval) {
        return interval <= of(node);
    }

    /** True if every interval that the other covers is covered. Both are of one cluster. */
    public boolean covers(VectorTimestamp other) {
        if (intervals == other.intervals || other.intervals == ZERO) {
            return coversOthers(other, others) && coversOthers(other, other.others);
        }
        if (others.length + other.others.length > 0) {
            return covers(new VectorTimestamp(other.toArray()), toArray());
        }
        return covers(other, intervals);
    }

    private boolean coversOthers(VectorTimestamp other, int[] of) {
        for (int node : of) {
            if (other.of(node) > of(node)) {
                return false;
            }
        }
        return true;
    }

    private static boolean covers(VectorTimestamp covered, long[] by) {
        for (int i = 0; i < covered.nodes; i++) {
            if (covered.intervals[i] > by[i]) {
                return false;
            }
        }
        return true;
    }

    /** The same with another last interval of one node. */
    public VectorTimestamp with(NodeId node, long interval) {
        if (nodes > NodeId.LIVE_MAX) {
            return withOther(node.index(), interval);
        }
        long[] changed = intervals.clone();
        changed[node.index()] = interval;
        return new VectorTimestamp(changed);
    }

    private VectorTimestamp withOther(int node, long interval) {
        int place = Arrays.binarySearch(others, node);
        int at = place < 0 ? -1 - place : place;
        int behind = place < 0 ? at : at + 1;
        int here = intervals[node] == interval ? 0 : 1;
        int length = at + here + others.length - behind;
        if (length > OTHERS_MAX) {
            long[] changed = toArray();
            changed[node] = interval;
            return new VectorTimestamp(changed);
        }
        int[] changedNodes = Arrays.copyOf(others, length);
        long[] changed = Arrays.copyOf(ofOthers, length);
        System.arraycopy(others, behind, changedNodes, at + here, others.length - behind);
        System.arraycopy(ofOthers, behind, changed, at + here, others.length - behind);
        if (here == 1) {
            changedNodes[at] = node;
            changed[at] = interval;
        }
        return new VectorTimestamp(nodes, intervals, changedNodes, changed);
    }

    private long[] toArray() {
        long[] all = Arrays.copyOf(intervals, nodes);
        for (int i = 0; i < others.length; i++) {
            all[others[i]] = ofOthers[i];
        }
        return all;
    }

    /**
     * The same timestamp, which shares the array of another if it is similar: comparing the two and
     * storing both takes little then. Both are of one cluster.
     */
    public VectorTimestamp like(VectorTimestamp other) {
        if (nodes <= NodeId.LIVE_MAX || intervals == other.intervals) {
            return this;
        }
        VectorTimestamp like = new VectorTimestamp(nodes, other.intervals, NO_NODES, NO_INTERVALS);
        for (int i = 0; i < nodes; i++) {
            long here = of(i);
            if (here != other.intervals[i]) {
                if (like.others.length == OTHERS_MAX) {
                    return this;
                }
                like = like.withOther(i, here);
            }
        }
        return like;
    }

    /**
     * Number of covered intervals. It is greater than the count of the timestamp of any covered
     * interval.
     */
    public long count() {
        long count = 0;
        for (int i = 0; i < nodes; i++) {
            count += intervals[i];
        }
        for (int i = 0; i < others.length; i++) {
            count += ofOthers[i] - intervals[others[i]];
        }
        return count;
    }

    /** Covers the intervals that this or the other covers. Both are of one cluster. */
    public VectorTimestamp join(VectorTimestamp other) {
        if (covers(other)) {
            return this;
        }
        if (intervals == other.intervals || other.intervals == ZERO) {
            VectorTimestamp joined = this;
            for (int node : other.others) {
                joined = joined.withAtLeast(node, other.of(node));
            }
            if (intervals == other.intervals) {
                for (int node : others) { // of which the other has the interval of the array
                    joined = joined.withAtLeast(node, other.of(node));
                }
            }
            return joined;
        }
        long[] joined = toArray();
        for (int i = 0; i < joined.length; i++) {
            joined[i] = Math.max(joined[i], other.of(i));
        }
        VectorTimestamp whole = new VectorTimestamp(joined);
        return whole.like(other).like(this);
    }

    private VectorTimestamp withAtLeast(int node, long interval) {
        return interval <= of(node) ? this : with(NodeId.of(node), interval);
    }

    /** Nodes varint, then a varint for each. */
    public void encode(WireWriter out) {
        out.varint(nodes);
        for (int i = 0; i < nodes; i++) {
            out.varint(of(i));
        }
    }

    /**
     * @throws MalformedMessageException if the bytes are no timestamp of a cluster
     */
    public static VectorTimestamp decode(WireReader in) {
        int nodes = (int) in.varint(NodeId.NODES_MAX);
        if (nodes < 1) {
            throw new MalformedMessageException("a timestamp of " + nodes + " nodes");
        }
        long[] intervals = new long[nodes];
        for (int i = 0; i < nodes; i++) {
            intervals[i] = in.varint(Long.MAX_VALUE);
        }
        return new VectorTimestamp(intervals).like(zero(nodes));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VectorTimestamp timestamp
                && timestamp.nodes == nodes
                && covers(timestamp)
                && timestamp.covers(this);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toArray());
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }

    /**
     * Writes a timestamp behind another one: the number of nodes with another interval, and for
     * each of them node and interval; of all nodes, if that is shorter, an interval each. Layout:
     * count varint, then count times node and varint; or nodes varint, then a varint for each.
     */
    public void encodeBehind(VectorTimestamp before, WireWriter out) {
        int[] changed = changedNodes(before);
        if (changed.length * 2 >= nodes) {
            encode(out);
            return;
        }
        out.varint(changed.length);
        for (int node : changed) {
            out.node(NodeId.of(node));
            out.varint(of(node));
        }
    }

    private int[] changedNodes(VectorTimestamp before) {
        if (intervals == before.intervals) {
            return changedOthers(before);
        }
        int[] changed = new int[nodes];
        int count = 0;
        for (int i = 0; i < nodes; i++) {
            if (of(i) != before.of(i)) {
                changed[count++] = i;
            }
        }
        return Arrays.copyOf(changed, count);
    }

    /**
     * The changed nodes if both timestamps share an array. A node that is among the others of only
     * one of them has changed.
     */
    private int[] changedOthers(VectorTimestamp before) {
        int[] changed = new int[others.length + before.others.length];
        int count = 0;
        int here = 0;
        int there = 0;
        while (here < others.length || there < before.others.length) {
            int node = here < others.length ? others[here] : nodes;
            int nodeBefore = there < before.others.length ? before.others[there] : nodes;
            if (node != nodeBefore || ofOthers[here] != before.ofOthers[there]) {
                changed[count++] = Math.min(node, nodeBefore);
            }
            here += node <= nodeBefore ? 1 : 0;
            there += nodeBefore <= node ? 1 : 0;
        }
        return Arrays.copyOf(changed, count);
    }

    /**
     * Reads what {@link #encodeBehind} has written behind the same timestamp.
     *
     * @throws MalformedMessageException if the bytes are none
     */
    public static VectorTimestamp decodeBehind(VectorTimestamp before, WireReader in) {
        int count = (int) in.varint(before.nodes);
        if (count * 2 >= before.nodes) {
            if (count != before.nodes) {
                throw new MalformedMessageException(count + " changed nodes, as single ones");
            }
            long[] intervals = new long[count];
            for (int i = 0; i < count; i++) {
                intervals[i] = in.varint(Long.MAX_VALUE);
            }
            return new VectorTimestamp(intervals).like(before);
        }
        VectorTimestamp read = before;
        for (int i = 0; i < count; i++) {
            NodeId node = in.node();
            if (node.index() >= before.nodes) {
                throw new MalformedMessageException("an interval of node " + node);
            }
            read = read.with(node, in.varint(Long.MAX_VALUE));
        }
        return read;
    }
}
