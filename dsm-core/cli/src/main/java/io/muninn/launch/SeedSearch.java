package io.muninn.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs many seeds on several threads, until one fails or enough have run. Which seeds run does not
 * depend on how many threads there are; which of several failing ones is found first may.
 */
final class SeedSearch {
    /** What a seed stands for; called by several threads at once. */
    interface Trial {
        /**
         * @throws RuntimeException or an {@link AssertionError} if the seed fails
         */
        void run(long seed);
    }

    /** A seed that failed, and how. */
    record Found(long seed, Throwable failure) {}

    private static final long PROGRESS_NANOS = 250_000_000;

    private final Trial trial;
    private final int workers;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong done = new AtomicLong();

    /** Null until a seed has failed. */
    private final AtomicReference<@Nullable Found> found = new AtomicReference<>();

    SeedSearch(Trial trial, int workers) {
        this.trial = trial;
        this.workers = workers;
    }

    /**
     * Runs {@code count} seeds from {@code first} on, or what can be run in the time.
     *
     * @param limitNanos when no further seed is begun
     * @param progress hears now and then how many seeds have run
     * @return the failed seed that is smallest, of those that ran
     */
    Optional<Found> run(long first, long count, long limitNanos, LongConsumer progress)
            throws InterruptedException {
        next.set(first);
        long startNanos = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .name("muninn-sim-" + i)
                            .daemon(true)
                            .start(() -> work(first + count, startNanos, limitNanos)));
        }
        for (Thread thread : threads) {
            while (!thread.join(Duration.ofNanos(PROGRESS_NANOS))) {
                progress.accept(done.get());
            }
        }
        return Optional.ofNullable(found.get());
    }

    /** Seeds that ran to their end. */
    long done() {
        return done.get();
    }

    private void work(long end, long startNanos, long limitNanos) {
        while (found.get() == null && System.nanoTime() - startNanos < limitNanos) {
            long seed = next.getAndIncrement();
            if (seed >= end) {
                return;
            }
            try {
                trial.run(seed);
                done.incrementAndGet();
            } catch (RuntimeException | Error failure) {
                Found mine = new Found(seed, failure);
                found.accumulateAndGet(
                        mine, (old, now) -> old == null || now.seed() < old.seed() ? now : old);
            }
        }
    }
}
