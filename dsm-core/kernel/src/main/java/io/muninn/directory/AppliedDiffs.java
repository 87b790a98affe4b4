package io.muninn.directory;

import io.muninn.model.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Which diffs are in a copy of a page: of each node that stored to it, all up to an interval.
 * Immutable.
 *
 * @param last in order of node; nodes that are not named have sent none
 */
public record AppliedDiffs(List<Last> last) {
    public static final AppliedDiffs EMPTY = new AppliedDiffs(List.of());

    /**
     * @param interval of the node's last diff, counted by the node
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

    /** With a node's diff of that interval; as before if that is no news. */
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
     * As {@link #with}, for many pages one after the other: as long as they begin alike they end
     * with the same object.
     *
     * <p><b>Threads.</b> One.
     */
    public static final class Sharing {
        private AppliedDiffs before = EMPTY;
        private AppliedDiffs after = EMPTY;
        private Last added = new Last(NodeId.ROOT, 0);

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

    /** Without those of a node. */
    public AppliedDiffs without(NodeId node) {
        return new AppliedDiffs(last.stream().filter(each -> !each.node().equals(node)).toList());
    }

    /** True if all that is in the other copy is in this one. */
    public boolean covers(AppliedDiffs other) {
        for (Last each : other.last) {
            if (each.interval() > interval(each.node())) {
                return false;
            }
        }
        return true;
    }
}
