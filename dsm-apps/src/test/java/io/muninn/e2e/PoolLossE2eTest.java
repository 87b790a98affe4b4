package io.muninn.e2e;

import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs with weak pages over a pool, one of whose threads is at a step of a trap: it is held
 * there, or its process is stopped, and the run goes on afterwards; or its process is killed, and
 * the run ends soon, names the node, and leaves nothing. Every step, fifty times each, is tagged
 * slow.
 */
@Tag("e2e")
class PoolLossE2eTest {
    private static final int NODES = 2;
    private static final int NODE_LOST = 3;
    private static final int TIMES = 50;
    private static final int AT_ONCE = 3; // runs, which wait most of the time
    private static final Duration AFTER_KILL = Duration.ofSeconds(10);

    /** For runs that go on, several at once. */
    private static final Duration AFTER_STOP = Duration.ofMinutes(4);

    /** From the first moment at which a trap can be held; later the shortest programs are over. */
    private static final int MOMENTS_MILLIS = 1000;

    /** Long enough for a process that is stopped to be no loss. */
    private static final String PATIENT = " --heartbeat 30";

    private static final List<String> PROGRAMS =
            List.of(
                    "sor --size 256 --steps 60",
                    "diff --rows 128 --columns 256 --sweeps 300",
                    "tsp-f --cities 13 --threshold 8",
                    "counter --increments 2000");

    private static final List<String> SHAPES =
            List.of("", " --threads 2", " --weak-transition immediate", " --processes 2");

    /** What happens at a step. */
    private enum Fate {
        /** The thread alone waits there. */
        HELD,
        /** Its process is stopped. */
        STOPPED,
        /** Its process is killed. */
        KILLED
    }

    /** Where a trap is. */
    private enum Step {
        TWINNING(1),
        COPIED(2),
        LIFTING(3),
        PUSHED(4),
        LIFTED(5),
        SLOT_TAKEN(6),
        POSTED(7),
        ANSWERED(8),
        ENTERING(9),
        ENTERED(10),
        TOLD(11),
        FILLED(12),
        MAPPED(13),
        ANNOUNCED(14);

        /** {@code enum dsm_gate}. */
        final int gate;

        Step(int gate) {
            this.gate = gate;
        }

        /** The programs whose traps get there often: the last rarely asks its agent. */
        List<String> programs() {
            boolean asks = this == SLOT_TAKEN || this == POSTED || this == ANSWERED;
            return asks ? PROGRAMS.subList(0, PROGRAMS.size() - 1) : PROGRAMS;
        }

        /** With uffd a frame is copied by one system call, which has no step within. */
        List<String> engines() {
            return EnginesE2eTest.engines()
                    .filter(engine -> engine.endsWith("+signal"))
                    .filter(engine -> this != FILLED || engine.startsWith("mprotect"))
                    .toList();
        }
    }

    /** One run and what happens in it. */
    private record Case(Step step, Fate fate, String options, String program, Random random) {
        @Override
        public String toString() {
            return step + " " + fate + options + " " + program;
        }
    }

    @TempDir Path temporary;

    @ParameterizedTest
    @CsvSource({
        "TOLD, HELD, uffd+signal, sor --size 256 --steps 50",
        "ENTERED, KILLED, mprotect+signal, diff --rows 128 --columns 256 --sweeps 800"
    })
    void threadInATrap_delaysTheRunOrEndsIt(Step step, Fate fate, String engine, String program)
            throws InterruptedException, IOException {
        String options = " --engine " + engine;
        assertEnds(new Case(step, fate, options, program, new Random(1)), Duration.ofSeconds(1));
    }

