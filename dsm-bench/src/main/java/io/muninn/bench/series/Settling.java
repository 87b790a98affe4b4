package io.muninn.bench.series;

import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The repetitions of an operation whose times do not count yet: over when the operation has
 * settled, or when a bound is reached.
 *
 * <p>Repetitions are taken in batches, of which each has a median. An operation has
 * <em>settled</em> when the last third of the batches is not faster than the third before it: the
 * median of the medians has not fallen by more than {@value #GAIN_PERCENT} percent. Thirds, so that
 * what took long to become as fast as it is has to stay so for long: a stretch in which nothing
 * changes may be one before a compiler's next turn.
 *
 * <p><b>Threads.</b> Of one thread.
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
     * How long it may take.
     *
     * @param batchOperations to a batch, at least 1
     * @param batchesMin before which nothing has settled, at least 3
     * @param operationsMax from which on it is over, at the end of a batch
     * @param nanosMax from the first operation on, after which it is over at the end of a batch
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

    /** Takes the time of a repetition. */
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

    /** Whether times may count from now on. */
    boolean isOver() {
        return settled || exhausted;
    }

    /** So far. */
    Measured.WarmUp result() {
        return new Measured.WarmUp(operations, settled);
    }
}
