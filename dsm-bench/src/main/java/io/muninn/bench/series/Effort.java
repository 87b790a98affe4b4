package io.muninn.bench.series;

/**
 * The amount of measurement.
 *
 * @param samples samples of an operation that takes microseconds
 * @param warmUpNanos longest warm-up of an operation
 */
public record Effort(int samples, long warmUpNanos) {
    /** A batch of the warm-up is the number of samples divided by this. */
    private static final int BATCHES_OF_SAMPLES = 10;

    /**
     * Makes at least eight times as many repetitions as samples: agents compile code at the highest
     * level after some thousand calls, and the compilation takes time.
     */
    private static final int BATCHES_MIN = 80;

    /** For few repetitions, or repetitions of many operations. */
    private static final int FEW_BATCHES_MIN = 36;

    /** For operations that use up memory. */
    private static final int LEAST_BATCHES_MIN = 12;

    private static final int BATCHES_MAX = 1000;

    /** A series for an operation that takes microseconds. */
    public Series series(String name) {
        return firstSeries(name, samples);
    }

    /**
     * A series for the first of several slower operations that run the same code. Its warm-up is
     * long, since it warms up the code for all of them.
     */
    public Series firstSeries(String name, int count) {
        return series(name, count, batch(samples), BATCHES_MIN);
    }

    /** A series for another slower operation, with a shorter warm-up. */
    public Series series(String name, int count) {
        return series(name, count, batch(count), FEW_BATCHES_MIN);
    }

    private static int batch(int count) {
        return Math.max(1, count / BATCHES_OF_SAMPLES);
    }

    private Series series(String name, int count, int batch, int batchesMin) {
        return new Series(
                name,
                count,
                new Settling.Bounds(batch, batchesMin, BATCHES_MAX * batch, warmUpNanos));
    }

    /**
     * A series for an operation that uses up memory: its warm-up has at most {@code count}
     * operations.
     */
    public Series shortSeries(String name, int count) {
        int batch = Math.max(1, count / (2 * LEAST_BATCHES_MIN));
        return new Series(
                name, count, new Settling.Bounds(batch, LEAST_BATCHES_MIN, count, warmUpNanos));
    }
}