    static Stream<Arguments> steps() {
        return Stream.of(Step.values())
                .flatMap(step -> Stream.of(true, false).map(kills -> Arguments.of(step, kills)));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("steps")
    void fiftyThreadsAtAStep_delayTheirRunsOrEndThem(Step step, boolean kills) throws Exception {
        long seed = System.nanoTime();
        try (ExecutorService runs = Executors.newFixedThreadPool(kills ? 2 : AT_ONCE)) {
            List<Future<?>> results = new ArrayList<>();
            for (int i = 0; i < TIMES; i++) {
                Case each = drawn(step, kills, new Random(seed + i));
                results.add(
                        runs.submit(() -> {
                            assertEnds(each, Duration.ofSeconds(10));
                            return each;
                        }));
            }
            for (int i = 0; i < TIMES; i++) {
                try {
                    results.get(i).get();
                } catch (ExecutionException failed) {
                    runs.shutdownNow();
                    throw new AssertionError("case " + i + " of seed " + seed, failed.getCause());
                }
            }
        }
    }

    private static Case drawn(Step step, boolean kills, Random random) {
        List<String> engines = step.engines();
        List<String> programs = step.programs();
        String engine = " --engine " + engines.get(random.nextInt(engines.size()));
        String shape = SHAPES.get(random.nextInt(SHAPES.size()));
        Fate fate = kills ? Fate.KILLED : random.nextBoolean() ? Fate.HELD : Fate.STOPPED;
        String program = programs.get(random.nextInt(programs.size()));
        return new Case(step, fate, engine + shape, program, random);
    }

    /**
     * Runs a program until a trap is at the step, at a moment and on a node that the case draws:
     * then at earlier moments, on the nodes by turns, because the home of a page never enters it.
     */
    private void assertEnds(Case is, Duration stop) throws IOException, InterruptedException {
        long moment = TimeUnit.MILLISECONDS.toNanos(is.random.nextInt(MOMENTS_MILLIS));
        int victim = is.random.nextInt(NODES);
        int triesAtStart = 0;
        while (!isEnded(is, stop, victim, moment)) {
            triesAtStart += moment == 0 ? 1 : 0;
            if (triesAtStart == NODES) {
                throw new AssertionError("no trap has reached the step: " + is);
            }
            moment = moment < TimeUnit.MILLISECONDS.toNanos(100) ? 0 : moment / 2;
            victim = (victim + 1) % NODES;
        }
    }

    /**
     * Returns false if no trap reaches the step from the moment on.
     *
     * @param momentNanos since traps can be held
     */
    private boolean isEnded(Case is, Duration stop, int victim, long momentNanos)
            throws IOException, InterruptedException {
        Leftovers leftovers = new Leftovers(Files.createTempDirectory(temporary, "run"));
        Map<String, String> environment = new HashMap<>(leftovers.environment());
        environment.put(TrapGate.VARIABLE, "1");
        String line =
                "run "
                        + DsmRun.QUICK
                        + " -n "
                        + NODES
                        + " --pool --protocol weak"
                        + is.options
                        + (is.fate == Fate.STOPPED ? PATIENT : "")
                        + " "
                        + is.program;
        try (DsmRun run = DsmRun.start(DsmRun.words(line), environment, List.of())) {
            Optional<Member> found = awaitTraps(run, victim);
            if (found.isEmpty()) {
                throw new AssertionError("no traps in " + is + ": " + run.err());
            }
            Member member = found.get();
            TrapGate gate = TrapGate.of(member);
            leftovers.watch(run, member.address());
            LockSupport.parkNanos(momentNanos); // the moment under test
            if (!isReached(run, gate, is.step)) {
                run.await(AFTER_STOP).assertStatus(0);
                return false;
            }
            switch (is.fate) {
                case HELD -> {
                    LockSupport.parkNanos(stop.toNanos()); // the time under test
                    gate.open();
                }
                case STOPPED -> {
                    member.signal("STOP");
                    LockSupport.parkNanos(stop.toNanos()); // the time under test
                    gate.open();
                    member.signal("CONT");
                }
                case KILLED -> member.signal("KILL");
            }
            assertEnded(is, run, victim);
            leftovers.assertNone(run, Duration.ofSeconds(1));
            return true;
        }
    }

    private static void assertEnded(Case is, DsmRun run, int victim) throws InterruptedException {
        if (is.fate == Fate.KILLED) {
            run.await(AFTER_KILL)
                    .assertStatus(NODE_LOST)
                    .assertErr("node " + victim + " is lost: ");
        } else {
            run.await(AFTER_STOP).assertStatus(0).assertOut("verified");
        }
    }

    private static Optional<Member> awaitTraps(DsmRun run, int node) {
        MarkedProcesses.awaitUntil(
                DsmRun.LIMIT, () -> !isAlive(run) || traps(run, node).isPresent());
        return traps(run, node);
    }

    /** The application of a node whose traps can be held; of several processes the first. */
    private static Optional<Member> traps(DsmRun run, int node) {
        return run.processes().all().stream()
                .filter(member -> member.role() == Role.APPLICATION)
                .filter(member -> member.node() == node && member.process() == 0)
                .filter(member -> TrapGate.find(member).isPresent())
                .findFirst();
    }

    private static boolean isReached(DsmRun run, TrapGate gate, Step step) {
        try {
            gate.close(step.gate);
        } catch (IOException ended) {
            return false;
        }
        MarkedProcesses.awaitUntil(DsmRun.LIMIT, () -> !isAlive(run) || gate.isReached());
        return gate.isReached();
    }

    private static boolean isAlive(DsmRun run) {
        return run.process().isAlive();
    }
}
