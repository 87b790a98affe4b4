package io.muninn.verify.search;

import io.muninn.sim.RunEndedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs many seeds on several threads, until one fails or enough have run. The set of seeds does not
 * depend on the number of threads; which of several failing seeds is found first may.
 */
final class SeedSearch {
    /** The trial of a seed; called by several threads concurrently. */
    interface Trial {
        /**
         * @throws RunEndedException if the time is over before the seed has run to its end
         * @throws RuntimeException or an {@link AssertionError} if the seed fails
         */
        void run(long seed);
    }

    /** A failed seed and its failure. */
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
     * Runs some seeds, then {@code count} from {@code first} on, or as many as the time permits.
     *
     * @param before the seeds to begin with
     * @param limit after which no further seed is started
     * @param progress receives the number of completed seeds from time to time
     * @return the smallest failed seed among those that ran
     */
    Optional<Found> run(
            List<Long> before, long first, long count, TimeLimit limit, LongConsumer progress)
            throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .name("muninn-sim-" + i)
                            .daemon(true)
                            .start(() -> work(before, first, count, limit)));
        }
        for (Thread thread : threads) {
            while (!thread.join(Duration.ofNanos(PROGRESS_NANOS))) {
                progress.accept(done.get());
            }
        }
        return Optional.ofNullable(found.get());
    }

    /** Number of seeds that ran to their end. */
    long done() {
        return done.get();
    }

    private void work(List<Long> before, long first, long count, TimeLimit limit) {
        while (found.get() == null && !limit.isOver()) {
            long at = next.getAndIncrement();
            if (at >= before.size() + count) {
                return;
            }
            long seed = at < before.size() ? before.get((int) at) : first + at - before.size();
            try {
                trial.run(seed);
                done.incrementAndGet();
            } catch (RunEndedException timeIsOver) {
                return;
            } catch (RuntimeException | Error failure) {
                Found mine = new Found(seed, failure);
                found.accumulateAndGet(
                        mine, (old, now) -> old == null || now.seed() < old.seed() ? now : old);
            }
        }
    }
}
