package io.muninn.bench.series;

import java.util.Arrays;

/** Exact medians and percentiles of arrays of times. */
final class Medians {
    private static final int ALL_PERCENT = 100;
    private static final int HALF = 50;

    private Medians() {}

    /** The median of the first {@code count} elements. Sorts them. */
    static long of(long[] nanos, int count) {
        Arrays.sort(nanos, 0, count);
        return percentile(nanos, count, HALF);
    }

    /** A percentile of the first {@code count} elements, which must be sorted. */
    static long percentile(long[] sorted, int count, int percent) {
        return sorted[(int) ((long) count * percent / ALL_PERCENT)];
    }
}
