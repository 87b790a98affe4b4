package io.muninn.bench.series;

import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The warm-up of an operation, whose times are discarded. It ends when the operation has settled,
 * or when a bound is reached.
 *
 * <p>Repetitions are grouped in batches, and the median of each batch is kept. An operation has
 * <em>settled</em> when the last third of the batches is not faster than the third before it: the
 * median of the medians has not fallen by more than {@value #GAIN_PERCENT} percent. The length of a
 * third grows with the warm-up, so an operation that took long to become fast must stay so for as
 * long. A fixed length could lie within a plateau before the next compilation.
 *
 * <p><b>Threads.</b> One.
 */
public final class Settling {
    /** Smaller differences are noise. */
    private static final int GAIN_PERCENT = 3;

    private static final int THIRDS = 3;
    private static final double ALL_PERCENT = 100;

    private final Bounds bounds;
    private final LongSupplier clockNanos;
    private final long[] batch;
    private long[] medians = new long[64];
    private int batches;
    private int inBatch;
    private int operations;
    private long beginNanos;
    private boolean settled;
    private boolean exhausted;

    /**
     * Bounds of the length of a warm-up.
     *
     * @param batchOperations operations in a batch, at least 1
     * @param batchesMin least number of batches after which an operation can have settled, at least
     *     3
     * @param operationsMax number of operations after which the warm-up ends with the current batch
     * @param nanosMax time since the first operation after which it ends with the current batch
     */
    public record Bounds(int batchOperations, int batchesMin, int operationsMax, long nanosMax) {
        public Bounds {
            if (batchOperations < 1 || batchesMin < THIRDS || operationsMax < 1 || nanosMax < 0) {
                throw new IllegalArgumentException(
                        "a warm-up of batches of "
                                + batchOperations
                                + ", at least "
                                + batchesMin
                                + " of them, at most "
                                + operationsMax
                                + " operations in "
                                + nanosMax
                                + " ns");
            }
        }
    }

    /**
     * @param clockNanos as {@link System#nanoTime}
     */
    Settling(Bounds bounds, LongSupplier clockNanos) {
        this.bounds = bounds;
        this.clockNanos = clockNanos;
        batch = new long[bounds.batchOperations()];
    }

    int batchOperations() {
        return batch.length;
    }

    /** Adds the time of a repetition in nanoseconds. */
    void add(long nanos) {
        if (operations == 0) {
            beginNanos = clockNanos.getAsLong();
        }
        operations++;
        batch[inBatch] = nanos;
        inBatch++;
        if (inBatch == batch.length) {
            inBatch = 0;
            batchDone();
        }
    }

    private void batchDone() {
        if (batches == medians.length) {
            medians = Arrays.copyOf(medians, 2 * batches);
        }
        medians[batches] = Medians.of(batch, batch.length);
        batches++;
        settled = batches >= bounds.batchesMin() && !isStillFaster();
        exhausted =
                operations >= bounds.operationsMax()
                        || clockNanos.getAsLong() - beginNanos >= bounds.nanosMax();
    }

    private boolean isStillFaster() {
        int third = batches / THIRDS;
        long before = median(batches - 2 * third, batches - third);
        long newest = median(batches - third, batches);
        return newest < before * (ALL_PERCENT - GAIN_PERCENT) / ALL_PERCENT;
    }

    private long median(int from, int to) {
        return Medians.of(Arrays.copyOfRange(medians, from, to), to - from);
    }

    /** Whether the warm-up may end. */
    boolean isOver() {
        return settled || exhausted;
    }

    /** The warm-up so far. */
    Measured.WarmUp result() {
        return new Measured.WarmUp(operations, settled);
    }
}
