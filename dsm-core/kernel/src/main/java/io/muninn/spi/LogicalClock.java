package io.muninn.spi;

import io.muninn.model.NodeId;

/**
 * The logical clock of a node: its present interval, and two vector timestamps of the intervals of
 * all nodes. {@link #have} covers those whose cargo this node holds; {@link #seen} covers those
 * that an acquire has acted on. Cargo that arrives ahead of its acquire advances {@code have} only,
 * so an interval's timestamp is taken from {@code seen}.
 *
 * <p>An interval ends with the release that follows a store, and before an acquire that has
 * something new. It is covered by {@code seen}, and so by what leaves the node, when a release that
 * began in it or later is performed.
 *
 * <p>The kernel advances the clock; protocols read it, and say that something was stored.
 */
public final class LogicalClock {
    private final NodeId self;
    private VectorTimestamp have;
    private VectorTimestamp seen;
    private long present = 1;
    private boolean hasStores;

    public LogicalClock(NodeId self, int nodes) {
        this.self = self;
        this.have = VectorTimestamp.zero(nodes);
        this.seen = have;
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

    /** Covers the intervals that happened before what this node does next. */
    public VectorTimestamp seen() {
        return seen;
    }

    /** Something was stored in the present interval. */
    public void stored() {
        hasStores = true;
    }

    /** Ends the present interval if something was stored in it. */
    public void endInterval() {
        if (hasStores) {
            hasStores = false;
            have = have.with(self, present);
            present++;
        }
    }

    /** A release that began in an interval is performed: what leaves covers it, if it has ended. */
    public void onReleasePerformed(long interval) {
        long ended = Math.min(interval, have.of(self));
        if (!seen.covers(self, ended)) {
            seen = seen.with(self, ended);
        }
    }

    /** The cargo of these intervals is here. */
    public void onDeposited(VectorTimestamp timestamp) {
        have = have.join(timestamp);
    }

    /** An acquire of these intervals is performed. */
    public void onAcquirePerformed(VectorTimestamp timestamp) {
        seen = seen.join(timestamp);
    }
}
