package io.muninn.spi;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;

/** A protocol's view of its node. Values are those of the current step. */
public interface Context {
    NodeId self();

    int nodes();

    /** The application threads of a node. */
    default NodeThreads threads() {
        return new NodeThreads(1, 1);
    }

    /** The home of a page at the start of a run: the node of the process that the program names. */
    default NodeId homeOf(PageId page) {
        return region(page).homeOf(page.index(), nodes(), threads());
    }

    /** Which nodes share a host. All do until {@link Event.HostsMet} says otherwise. */
    default Hosts hosts() {
        return Hosts.one(nodes());
    }

    /**
     * True if a thread of this node may be using a page at which it has faulted: false only while
     * every thread waits for the reply to a call. A thread that waits has used its pages.
     */
    boolean hasRunningThreads();

    /** Time of the event being stepped, in nanoseconds from any origin. */
    long nowNanos();

    /** The intervals of this node and its knowledge of those of others. */
    LogicalClock clock();

    /** A page just obtained is not surrendered for this long: more than a thread's wake-up. */
    long holdNanos();

    /** How updates are sent, and how long an unused copy is kept. */
    UpdateRules updates();

    /** When a page keeps its twin. */
    AdaptiveTwinRules twins();

    /**
     * True once a node is lost: nothing is requested from other nodes, and absent pages cannot be
     * obtained.
     */
    boolean isRunOver();

    /** True if overlapping stores of several nodes must be reported. */
    default boolean checksRaces() {
        return false;
    }

    /** The region of a page, for messages. */
    RegionSpec region(PageId page);
}
