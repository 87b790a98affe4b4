package io.muninn.sim;

import io.muninn.sim.processor.ProcessorSums;
import io.muninn.sim.processor.ProcessorUse;
import org.jspecify.annotations.Nullable;

/**
 * One processor of a pretended node. It charges its time as it passes: to the thread that it runs,
 * or ran last, and to no thread while it is idle.
 *
 * <p>Work that interrupts it, {@link #work}, is charged as {@link ProcessorUse#RUNTIME}, whatever
 * it is used for meanwhile.
 */
final class Processor {
    private final int index;
    private final ProcessorSums ofNoThread;
    private @Nullable SimThread thread; // that has it; null while none does
    private @Nullable SimThread last; // that has it or had it last; null before the first
    private ProcessorUse use = ProcessorUse.IDLE;
    private long chargedUntilNanos;
    private long workNanos; // begun so far
    private long workChargedNanos;
    private long workBeginNanos; // of the latest work without a gap
    private long workUntilNanos;
    private long interruptedUntilNanos;

    /**
     * @param ofNoThread is charged with what is charged to no thread
     */
    Processor(int index, ProcessorSums ofNoThread) {
        this.index = index;
        this.ofNoThread = ofNoThread;
    }

    int index() {
        return index;
    }

    /** True while no thread has it. */
    boolean isFree() {
        return thread == null;
    }

    /** True if no other thread has had it since this one, or before it. */
    boolean isOf(SimThread other) {
        return last == null || last == other;
    }

    /** How long it has worked for others than its threads, begun work included. */
    long workNanos() {
        return workNanos;
    }

    /** A thread has it now, and runs after a switch if another one had it before. */
    void give(SimThread next, long nowNanos) {
        use(isOf(next) ? ProcessorUse.BUSY : ProcessorUse.SWITCHING, nowNanos);
        if (last != next) {
            if (last != null) {
                last.sums().leave(nowNanos);
            }
            next.sums().comeBack(nowNanos);
        }
        thread = next;
        last = next;
    }

    /** No thread has it from now on. */
    void free(ProcessorUse why, long nowNanos) {
        use(why, nowNanos);
        thread = null;
    }

    /** The thread that has it and stands at a page; null if there is none. */
    @Nullable SimThread keeper() {
        return use == ProcessorUse.MEMORY_STALL ? thread : null;
    }

    /** True while no thread runs on it. */
    boolean isWaiting() {
        return isFree() || use == ProcessorUse.MEMORY_STALL;
    }

    /** It is used for something else from now on. */
    void use(ProcessorUse next, long nowNanos) {
        charge(nowNanos);
        use = next;
    }

    /**
     * Something else than its threads is worked for.
     *
     * @param untilNanos when that is done, all earlier work included
     */
    void work(long nanos, long untilNanos, long nowNanos) {
        charge(nowNanos);
        if (workUntilNanos <= nowNanos) {
            workBeginNanos = untilNanos - nanos;
        }
        workNanos += nanos;
        workUntilNanos = untilNanos;
    }

    /** A thread is interrupted for so long, after interruptions before. */
    void interrupt(long nanos, long nowNanos) {
        interruptedUntilNanos = Math.max(nowNanos, workUntilNanos) + nanos;
        work(nanos, interruptedUntilNanos, nowNanos);
        if (thread != null) {
            thread.interrupted(nanos);
        }
    }

    /** How long a thread that gets it has to wait for interruptions that are not over. */
    long interruptedNanos(long nowNanos) {
        return Math.max(0, interruptedUntilNanos - nowNanos);
    }

    /** Charges the time until now. */
    void charge(long nowNanos) {
        long left = Math.max(0, workUntilNanos - Math.max(nowNanos, workBeginNanos));
        long worked = Math.max(0, workNanos - left - workChargedNanos);
        long used = nowNanos - chargedUntilNanos - worked;
        SimThread charged = last;
        boolean isIdle = charged == null || use == ProcessorUse.IDLE;
        ProcessorSums sums = isIdle ? ofNoThread : charged.sums();
        sums.charge(ProcessorUse.RUNTIME, worked);
        sums.charge(use, used);
        workChargedNanos += worked;
        chargedUntilNanos = nowNanos;
    }
}
