package io.muninn.bench.series;

import java.util.Arrays;

/** Exact medians and percentiles: all times are kept. */
final class Medians {
    private static final int ALL_PERCENT = 100;
    private static final int HALF = 50;

    private Medians() {}

    /** The median of the first so many, which are sorted afterwards. */
    static long of(long[] nanos, int count) {
        Arrays.sort(nanos, 0, count);
        return percentile(nanos, count, HALF);
    }

    /** Of the first so many of sorted times the one that so many percent are below. */
    static long percentile(long[] sorted, int count, int percent) {
        return sorted[(int) ((long) count * percent / ALL_PERCENT)];
    }
}
