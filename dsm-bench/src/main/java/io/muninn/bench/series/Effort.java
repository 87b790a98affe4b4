package io.muninn.bench.series;

/**
 * How much is measured.
 *
 * @param samples of an operation that takes microseconds
 * @param warmUpNanos longest warm-up of an operation
 */
public record Effort(int samples, long warmUpNanos) {
    /** Of what is kept, so much is a batch of the warm-up. */
    private static final int BATCHES_OF_SAMPLES = 10;

    /**
     * Repetitions are eight times the samples at least: agents compile for good what they have run
     * some thousand times, and take their time for it.
     */
    private static final int BATCHES_MIN = 80;

    /** Where repetitions are few, or each has many operations. */
    private static final int FEW_BATCHES_MIN = 36;

    /** Where repetitions must be few. */
    private static final int LEAST_BATCHES_MIN = 12;

    private static final int BATCHES_MAX = 1000;

    /** Of an operation that takes microseconds. */
    public Series series(String name) {
        return firstSeries(name, samples);
    }

    /**
     * Of the first of some slower ones that run the same code, of which there are so many samples:
     * it warms up for all.
     */
    public Series firstSeries(String name, int count) {
        return series(name, count, batch(samples), BATCHES_MIN);
    }

    /** Of another one, of which there are so many samples. */
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

    /** Of one that leaves something behind each time: its warm-up has at most as many as count. */
    public Series shortSeries(String name, int count) {
        int batch = Math.max(1, count / (2 * LEAST_BATCHES_MIN));
        return new Series(
                name, count, new Settling.Bounds(batch, LEAST_BATCHES_MIN, count, warmUpNanos));
    }
}
