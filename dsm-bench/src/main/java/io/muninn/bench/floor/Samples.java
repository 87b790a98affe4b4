package io.muninn.bench.floor;

import java.util.Arrays;

/** Times of one exchange; the first of them are warm-up and forgotten. */
final class Samples {
    private final int warmUp;
    private final long[] nanos;
    private int added;

    Samples(int warmUp, int count) {
        this.warmUp = warmUp;
        nanos = new long[count];
    }

    void add(long sampleNanos) {
        if (added >= warmUp) {
            nanos[added - warmUp] = sampleNanos;
        }
        added++;
    }

    boolean isFull() {
        return added == warmUp + nanos.length;
    }

    /** Name, median, 99th percentile and count, as the floors in C print them. */
    String line(String name) {
        Arrays.sort(nanos);
        long p99 = nanos[(int) ((long) nanos.length * 99 / 100)];
        return name + " " + nanos[nanos.length / 2] + " " + p99 + " " + nanos.length;
    }
}
