package io.muninn.bench.live;

import io.muninn.api.LongArray;

/**
 * Single loads and stores, timed. They are volatile, so that they stay between the two looks at the
 * clock.
 */
final class TimedAccess {
    /** More than any compiler waits for. */
    private static final int WARM_UP_CALLS = 30_000;

    private TimedAccess() {}

    /** Has both compiled, without a fault. */
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

    /** Nanoseconds of a store. */
    static long store(LongArray array, int index, long value) {
        long begin = System.nanoTime();
        array.setVolatile(index, value);
        return System.nanoTime() - begin;
    }

    /**
     * Nanoseconds of a load.
     *
     * @throws IllegalStateException if it does not find what it should
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
