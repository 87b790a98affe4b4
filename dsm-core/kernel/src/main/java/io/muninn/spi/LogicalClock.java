package io.muninn.spi;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import java.util.Arrays;
import java.util.List;

/**
 * The logical clock of a node: its current interval, and two vector timestamps of the intervals of
 * all nodes. {@link #have} covers those whose cargo this node holds; {@link #seen} covers those
 * that an acquire has processed. Cargo that arrives before its acquire advances {@code have} only,
 * so an interval's timestamp is taken from {@code seen}.
 *
 * <p>An interval ends with the release that follows a store, and before an acquire of something
 * new. It is covered by {@code seen}, and so by outgoing messages, when a release that began in it
 * or later is performed.
 *
 * <p>On a node with several processes, each has a <em>view</em>: it covers the intervals that an
 * acquire of this process has processed. {@link #seen} covers all views.
 *
 * <p>The kernel advances the clock; protocols read it, and report stores.
 */
public final class LogicalClock {
    private final NodeId self;
    private VectorTimestamp have;
    private VectorTimestamp seen;
    private final VectorTimestamp[] views; // by process, if there are several
    private long present = 1;
    private boolean hasStores;

    /** The clock of a node with one process. */
    public LogicalClock(NodeId self, int nodes) {
        this(self, nodes, 1);
    }

    public LogicalClock(NodeId self, int nodes, int processes) {
        this.self = self;
        this.have = VectorTimestamp.zero(nodes);
        this.seen = have;
        this.views = new VectorTimestamp[processes > 1 ? processes : 0];
        Arrays.fill(views, have);
    }

    /** The number of the interval that has not ended; the first is 1. */
    public long interval() {
        return present;
    }

    /** The timestamp of the interval that has not ended. */
    public VectorTimestamp timestamp() {
        return seen.with(self, present);
    }

    /** Covers the intervals whose cargo this node holds. */
    public VectorTimestamp have() {
        return have;
    }

    /** Covers the intervals that happened before the next actions of this node. */
    public VectorTimestamp seen() {
        return seen;
    }

    /**
     * Covers the intervals that happened before the next actions of a process. {@link
     * MappingId#ALL} stands for those of any process, which is {@link #seen}. On a node with
     * several processes, the view of each covers all intervals of the node: they see the stores of
     * one another in memory.
     */
    public VectorTimestamp view(MappingId process) {
        return views.length == 0 || process.equals(MappingId.ALL)
                ? seen
                : views[process.index()].with(self, have.of(self));
    }

    /** The part of a timestamp that is about the intervals of other nodes. */
    public VectorTimestamp ofOthers(VectorTimestamp timestamp) {
        return timestamp.with(self, 0);
    }

    /** Records a store in the current interval. */
    public void stored() {
        hasStores = true;
    }

    /** Ends the current interval if it contains a store. */
    public void endInterval() {
        if (hasStores) {
            hasStores = false;
            have = have.with(self, present);
            present++;
        }
    }

    /**
     * Records that a release is performed that began in an interval. Outgoing messages cover the
     * interval, if it has ended.
     */
    public void onReleasePerformed(long interval) {
        long ended = Math.min(interval, have.of(self));
        if (!seen.covers(self, ended)) {
            seen = seen.with(self, ended);
        }
    }

    /** Records that the cargo of these intervals is present. */
    public void onDeposited(VectorTimestamp timestamp) {
        have = have.join(timestamp);
    }

    /** Records that an acquire of these intervals is performed, for every process. */
    public void onAcquirePerformed(VectorTimestamp timestamp) {
        seen = seen.join(timestamp);
        for (int i = 0; i < views.length; i++) {
            views[i] = views[i].join(timestamp);
        }
    }

    /** As {@link #onAcquirePerformed(VectorTimestamp)}, for some processes. */
    public void onAcquirePerformed(VectorTimestamp timestamp, List<MappingId> processes) {
        seen = seen.join(timestamp);
        if (views.length > 0) {
            for (MappingId process : processes) {
                views[process.index()] = views[process.index()].join(timestamp);
            }
        }
    }
}
