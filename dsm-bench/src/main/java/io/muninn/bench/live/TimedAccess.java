package io.muninn.bench.live;

import io.muninn.api.LongArray;

/**
 * Times single loads and stores. These are volatile, so that they are not reordered with the two
 * reads of the clock.
 */
final class TimedAccess {
    /** More calls than the compilation thresholds. */
    private static final int WARM_UP_CALLS = 30_000;

    private TimedAccess() {}

    /** Has both methods compiled, without causing faults. */
    static void warmUp() {
        LongArray plain = LongArray.local(1);
        long sum = 0;
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            sum += store(plain, 0, i) + load(plain, 0, i);
        }
        if (sum < 0) {
            throw new IllegalStateException("the clock runs backwards");
        }
    }

    /** Stores; returns the nanoseconds. */
    static long store(LongArray array, int index, long value) {
        long begin = System.nanoTime();
        array.setVolatile(index, value);
        return System.nanoTime() - begin;
    }

    /**
     * Loads; returns the nanoseconds.
     *
     * @throws IllegalStateException if the value is not {@code expected}
     */
    static long load(LongArray array, int index, long expected) {
        long begin = System.nanoTime();
        long found = array.getVolatile(index);
        long nanos = System.nanoTime() - begin;
        if (found != expected) {
            throw new IllegalStateException(
                    "element " + index + " is " + found + ", not " + expected);
        }
        return nanos;
    }
}
