package io.muninn.api.service;

import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.api.Verdict;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ApplicationThread;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A node's link to its kernel: the requests of the node's session and of its threads' services.
 *
 * <p><b>Errors.</b> As for {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface KernelLink {
    NodeShape shape();

    LockLink locks();

    MessageLink messages();

    ObjectLink objects();

    RemoteLink remotes();

    /**
     * Makes the calling thread application thread {@code thread}, unless it is one already.
     *
     * @throws IllegalStateException if it cannot be one
     */
    void bind(int thread);

    /**
     * Returns a barrier of the program, for one of its threads.
     *
     * @param thread the application thread that arrives
     * @param parties 1 to the application threads of the cluster
     * @throws IllegalArgumentException if the barrier is in use with another number of parties
     */
    BarrierLink barrier(int thread, BarrierId barrier, int parties);

    /** Waits until this node sees the stores of the threads of all other nodes. */
    void refresh();

    /** Charges units of computation where time is simulated. */
    void work(long units);

    Statistics statistics();

    // ---- memory ----

    /**
     * A region's memory; see {@link io.muninn.api.spi.DsmSession#segment}. Called once per region.
     */
    MemorySegment segment(RegionSpec region);

    /** The guard of a region's views; see {@link io.muninn.api.spi.DsmSession#guard}. */
    default Optional<AccessGuard> guard(RegionSpec region) {
        return Optional.empty();
    }

    /**
     * Notifies the kernel that the program is about to use pages. Returns at once; does nothing in
     * a thread that has no link to the kernel.
     *
     * @param count of pages of one region, at least 1
     */
    void prefetch(PageId first, int count, Mode mode);

    /**
     * Passes advice to the kernel about the readers of pages to which this node stores. Returns at
     * once; does nothing in a thread that has no link to the kernel.
     *
     * @param count of pages of one region, at least 1, whose protocol has readers
     */
    void advise(PageId first, int count, PageAdvice advice);

    /** The home of a page, as this node knows it. */
    default NodeId home(RegionSpec region, int page) {
        return region.homeOf(page, shape().nodes());
    }

    /**
     * Returns the region of an allocation with the run's overrides, without adding it.
     *
     * @param protocol which the run may override
     */
    default RegionSpec next(
            GrowingLayout layout, String name, ViewSpec spec, Protocol protocol, Home home) {
        return layout.next(name, spec, protocol, home);
    }

    /**
     * Adds a region at the end of the layout.
     *
     * @throws IllegalArgumentException if its memory cannot be mapped
     */
    void addRegion(GrowingLayout layout, RegionSpec region);

    /**
     * Waits until all application threads of the cluster have made the same allocation.
     *
     * @param ordinal number of allocations before this one
     * @param type text of the variable's shape
     */
    void meetToAllocate(int ordinal, String name, String type, Protocol protocol, Home home);

    // ---- the run ----

    /** As {@link io.muninn.api.spi.DsmSession#start}. */
    default ApplicationThread start(int thread, Runnable body) {
        return ApplicationThread.ofPlatform(thread, body);
    }

    /** As {@link io.muninn.api.spi.DsmSession#nowNanos}. */
    default long nowNanos() {
        return System.nanoTime();
    }

    /** Seals the variables that the root has initialized and waits for all nodes. */
    void initialized();

    /** Waits until the parallel part of all application threads has ended. */
    void threadEnds();

    /** Waits until all nodes that joined by themselves have finished. */
    void finished();

    /**
     * As {@link io.muninn.api.spi.DsmSession#close}.
     *
     * @param seconds duration of the parallel part
     */
    void close(Verdict verdict, double seconds);

    /** As {@link io.muninn.api.spi.DsmSession#failed}. */
    void failed(Throwable cause);
}
