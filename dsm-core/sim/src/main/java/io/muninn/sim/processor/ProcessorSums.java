package io.muninn.sim.processor;

/** The time charged to a thread so far, or to no thread, see {@link ProcessorTimes}. */
public final class ProcessorSums {
    private final long[] nanos = new long[ProcessorUse.values().length];
    private final long[] stalls = new long[ProcessorUse.values().length];
    private final long[] latencyNanos = new long[ProcessorUse.values().length];
    private final long[] waitNanos = new long[ProcessorUse.values().length];
    private long switches;
    private long runs;
    private long awayNanos;
    private long awaySinceNanos;

    public void charge(ProcessorUse use, long amount) {
        nanos[use.ordinal()] += amount;
    }

    public void countSwitch() {
        switches++;
    }

    public void countRun() {
        runs++;
    }

    /**
     * Counts a stall that has ended.
     *
     * @param othersNanos the part in which other threads had not let this one go on
     */
    public void countStall(ProcessorUse why, long lastedNanos, long othersNanos) {
        stalls[why.ordinal()]++;
        latencyNanos[why.ordinal()] += lastedNanos;
        waitNanos[why.ordinal()] += othersNanos;
    }

    /** Another thread is given the processor on which this one ran last. */
    public void leave(long nowNanos) {
        awaySinceNanos = nowNanos;
    }

    /** The thread is given a processor, for the first time or after {@link #leave}. */
    public void comeBack(long nowNanos) {
        awayNanos += nowNanos - awaySinceNanos;
    }

    public ProcessorTimes times() {
        return new ProcessorTimes(
                ProcessorTimes.each(use -> nanos[use.ordinal()]),
                ProcessorTimes.each(use -> stalls[use.ordinal()]),
                ProcessorTimes.each(use -> latencyNanos[use.ordinal()]),
                ProcessorTimes.each(use -> waitNanos[use.ordinal()]),
                switches,
                runs,
                awayNanos);
    }
}
