package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.sim.mutate.Mutant;
import io.muninn.sim.mutate.Mutants;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs mutants of the kernel and reports which of them the simulator detects. */
final class MutantTrials {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Share of the time, as a divisor, spent to determine the lines that the parts of the trials
     * reach.
     */
    private static final int REACH_SHARE = 8;

    private final PrintWriter out;

    MutantTrials(PrintWriter out) {
        this.out = out;
    }

    /**
     * The result of a mutant.
     *
     * @param killer the trial that detected it; empty if none did
     * @param isReached false if no part of the trials reached its line before mutants were run
     */
    private record Fate(Mutant mutant, String killer, boolean isReached) {
        boolean survived() {
            return killer.isEmpty();
        }

        @Override
        public String toString() {
            return survived()
                    ? "survived  " + mutant + (isReached ? "" : "  (not reached)")
                    : "killed    " + mutant + "  by " + killer;
        }
    }

    /**
     * Draws mutants and runs each.
     *
     * @param limitNanos total time; a mutant's unused share is given to later ones
     * @return one of {@link ExitStatus}
     */
    int run(long seed, int count, long limitNanos, int jobs) throws InterruptedException {
        Mutants mutants = new Mutants();
        List<Mutant> drawn = mutants.draw(seed, count);
        out.printf("%d mutants of %d, seed %#x%n", drawn.size(), mutants.count(), seed);
        out.flush();
        long startNanos = System.nanoTime();
        mutants.reach(limitNanos / REACH_SHARE, jobs);
        out.println(mutants.describeReach());
        out.flush();
        AtomicInteger next = new AtomicInteger();
        Fate[] fates = new Fate[drawn.size()];
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            workers.add(
                    Thread.ofPlatform()
                            .name("muninn-mutant-" + i)
                            .daemon(true)
                            .start(() -> {
                                try {
                                    work(
                                            mutants,
                                            drawn,
                                            next,
                                            fates,
                                            startNanos + limitNanos,
                                            jobs);
                                } catch (RuntimeException | Error broken) {
                                    failure.set(broken);
                                }
                            }));
        }
        for (Thread worker : workers) {
            worker.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("not all mutants were run", failure.get());
        }
        summarize(List.of(fates), System.nanoTime() - startNanos);
        return ExitStatus.OK;
    }

    /** Runs mutants; each may use its share of the remaining time. */
    private void work(
            Mutants mutants,
            List<Mutant> drawn,
            AtomicInteger next,
            Fate[] fates,
            long endNanos,
            int jobs) {
        Mutants.Copy copy = mutants.new Copy(drawn);
        for (int i = next.getAndIncrement(); i < drawn.size(); i = next.getAndIncrement()) {
            Mutant mutant = drawn.get(i);
            boolean isReached = mutants.isReached(mutant);
            long leftNanos = Math.max(1, endNanos - System.nanoTime());
            long share = leftNanos / (1 + (drawn.size() - 1 - i) / jobs);
            fates[i] = new Fate(mutant, copy.killer(i, share), isReached);
            say(fates[i]);
        }
    }

    private synchronized void say(Fate fate) {
        out.println(fate);
        out.flush();
    }

    private void summarize(List<Fate> fates, long nanos) {
        List<Fate> survivors = fates.stream().filter(Fate::survived).toList();
        out.printf(
                "%d mutants in %.0f s: %d killed, %d survived%n",
                fates.size(),
                nanos / NANOS_PER_SECOND,
                fates.size() - survivors.size(),
                survivors.size());
        survivors.forEach(out::println);
        out.flush();
    }
}
