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
 * <p>Source: Keleher, Cox, Dwarkadas, Zwaenepoel, TreadMarks, 1994, section 2.2.
 */
public final class VectorTimestamp {
    private final long[] intervals; // by node

    private VectorTimestamp(long[] intervals) {
        this.intervals = intervals;
    }

    /** Covers no interval of any node. */
    public static VectorTimestamp zero(int nodes) {
        return new VectorTimestamp(new long[nodes]);
    }

    public int nodes() {
        return intervals.length;
    }

    /** The last interval of a node that is covered; 0 if none is. */
    public long of(NodeId node) {
        return intervals[node.index()];
    }

    public boolean covers(NodeId node, long interval) {
        return interval <= of(node);
    }

    /** True if every interval that the other covers is covered. Both are of one cluster. */
    public boolean covers(VectorTimestamp other) {
        for (int i = 0; i < intervals.length; i++) {
            if (other.intervals[i] > intervals[i]) {
                return false;
            }
        }
        return true;
    }

    /** The same with another last interval of one node. */
    public VectorTimestamp with(NodeId node, long interval) {
        long[] changed = intervals.clone();
        changed[node.index()] = interval;
        return new VectorTimestamp(changed);
    }

    /**
     * Number of covered intervals. It is greater than the count of the timestamp of any covered
     * interval.
     */
    public long count() {
        long count = 0;
        for (long interval : intervals) {
            count += interval;
        }
        return count;
    }

    /** Covers the intervals that this or the other covers. Both are of one cluster. */
    public VectorTimestamp join(VectorTimestamp other) {
        if (covers(other)) {
            return this;
        }
        long[] joined = intervals.clone();
        for (int i = 0; i < joined.length; i++) {
            joined[i] = Math.max(joined[i], other.intervals[i]);
        }
        return new VectorTimestamp(joined);
    }

    /** Nodes u8, then a varint for each. */
    public void encode(WireWriter out) {
        out.u8(intervals.length);
        for (long interval : intervals) {
            out.varint(interval);
        }
    }

    /**
     * @throws MalformedMessageException if the bytes are no timestamp of a cluster
     */
    public static VectorTimestamp decode(WireReader in) {
        int nodes = in.u8();
        if (nodes < 1 || nodes > NodeId.NODES_MAX) {
            throw new MalformedMessageException("a timestamp of " + nodes + " nodes");
        }
        long[] intervals = new long[nodes];
        for (int i = 0; i < nodes; i++) {
            intervals[i] = in.varint(Long.MAX_VALUE);
        }
        return new VectorTimestamp(intervals);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VectorTimestamp timestamp
                && Arrays.equals(timestamp.intervals, intervals);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(intervals);
    }

    @Override
    public String toString() {
        return Arrays.toString(intervals);
    }
}
