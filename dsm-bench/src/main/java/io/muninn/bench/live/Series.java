package io.muninn.bench.live;

import java.util.Arrays;

/**
 * Times of one operation, as many as were asked for. What comes first, a tenth as many more, is
 * warm-up and forgotten.
 *
 * <p><b>Threads.</b> Of one thread.
 */
final class Series {
    private static final int WARM_UP_SHARE = 10;

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
        this.name = name;
        warmUp = samples / WARM_UP_SHARE;
        nanos = new long[samples];
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
