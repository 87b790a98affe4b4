package io.muninn.verify.search;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.verify.mutate.Mutant;
import io.muninn.verify.mutate.Mutants;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs mutants of the kernel and reports which of them the simulator detects. */
final class MutantTrials {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Share of the time, as a divisor, spent to determine the lines that the parts of the trials
     * reach.
     */
    private static final int REACH_SHARE = 8;

    /**
     * The ends of the rounds, as fractions of the time. Each round continues with the mutants that
     * have survived so far, so that the unused time of others is available to them.
     */
    private static final double[] ROUNDS = {0.25, 0.6, 1};

    private final List<String> classes;
    private final PrintWriter out;

    /**
     * @param classes as of {@link Mutants}
     */
    MutantTrials(List<String> classes, PrintWriter out) {
        this.classes = List.copyOf(classes);
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
     * @param limitNanos total time
     * @return one of {@link ExitStatus}
     */
    int run(long seed, int count, long limitNanos, int jobs) throws InterruptedException {
        Mutants mutants = new Mutants(classes);
        List<Mutant> drawn = mutants.draw(seed, count);
        out.printf(
                Locale.ROOT, "%d mutants of %d, seed %#x%n", drawn.size(), mutants.count(), seed);
        out.flush();
        long startNanos = System.nanoTime();
        mutants.reach(limitNanos / REACH_SHARE, jobs);
        out.println(mutants.describeReach());
        out.flush();
        long leftNanos = limitNanos - (System.nanoTime() - startNanos);
        List<Mutants.Copy> copies = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            copies.add(mutants.new Copy(drawn));
        }
        Fate[] fates = new Fate[drawn.size()];
        int[][] tried = new int[drawn.size()][1];
        List<Integer> open = IntStream.range(0, drawn.size()).boxed().toList();
        for (double share : ROUNDS) {
            long endNanos = startNanos + limitNanos - (long) ((1 - share) * leftNanos);
            run(new Round(mutants, drawn, open, fates, tried, endNanos, jobs), copies);
            open = open.stream().filter(each -> fates[each].survived()).toList();
        }
        summarize(List.of(fates), System.nanoTime() - startNanos);
        return ExitStatus.OK;
    }

    /**
     * A round: some mutants, for a time.
     *
     * @param open places of the mutants that have survived so far
     * @param tried how many trials of a mutant have run, by its place
     */
    private record Round(
            Mutants mutants,
            List<Mutant> drawn,
            List<Integer> open,
            Fate[] fates,
            int[][] tried,
            long endNanos,
            int jobs) {}

    private void run(Round round, List<Mutants.Copy> copies) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < copies.size(); i++) {
            Mutants.Copy copy = copies.get(i);
            workers.add(
                    Thread.ofPlatform()
                            .name("muninn-mutant-" + i)
                            .daemon(true)
                            .start(() -> {
                                try {
                                    work(round, copy, next);
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
    }

    /** Runs mutants; each may use an equal part of the round's remaining time. */
    private void work(Round round, Mutants.Copy copy, AtomicInteger next) {
        int count = round.open().size();
        for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            int number = round.open().get(i);
            Mutant mutant = round.drawn().get(number);
            long leftNanos = Math.max(1, round.endNanos() - System.nanoTime());
            long share = leftNanos / (1 + (count - 1 - i) / round.jobs());
            String killer = copy.killer(number, round.tried()[number], share);
            Fate fate = new Fate(mutant, killer, round.mutants().isReached(mutant));
            round.fates()[number] = fate;
            if (!fate.survived()) {
                say(fate);
            }
        }
    }

    private synchronized void say(Fate fate) {
        out.println(fate);
        out.flush();
    }

    private void summarize(List<Fate> fates, long nanos) {
        List<Fate> survivors = fates.stream().filter(Fate::survived).toList();
        out.printf(
                Locale.ROOT,
                "%d mutants in %.0f s: %d killed, %d survived%n",
                fates.size(),
                nanos / NANOS_PER_SECOND,
                fates.size() - survivors.size(),
                survivors.size());
        survivors.forEach(out::println);
        out.flush();
    }
}
