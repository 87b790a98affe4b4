package io.muninn.bench.series;

import java.util.Arrays;

/**
 * Times of one operation: at first those of its {@linkplain Settling warm-up}, which are forgotten;
 * then, from {@link #begin} on, as many as were asked for.
 *
 * <p><b>Threads.</b> Of one thread.
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

    /** How many are asked for. */
    public int samples() {
        return nanos.length;
    }

    /** To a batch of the warm-up. */
    public int batchOperations() {
        return warmUp.batchOperations();
    }

    /** Takes a time; nothing once there are enough. */
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

    /** Ends the warm-up: what is added from now on counts. */
    public void begin() {
        begun = true;
    }

    public boolean hasBegun() {
        return begun;
    }

    public boolean isFull() {
        return begun && added == nanos.length;
    }

    /** Whether so many batches, of the warm-up's length, count so far; not at their beginning. */
    public boolean isBetweenBatches() {
        return added > 0 && added % batchOperations() == 0;
    }

    /** True in the second half of what counts. */
    public boolean isLate() {
        return begun && added >= nanos.length / 2;
    }

    /** What the measuring node sent, per sample, warm-up included. */
    public void sent(double messagesEach, double bytesEach) {
        messages = messagesEach;
        bytes = bytesEach;
    }

    /**
     * The series so far.
     *
     * @throws IllegalStateException if there is none after the warm-up
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
