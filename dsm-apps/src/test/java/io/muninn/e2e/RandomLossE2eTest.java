package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of a run is killed or stopped at a random moment, start and end included: all processes
 * are gone soon, no other node than that of the process is named, and nothing is left. {@code
 * -Dseeds=…} sets the number of runs, and {@code -Dfirst=…} the first seed.
 */
@Tag("e2e")
class RandomLossE2eTest {
    private static final int SEEDS = Integer.getInteger("seeds", 6);
    private static final int FIRST = Integer.getInteger("first", 0);
    private static final int AT_ONCE = Integer.getInteger("at.once", 2); // runs
    private static final int NODES_MOST = 4;
    private static final int PROCESSES = 2; // of a node, if it has several

    /** Until all are gone. A machine that is busy with others needs more. */
    private static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("limit", 10));

    /** The heartbeat limit, by which a stopped process is found. */
    private static final int HEARTBEAT_SECONDS = Integer.getInteger("heartbeat", 3);

    /** The heartbeat limit of other runs. */
    private static final int PATIENT_SECONDS = 30;

    private static final String KILL = "KILL";
    private static final String STOP = "STOP";

    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int NODE_LOST = 3;
    private static final int KILLED = 137;

    /** Moments are drawn somewhat beyond the end. */
    private static final double END = 1.1;

    /** Locks, barriers and both; they take about a second. */
    private static final List<String> PROGRAMS =
            List.of(
                    "counter --increments 400",
                    "diff --rows 64 --columns 512 --sweeps 60",
                    "sor --size 128 --steps 40",
                    "tsp-f --cities 11 --threshold 8",
                    "qsort --size 16384");

    /** A line that names a node, or several, as lost or as the one that did not end. */
    private static final List<Pattern> NAMING =
            List.of(
                    Pattern.compile("nodes? (\\d+)(?: to (\\d+))? (?:is|are) lost: "),
                    Pattern.compile("^node (\\d+): lost: "),
                    Pattern.compile("^node (\\d+): .* before it had joined$"),
                    Pattern.compile("^node (\\d+): .* after the run was over$"),
                    Pattern.compile("node (\\d+) did not join"));

    /** The head of a trace. The JVM throws an InternalError for a load from memory that is gone. */
    private static final Pattern THROWN =
            Pattern.compile("\\b\\w+\\.\\w+\\.\\w*(Error|Exception)\\b");

    /** What the processes of a run are. */
    private enum Shape {
        /** An agent serves all nodes. */
        HOST("--agents host"),
        /** Each node has an agent of its own. */
        NODE("--agents node"),
        /** Each node has several processes. */
        PROCESSES_OF_NODES("--processes " + PROCESSES);

        final String options;

        Shape(String options) {
            this.options = options;
        }

        int nodesMost() {
            return this == PROCESSES_OF_NODES ? NODES_MOST / PROCESSES : NODES_MOST;
        }
    }

    /** The parts of a run; each begins with something that can be observed. */
    private enum Stage {
        /** From the start of the victim until the run starts. */
        STARTING,
        /** From the start of the run until the result is verified. */
        RUNNING,
        /** From the output of the result on. */
        ENDING
    }

    /** How long the parts of an undisturbed run take. */
    private record Lengths(Map<Role, Long> starting, long running, long ending) {
        long nanos(Stage stage, Role victim) {
            return switch (stage) {
                case STARTING -> starting.get(victim);
                case RUNNING -> running;
                case ENDING -> ending;
            };
        }
    }

    /**
     * One run and what happens in it.
     *
     * @param fraction of the stage that has passed when the signal is sent
     */
    private record Case(
            long seed,
            String engine,
            Shape shape,
            int nodes,
            String protocol,
            String program,
            Role victim,
            int node,
            int process,
            String signal,
            Stage stage,
            double fraction) {
        static Case drawn(long seed) {
            Random random = new Random(seed);
            List<String> engines = EnginesE2eTest.engines().toList();
            Shape shape = Shape.values()[random.nextInt(Shape.values().length)];
            int more = shape.nodesMost() - 1; // fewer more often, which take less time
            int nodes = 2 + Math.min(random.nextInt(more), random.nextInt(more));
            Role victim = Role.values()[random.nextInt(Role.values().length)];
            Stage stage = Stage.values()[random.nextInt(Stage.values().length)];
            boolean isAtOnce = random.nextInt(4) == 0;
            return new Case(
                    seed,
                    engines.get((int) (seed % engines.size())),
                    shape,
                    nodes,
                    protocol(random),
                    PROGRAMS.get(random.nextInt(PROGRAMS.size())),
                    victim,
                    random.nextInt(nodes),
                    shape == Shape.PROCESSES_OF_NODES && victim == Role.APPLICATION
                            ? random.nextInt(PROCESSES)
                            : 0,
                    random.nextBoolean() ? KILL : STOP,
                    stage,
                    isAtOnce ? 0 : random.nextDouble() * END);
        }

        private static String protocol(Random random) {
            List<Protocol> protocols = List.copyOf(ProtocolKind.ofEveryProgram());
            int drawn = random.nextInt(protocols.size() + 1);
            return drawn == 0 ? "" : "--protocol " + protocols.get(drawn - 1).word() + " ";
        }

        String line() {
            return line(signal.equals(STOP) ? HEARTBEAT_SECONDS : PATIENT_SECONDS);
        }

        String line(int heartbeatSeconds) {
            return "run "
                    + DsmRun.QUICK
                    + "-n "
                    + nodes
                    + " "
                    + shape.options
                    + " --json /dev/null --log-level info --engine "
                    + engine
                    + " --heartbeat "
                    + heartbeatSeconds
                    + " "
                    + protocol
                    + program;
        }

        Optional<Member> find(DsmRun run) {
            if (victim == Role.LAUNCHER) {
                return Optional.of(new Member(run.process().pid(), Role.LAUNCHER, -1))
                        .filter(_ -> run.process().isAlive());
            }
            return run.processes().all().stream()
                    .filter(member -> member.role() == victim && member.isOf(node))
                    .filter(member -> victim == Role.AGENT || member.process() == process)
                    .findFirst();
        }

        /** Waits until the stage has begun, or the run has ended. */
        void awaitStage(DsmRun run) {
            MarkedProcesses.awaitUntil(
                    DsmRun.LIMIT,
                    () ->
                            !run.process().isAlive()
                                    || switch (stage) {
                                        case STARTING -> find(run).isPresent();
                                        case RUNNING -> hasStarted(run);
                                        case ENDING -> isVerified(run);
                                    });
        }

        String row() {
            return engine + " " + victim.name().toLowerCase(Locale.ROOT) + " " + signal;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "seed %d: %s %s of node %d, process %d, %s %.2f, dsm %s",
                    seed,
                    signal,
                    victim,
                    node,
                    process,
                    stage,
                    fraction,
                    line());
        }
    }

    /** Counts for each engine and victim. */
    private static final class Row {
        final AtomicInteger tries = new AtomicInteger();
        final AtomicInteger named = new AtomicInteger();
        final AtomicInteger endedBefore = new AtomicInteger();
        final AtomicLong longestNanos = new AtomicLong();
    }

    private final Map<String, Lengths> lengths = new ConcurrentHashMap<>();
    private final Map<String, Row> rows = new ConcurrentSkipListMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    @TempDir private Path folder;

    @Tag("slow")
    @Test
    void processLostAtAnyMoment_endsTheRunSoonAndIsNamed() {
        try (ExecutorService runs = Executors.newFixedThreadPool(AT_ONCE)) {
            for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
                Case each = Case.drawn(seed);
                runs.execute(() -> perform(each));
            }
        }
        print();
        assertTrue(failures.isEmpty(), () -> failures.size() + ":\n" + String.join("\n", failures));
    }

    /** The rest is done although one fails. */
    private void perform(Case is) {
        Row row = rows.computeIfAbsent(is.row(), _ -> new Row());
        try {
            performOrFail(is, row);
        } catch (AssertionError | Exception failed) {
            System.out.println(is + ": failed");
            failures.add(is + "\n" + failed);
        } finally {
            row.tries.incrementAndGet();
        }
    }

    private void print() {
        System.out.printf(
                "%-34s %5s %5s %12s %9s%n",
                "victim", "tries", "named", "ended before", "longest s");
        rows.forEach((name, row) ->
                System.out.printf(
                        Locale.ROOT,
                        "%-34s %5d %5d %12d %9.1f%n",
                        name,
                        row.tries.get(),
                        row.named.get(),
                        row.endedBefore.get(),
                        row.longestNanos.doubleValue() / TimeUnit.SECONDS.toNanos(1)));
    }

    private void performOrFail(Case is, Row row) throws IOException, InterruptedException {
        Lengths usual =
                lengths.computeIfAbsent(is.shape.options + is.program, _ -> undisturbed(is));
        Leftovers leftovers =
                new Leftovers(Files.createDirectory(folder.resolve(Long.toString(is.seed))));
        try (DsmRun run =
                DsmRun.start(DsmRun.words(is.line()), leftovers.environment(), List.of())) {
            is.awaitStage(run);
            leftovers.watch(run);
            LockSupport.parkNanos((long) (is.fraction * usual.nanos(is.stage, is.victim)));
            Optional<Member> victim = is.find(run);
            long sentNanos = System.nanoTime();
            victim.ifPresent(member -> member.signal(is.signal));
            leftovers.watch(run);

            DsmRun.Result result = await(is, run);
            long nanos = System.nanoTime() - sentNanos;
            boolean hasEndedBefore = result.status() == OK;
            if (hasEndedBefore) {
                result.assertOut("verified");
                assertNames(Optional.empty(), result);
            } else {
                assertTrue(victim.isPresent(), () -> "nobody was lost, but " + result);
                assertLost(is, victim.get(), result);
            }
            leftovers.assertNone(run, LIMIT);
            double seconds = (double) nanos / TimeUnit.SECONDS.toNanos(1);
            String how = hasEndedBefore ? "ended before" : "named";
            System.out.printf(Locale.ROOT, "%s: %s, %.1f s%n", is, how, seconds);
            if (hasEndedBefore) {
                row.endedBefore.incrementAndGet();
            } else {
                row.named.incrementAndGet();
                row.longestNanos.accumulateAndGet(nanos, Math::max);
            }
        }
    }

    /** Waits until all are gone; a launcher that is stopped is alone then, and goes on. */
    private static DsmRun.Result await(Case is, DsmRun run) throws InterruptedException {
        boolean isStoppedLauncher = is.victim == Role.LAUNCHER && is.signal.equals(STOP);
        if (isStoppedLauncher) {
            long pid = run.process().pid();
            boolean isAlone =
                    MarkedProcesses.awaitUntil(
                            LIMIT,
                            () ->
                                    run.processes().all().stream()
                                            .allMatch(member -> member.pid() == pid));
            assertTrue(isAlone, () -> run.processes().all() + run.err());
            new Member(pid, Role.LAUNCHER, -1).signal("CONT");
            return run.await();
        }
        MarkedProcesses.awaitUntil(
                LIMIT, () -> !run.process().isAlive() && run.processes().all().isEmpty());
        return run.await(Duration.ZERO);
    }

    private static void assertLost(Case is, Member victim, DsmRun.Result result) {
        if (is.victim == Role.LAUNCHER) {
            assertNames(Optional.empty(), result);
            assertEquals(is.signal.equals(KILL) ? KILLED : NODE_LOST, result.status());
            return;
        }
        assertNames(Optional.of(victim), result);
        if (result.status() == FAILED) {
            result.assertOut("verified").assertErr(" after the run was over");
        } else {
            result.assertStatus(NODE_LOST);
        }
        if (is.victim == Role.APPLICATION && is.shape == Shape.PROCESSES_OF_NODES) {
            result.assertErr("process " + is.process + " of node " + is.node);
        }
    }

    /** The victim's nodes are named, and no others. */
    private static void assertNames(Optional<Member> victim, DsmRun.Result result) {
        List<String> naming = new ArrayList<>();
        for (String line : result.err().lines().toList()) {
            for (Pattern pattern : NAMING) {
                Matcher named = pattern.matcher(line);
                if (named.find()) {
                    naming.add(line);
                    int node = Integer.parseInt(named.group(1));
                    assertTrue(
                            victim.isPresent() && victim.get().isOf(node),
                            () -> "wrong name: " + line + "\n" + result);
                }
            }
        }
        assertEquals(victim.isPresent(), !naming.isEmpty(), result::toString);
        assertFalse(result.err().contains(" did not end with the run"), result::toString);
        result.err()
                .lines()
                .filter(line -> THROWN.matcher(line).find())
                .forEach(line -> assertTrue(line.contains("InternalError"), result::toString));
    }

    private static boolean hasStarted(DsmRun run) {
        return run.err().contains("event=started");
    }

    private static boolean isVerified(DsmRun run) {
        return run.out().contains("verified");
    }

    /** Measures a run that nothing happens to. */
    private static Lengths undisturbed(Case is) {
        long startNanos = System.nanoTime();
        try (DsmRun run = DsmRun.start(is.line(PATIENT_SECONDS))) {
            long agent = awaitNanos(run, () -> run.processes().find(Role.AGENT, 0).isPresent());
            long application =
                    awaitNanos(run, () -> run.processes().find(Role.APPLICATION, 0).isPresent());
            long started = awaitNanos(run, () -> hasStarted(run));
            long verified = awaitNanos(run, () -> isVerified(run));
            run.await().assertStatus(OK);
            return new Lengths(
                    Map.of(
                            Role.LAUNCHER,
                            started - startNanos,
                            Role.AGENT,
                            started - agent,
                            Role.APPLICATION,
                            started - application),
                    verified - started,
                    System.nanoTime() - verified);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static long awaitNanos(DsmRun run, BooleanSupplier condition) {
        assertTrue(MarkedProcesses.awaitUntil(DsmRun.LIMIT, condition), run::err);
        return System.nanoTime();
    }
}
