package io.muninn.bench.series;

import java.util.Arrays;

/**
 * Times of one operation. Times of its {@linkplain Settling warm-up} are discarded. From {@link
 * #begin} on, the requested number of samples is stored.
 *
 * <p><b>Threads.</b> One.
 */
public final class Series {
    private static final int P99 = 99;

    private final String name;
    private final Settling warmUp;
    private final long[] nanos;
    private boolean begun;
    private int added;
    private double messages;
    private double bytes;

    /**
     * @param samples at least 1
     */
    public Series(String name, int samples, Settling.Bounds warmUp) {
        this.name = name;
        this.warmUp = new Settling(warmUp, System::nanoTime);
        nanos = new long[samples];
    }

    /** The requested number of samples. */
    public int samples() {
        return nanos.length;
    }

    /** Operations in a batch of the warm-up. */
    public int batchOperations() {
        return warmUp.batchOperations();
    }

    /** Adds a time in nanoseconds; ignores it if the series is full. */
    public void add(long sampleNanos) {
        if (!begun) {
            warmUp.add(sampleNanos);
        } else if (!isFull()) {
            nanos[added] = sampleNanos;
            added++;
        }
    }

    /** Whether the warm-up may end. */
    public boolean isWarm() {
        return warmUp.isOver();
    }

    /** Ends the warm-up: times added from now on are samples. */
    public void begin() {
        begun = true;
    }

    public boolean hasBegun() {
        return begun;
    }

    public boolean isFull() {
        return begun && added == nanos.length;
    }

    /** Whether the number of samples so far is a positive multiple of the batch size. */
    public boolean isBetweenBatches() {
        return added > 0 && added % batchOperations() == 0;
    }

    /** Whether at least half of the samples have been added. */
    public boolean isLate() {
        return begun && added >= nanos.length / 2;
    }

    /** Sets the messages and bytes that the measuring node sent per sample, including warm-up. */
    public void sent(double messagesEach, double bytesEach) {
        messages = messagesEach;
        bytes = bytesEach;
    }

    /**
     * The result of the samples so far.
     *
     * @throws IllegalStateException if there is no sample
     */
    public Measured measured() {
        if (added < 1) {
            throw new IllegalStateException(name + " has no sample");
        }
        long[] sorted = Arrays.copyOf(nanos, added);
        long median = Medians.of(sorted, added);
        return new Measured(
                name,
                median,
                Medians.percentile(sorted, added, P99),
                added,
                messages,
                bytes,
                Measured.Cpu.UNKNOWN,
                warmUp.result());
    }
}
