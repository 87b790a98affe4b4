package io.muninn.sim;

import io.muninn.sim.processor.ProcessorSums;
import io.muninn.sim.processor.ProcessorUse;
import org.jspecify.annotations.Nullable;

/**
 * One processor of a simulated node. Its time is charged to the thread that it runs or ran last,
 * and to no thread while it is idle.
 *
 * <p>Work that interrupts it, {@link #work}, is charged as {@link ProcessorUse#RUNTIME}, or as
 * {@link ProcessorUse#SENDING}, regardless of its use meanwhile.
 */
final class Processor {
    /** The owner of a processor that runs whatever thread is ready. */
    static final int OF_ANY_THREAD = -1;

    /** The owner of a processor that runs no thread. */
    static final int OF_NO_THREAD = -2;

    private final int index;
    private final ProcessorSums ofNoThread;
    private final int owner; // number of the only thread that it runs, or one of the above
    private @Nullable SimThread thread; // its present thread; null if it is free
    private @Nullable SimThread last; // its present or last thread; null before the first
    private ProcessorUse use = ProcessorUse.IDLE;
    private long chargedUntilNanos;
    private long workNanos; // in total, including work that has only begun
    private long workChargedNanos;
    private long sendsNanos; // part of the work that is not charged and that sends take
    private long workBeginNanos; // of the latest period of work without a gap
    private long workUntilNanos;
    private long interruptedUntilNanos;

    /**
     * @param ofNoThread collects the time that is charged to no thread
     * @param owner number of the only thread that it runs; {@link #OF_ANY_THREAD} or {@link
     *     #OF_NO_THREAD}
     */
    Processor(int index, ProcessorSums ofNoThread, int owner) {
        this.index = index;
        this.ofNoThread = ofNoThread;
        this.owner = owner;
    }

    int index() {
        return index;
    }

    /** True while it has no thread. */
    boolean isFree() {
        return thread == null;
    }

    /** True if it runs this thread without a switch, and may run it. */
    boolean isOf(SimThread other) {
        return owner == OF_ANY_THREAD
                ? last == null || last == other
                : owner == other.id().thread();
    }

    boolean isUsedFor(ProcessorUse some) {
        return use == some;
    }

    /** When all work is done that interrupts its thread. */
    long workUntilNanos() {
        return workUntilNanos;
    }

    /** Total time of interrupting work, including work that has only begun. */
    long workNanos() {
        return workNanos;
    }

    /** Gives the processor to a thread, which runs after a switch if another one had it before. */
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

    /** Takes the processor from its thread. */
    void free(ProcessorUse why, long nowNanos) {
        use(why, nowNanos);
        thread = null;
    }

    /** The thread that keeps the processor while it waits for a page; null if there is none. */
    @Nullable SimThread keeper() {
        return use == ProcessorUse.MEMORY_STALL ? thread : null;
    }

    /** True while no thread runs on it. */
    boolean isWaiting() {
        return isFree() || use == ProcessorUse.MEMORY_STALL;
    }

    /** Changes the use of the processor from now on. */
    void use(ProcessorUse next, long nowNanos) {
        charge(nowNanos);
        use = next;
    }

    /**
     * Begins work that interrupts its thread.
     *
     * @param untilNanos when this and all earlier work is done
     */
    void work(long nanos, long untilNanos, long nowNanos) {
        charge(nowNanos);
        if (workUntilNanos <= nowNanos) {
            workBeginNanos = untilNanos - nanos;
        }
        workNanos += nanos;
        workUntilNanos = untilNanos;
    }

    /**
     * Runs a handler, for which its thread stops.
     *
     * @param sendNanos part of the time that sends take
     * @param untilNanos when this and all earlier work is done
     */
    void handle(long nanos, long sendNanos, long untilNanos, long nowNanos) {
        if (nanos == 0) {
            return;
        }
        work(nanos, untilNanos, nowNanos);
        sendsNanos += sendNanos;
        interruptedUntilNanos = untilNanos;
        if (thread != null) {
            thread.interrupted(nanos);
        }
    }

    /** Interrupts its thread for this time, after all earlier interruptions. */
    void interrupt(long nanos, long nowNanos) {
        interruptedUntilNanos = Math.max(nowNanos, workUntilNanos) + nanos;
        work(nanos, interruptedUntilNanos, nowNanos);
        if (thread != null) {
            thread.interrupted(nanos);
        }
    }

    /** How long a thread that is given the processor has to wait for the end of interruptions. */
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
        ProcessorSums sums = charged == null || isIdle ? ofNoThread : charged.sums();
        long sent = Math.min(worked, sendsNanos);
        sendsNanos -= sent;
        sums.charge(ProcessorUse.SENDING, sent);
        sums.charge(ProcessorUse.RUNTIME, worked - sent);
        sums.charge(use, used);
        workChargedNanos += worked;
        chargedUntilNanos = nowNanos;
    }
}
