package io.muninn.spi;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;

/** What a protocol may know of its node. Reads are of the present step. */
public interface Context {
    NodeId self();

    int nodes();

    /**
     * True if a thread of this node may be using a page that it has faulted at: false only while
     * every thread waits for an answer to a call. A thread that waits has used its pages.
     */
    boolean hasRunningThreads();

    /** Time of the event being stepped, in nanoseconds from any origin. */
    long nowNanos();

    /** The intervals of this node and what it knows of those of others. */
    LogicalClock clock();

    /** A page just obtained is not surrendered for this long: more than a thread's wake-up. */
    long holdNanos();

    /** How updates travel, and how long an unused copy is kept. */
    UpdateRules updates();

    /** When a page keeps its twin. */
    AdaptiveTwinRules twins();

    /**
     * True once a node is lost: nothing is asked of others any more, and what is not here cannot be
     * had.
     */
    boolean isRunOver();

    /** True if overlapping stores of several nodes are to be reported. */
    default boolean checksRaces() {
        return false;
    }

    /** The region of a page, for messages to people. */
    RegionSpec region(PageId page);
}
