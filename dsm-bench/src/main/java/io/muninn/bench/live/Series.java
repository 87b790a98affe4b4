package io.muninn.bench.live;

import java.util.Arrays;

/**
 * Times of one operation, as many as were asked for. What comes first, at least a tenth as many
 * more, is warm-up and forgotten.
 *
 * <p><b>Threads.</b> Of one thread.
 */
final class Series {
    private static final int WARM_UP_SHARE = 10;

    /**
     * Of operations that take microseconds. Agents compile for good what they have run some
     * thousand times, and on one processor the compilers of four take seconds for that.
     */
    private static final int LONG_WARM_UP_FACTOR = 8;

    private final String name;
    private final int warmUp;
    private final long[] nanos;
    private int added;
    private double messages;
    private double bytes;

    /**
     * @param samples at least 1
     */
    Series(String name, int samples) {
        this(name, samples, samples / WARM_UP_SHARE);
    }

    private Series(String name, int samples, int warmUp) {
        this.name = name;
        this.warmUp = warmUp;
        nanos = new long[samples];
    }

    /** Of an operation that takes microseconds: with a long warm-up. */
    static Series ofShort(String name, int samples) {
        return new Series(name, samples, warmUp(samples));
    }

    /** How many are forgotten of so many samples of a short operation. */
    static int warmUp(int samples) {
        return LONG_WARM_UP_FACTOR * samples;
    }

    /** Takes a sample; nothing once there are enough. */
    void add(long sampleNanos) {
        if (!isFull()) {
            if (added >= warmUp) {
                nanos[added - warmUp] = sampleNanos;
            }
            added++;
        }
    }

    boolean isFull() {
        return added == warmUp + nanos.length;
    }

    /** True in its second half: processes of all nodes have compiled by then what they run. */
    boolean isLate() {
        return added >= warmUp + nanos.length / 2;
    }

    /** What the measuring node sent, per sample, warm-up included. */
    void sent(double messagesEach, double bytesEach) {
        messages = messagesEach;
        bytes = bytesEach;
    }

    /**
     * The series so far.
     *
     * @throws IllegalStateException if there is none after the warm-up
     */
    Measured measured() {
        int count = added - warmUp;
        if (count < 1) {
            throw new IllegalStateException(name + " has no sample");
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return new Measured(
                name,
                sorted[count / 2],
                sorted[(int) ((long) count * 99 / 100)],
                count,
                messages,
                bytes);
    }
}
