package io.muninn.directory;

import io.muninn.model.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * The diffs contained in a copy of a page: for each node that has stored to it, all diffs up to an
 * interval. Immutable.
 *
 * @param last in node order; nodes that are not listed have sent none
 */
public record AppliedDiffs(List<Last> last) {
    public static final AppliedDiffs EMPTY = new AppliedDiffs(List.of());

    /**
     * @param interval interval of the node's last diff, counted by that node
     */
    public record Last(NodeId node, long interval) {}

    public AppliedDiffs {
        last = List.copyOf(last);
    }

    /** The interval of a node's last diff; 0 if there is none. */
    public long interval(NodeId node) {
        for (Last each : last) {
            if (each.node().equals(node)) {
                return each.interval();
            }
        }
        return 0;
    }

    /** Adds a node's diff of that interval; returns this object if it is already contained. */
    public AppliedDiffs with(NodeId node, long interval) {
        if (interval <= interval(node)) {
            return this;
        }
        List<Last> more = new ArrayList<>(last.size() + 1);
        for (Last each : last) {
            if (each.node().index() < node.index()) {
                more.add(each);
            }
        }
        more.add(new Last(node, interval));
        for (Last each : last) {
            if (each.node().index() > node.index()) {
                more.add(each);
            }
        }
        return new AppliedDiffs(more);
    }

    /**
     * Applies {@link #with} or {@link #join} to many pages in turn: while their values are equal
     * before, they share one result.
     *
     * <p><b>Threads.</b> One.
     */
    public static final class Sharing {
        private AppliedDiffs before = EMPTY;
        private AppliedDiffs after = EMPTY;
        private Last added = new Last(NodeId.ROOT, 0);

        private AppliedDiffs one = EMPTY;
        private AppliedDiffs other = EMPTY;
        private AppliedDiffs joined = EMPTY;

        /** {@code diffs.join(more)}. */
        public AppliedDiffs join(AppliedDiffs diffs, AppliedDiffs more) {
            if (!diffs.equals(one) || !more.equals(other)) {
                joined = diffs.join(more);
                one = diffs;
                other = more;
            }
            return joined;
        }

        /** {@code diffs.with(node, interval)}. */
        public AppliedDiffs with(AppliedDiffs diffs, NodeId node, long interval) {
            if (diffs != before || added.interval() != interval || !added.node().equals(node)) {
                added = new Last(node, interval);
                before = diffs;
                after = diffs.with(node, interval);
            }
            return after;
        }
    }

    /** Contains the diffs of both. */
    public AppliedDiffs join(AppliedDiffs other) {
        AppliedDiffs joined = this;
        for (Last each : other.last) {
            joined = joined.with(each.node(), each.interval());
        }
        return joined;
    }

    /** Removes the diffs of a node. */
    public AppliedDiffs without(NodeId node) {
        return new AppliedDiffs(last.stream().filter(each -> !each.node().equals(node)).toList());
    }

    /** True if this copy contains every diff of the other. */
    public boolean covers(AppliedDiffs other) {
        for (Last each : other.last) {
            if (each.interval() > interval(each.node())) {
                return false;
            }
        }
        return true;
    }
}
