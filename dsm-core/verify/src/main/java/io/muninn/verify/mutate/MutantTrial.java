package io.muninn.verify.mutate;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import io.muninn.verify.program.Contention;
import io.muninn.verify.program.Corpus;
import io.muninn.verify.program.ForbiddenStore;
import io.muninn.verify.program.Litmus;
import io.muninn.verify.program.LitmusRun;
import io.muninn.verify.program.Program;
import io.muninn.verify.program.ProgramRun;
import io.muninn.verify.program.Racing;
import io.muninn.verify.program.SeededRun;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The trials that run in every copy of the classes. It is loaded there, too: {@link Mutants} calls
 * it by its name.
 */
public final class MutantTrial {
    private static final int PARTS = 12;
    private static final int CONTENTION_NODES = 3;
    private static final int CONTENTION_ROUNDS = 20;
    private static final long CONTENTION_HOLD_NANOS = 21_000;
    private static final long CONTENTION_LIMIT_NANOS = 50_000_000;
    private static final int RACES_ONE_IN = 3;
    private static final int LITMUS_RUNS = 40;

    /** A trial of a correct kernel takes a tenth at most. */
    private static final int STEPS_MAX = 200_000;

    /** Wake-ups of 20 µs, a little less than the hold time, and messages of 1 µs. */
    private static final MachineModel SLOW_WAKE_UPS =
            new MachineModel(1_000, 0, 100, 100, 0, 300, 20_000, 400, 10, 0);

    private MutantTrial() {}

    /**
     * Runs parts until a check fails, or the time is over.
     *
     * @param mutant the active mutant, or {@link Active#NONE}
     * @param parts the first parts; then those after {@code last}
     * @param next one element: how many parts have run; updated by this call
     * @return the checker that failed and the part; empty if none did
     */
    public static String run(int mutant, int[] parts, int last, int[] next, long limitNanos) {
        Active.mutant = mutant;
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < limitNanos) {
            int i = next[0]++;
            int part = i < parts.length ? parts[i] : last + 1 + i - parts.length;
            Fuel.fill();
            try {
                run(part);
            } catch (Violation violation) {
                return violation.checker() + ", part " + part;
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError broken) {
                return broken.getClass().getSimpleName() + ", part " + part;
            }
        }
        return "";
    }

    /** The lines that a part reaches. */
    public static BitSet reach(int part) {
        Fuel.fill();
        Reach.take();
        run(part);
        return Reach.take();
    }

    /** The kind of a part: parts of one kind differ by their seeds. */
    static int kind(int part) {
        return part % PARTS;
    }

    /** Twelve parts in a row are of all kinds; later ones have other seeds. */
    private static void run(int part) {
        int seed = 1 + part / PARTS;
        switch (kind(part)) {
            case 0, 3 -> SeededRun.of(PARTS * seed + kind(part), options(part)).run(checkers());
            case 1, 4 ->
                    SeededRun.ofWaits(PARTS * seed + kind(part), options(part)).run(checkers());
            case 2, 5, 7 ->
                    SeededRun.ofLimits(PARTS * seed + kind(part), options(part)).run(checkers());
            case 6 -> {
                switch (seed % 3) {
                    case 0 -> SeededRun.ofPermissions(seed, options(part)).run(checkers());
                    case 1 -> SeededRun.ofRemotes(seed, options(part)).run(checkers());
                    default ->
                            SeededRun.ofPolling(PARTS * seed + kind(part), options(part))
                                    .run(checkers());
                }
            }
            case 8 -> litmus(seed);
            case 10, 11 -> corpus(PARTS * seed + kind(part), options(part));
            default -> {
                switch (seed % 4) {
                    case 0 -> contend(MutantTrial::checkers);
                    case 2 -> ForbiddenStore.run(seed / 4, checkers());
                    default -> Racing.run(seed, checkers());
                }
            }
        }
    }

    /** A program of the corpus, by turns. */
    private static void corpus(int seed, SeededRun.Options options) {
        List<String> names = Corpus.names();
        String name = names.get((2 * (seed / PARTS) + seed % 2) % names.size());
        SeededRun.ofCorpus(seed, options, name).forEach(trial -> trial.run(checkers()));
    }

    private static SeededRun.Options options(int part) {
        SeededRun.Options all = SeededRun.Options.ALL;
        boolean checksRaces = part % RACES_ONE_IN == 0;
        return new SeededRun.Options(
                all.protocols(), all.nodes(), all.disruptions(), all.deaths(), checksRaces);
    }

    private static List<Observer> checkers() {
        List<Observer> checkers = new ArrayList<>(Checkers.all(new Coverage()));
        checkers.add(
                new Observer() {
                    private int steps;

                    @Override
                    public void beforeStep(SimNode node, Event event) {
                        if (++steps > STEPS_MAX) {
                            throw new Violation("liveness", "not over after " + steps + " steps");
                        }
                    }
                });
        return checkers;
    }

    /**
     * Lets all nodes store to one page, for each protocol that holds pages, with a hold time that
     * is just long enough.
     *
     * @param checkers creates checkers for each protocol
     * @throws Violation if a thread makes no progress, or a check fails
     */
    public static void contend(Supplier<List<Observer>> checkers) {
        for (ProtocolKind kind : ProtocolKind.values()) {
            if (!kind.traits().has(Trait.HELD)) {
                continue;
            }
            Program program =
                    Contention.of(
                            kind.protocol(),
                            CONTENTION_NODES,
                            1,
                            CONTENTION_ROUNDS,
                            CONTENTION_HOLD_NANOS);
            ProgramRun.run(
                    program.withUpdates(kind.rules(program.updates())),
                    Delays.exact(SLOW_WAKE_UPS),
                    _ -> {},
                    checkers.get(),
                    CONTENTION_LIMIT_NANOS);
        }
    }

    /** Runs a litmus test several times: every outcome must be allowed. */
    private static void litmus(long seed) {
        Random random = new Random(seed);
        Litmus litmus = Litmus.ALL.get(random.nextInt(Litmus.ALL.size()));
        List<Protocol> protocols =
                SeededRun.Options.ALL.ofFirstStream().protocols().stream()
                        .filter(each -> !each.isSealed())
                        .toList();
        Protocol protocol = protocols.get(random.nextInt(protocols.size()));
        LitmusRun.Style[] styles = LitmusRun.Style.values();
        LitmusRun.Style style = styles[random.nextInt(styles.length)];
        LitmusRun run = new LitmusRun(litmus, protocol, style, random.nextBoolean());
        for (int i = 0; i < LITMUS_RUNS; i++) {
            String outcome = run.outcome(seed * LITMUS_RUNS + i);
            if (!run.allowed().contains(outcome)) {
                throw new Violation("litmus", run + ": " + outcome);
            }
        }
    }
}
