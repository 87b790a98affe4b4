package io.muninn.api.service;

import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.api.Verdict;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ApplicationThread;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewSpec;
import io.muninn.model.BarrierId;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * One node's link to its kernel: what the node's session and the services of its threads ask of it.
 *
 * <p><b>Errors.</b> As of {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface KernelLink {
    NodeShape shape();

    LockLink locks();

    MessageLink messages();

    ObjectLink objects();

    /**
     * Makes the calling thread application thread {@code thread}, unless it is one already.
     *
     * @throws IllegalStateException if it cannot be one
     */
    void bind(int thread);

    /**
     * A barrier of the program.
     *
     * @param thread the application thread that arrives
     * @param parties 1 to the application threads of the cluster
     * @throws IllegalArgumentException if the barrier is known to be for another number
     */
    BarrierLink barrier(int thread, BarrierId barrier, int parties);

    /** Charges units of computation where time is simulated. */
    void work(long units);

    Statistics statistics();

    // ---- memory ----

    /** A region's bytes; see {@link io.muninn.api.spi.DsmSession#segment}. Called once for each. */
    MemorySegment segment(RegionSpec region);

    /** What guards the views of a region; see {@link io.muninn.api.spi.DsmSession#guard}. */
    default Optional<AccessGuard> guard(RegionSpec region) {
        return Optional.empty();
    }

    /**
     * The region that an allocation adds, as the run has it; it is not added yet.
     *
     * @param protocol which the run may override
     */
    default RegionSpec next(GrowingLayout layout, String name, ViewSpec spec, Protocol protocol) {
        return layout.next(name, spec, protocol);
    }

    /**
     * Adds a region behind those of the layout.
     *
     * @throws IllegalArgumentException if there is no memory for it
     */
    void addRegion(GrowingLayout layout, RegionSpec region);

    /**
     * Meets all application threads, which allocate the same.
     *
     * @param ordinal allocations before this one
     * @param type the variable's shape in words
     */
    void meetToAllocate(int ordinal, String name, String type, Protocol protocol);

    // ---- the run ----

    /** As {@link io.muninn.api.spi.DsmSession#start}. */
    default ApplicationThread start(int thread, Runnable body) {
        return ApplicationThread.ofPlatform(thread, body);
    }

    /** As {@link io.muninn.api.spi.DsmSession#nowNanos}. */
    default long nowNanos() {
        return System.nanoTime();
    }

    /** Seals what the root has initialized, and meets all nodes. */
    void initialized();

    /** Meets all application threads, whose parallel part has ended. */
    void threadEnds();

    /** Meets all nodes that joined by themselves. */
    void finished();

    /**
     * As {@link io.muninn.api.spi.DsmSession#close}.
     *
     * @param seconds that the parallel part took
     */
    void close(Verdict verdict, double seconds);

    /** As {@link io.muninn.api.spi.DsmSession#failed}. */
    void failed(Throwable cause);
}
