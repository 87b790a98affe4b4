package io.muninn.sim;

/** What has been charged so far, see {@link ProcessorTimes}. */
final class ProcessorSums {
    private final long[] nanos = new long[ProcessorUse.values().length];
    private long switches;
    private long runs;
    private long stalls;
    private long stalledNanos;

    void charge(ProcessorUse use, long amount) {
        nanos[use.ordinal()] += amount;
    }

    void countSwitch() {
        switches++;
    }

    void countRun() {
        runs++;
    }

    void countStall() {
        stalls++;
    }

    void endStall(long lastedNanos) {
        stalledNanos += lastedNanos;
    }

    ProcessorTimes times() {
        return new ProcessorTimes(
                ProcessorTimes.each(use -> nanos[use.ordinal()]),
                switches,
                runs,
                stalls,
                stalledNanos);
    }
}
