package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.muninn.coherence.ProtocolKind;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import io.muninn.e2e.programs.Commanded;
import io.muninn.spi.ProtocolTraits.Trait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process of a node of two is killed or stopped while one of its threads is at a step of a trap,
 * and its sibling waits at the same page: the run ends soon, names the process, and nothing is
 * left. All steps on all engines are tagged slow.
 */
@Tag("e2e")
class LossInTrapsE2eTest {
    private static final int NODE_LOST = 3;
    private static final int PROCESSES = 2; // of a node
    private static final int IDS = 2 * PROCESSES;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** More than an agent withdraws itself; each node is the home of some. */
    private static final String PAGES = " 96 64";

    /** Long enough for a thread that has begun to access a page to stop there. */
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @TempDir Path folder;
    @TempDir Path temporary;

    /** What the victim's thread does when its process is lost. */
    private enum Step {
        TWINNING(1),
        COPIED(2),
        LIFTING(3),
        PUSHED(4),
        LIFTED(5),
        SLOT_TAKEN(6),
        POSTED(7),
        ANSWERED(8),
        /** Waits for a page of a node whose agent is stopped. */
        WAITING(0),
        /** Waits for a lock with which pages are withdrawn; its process cannot drop them. */
        REVOKED(0);

        /** {@code enum dsm_gate}; 0 if the step has none. */
        final int gate;

        Step(int gate) {
            this.gate = gate;
        }

        boolean makesATwin() {
            return compareTo(LIFTED) <= 0;
        }
    }

    /** A run whose nodes perform commands. */
    private static final class Run implements AutoCloseable {
        private final int[] given = new int[IDS];
        private final Path folder;
        private final Leftovers leftovers;
        private final DsmRun run;

        Run(String options, Path folder, Path temporary) {
            this.folder = folder;
            leftovers = new Leftovers(temporary);
            Map<String, String> environment = new HashMap<>(leftovers.environment());
            environment.put(TrapGate.VARIABLE, "1");
            String line = DsmRun.programLine(options, "Commanded " + folder);
            run = DsmRun.start(DsmRun.words(line), environment, List.of());
            run.awaitOutput(Commanded.UNDER_WAY, IDS);
            leftovers.watch(run, member(0).address(), member(PROCESSES).address());
        }

        Member member(int id) {
            return run.processes().all().stream()
                    .filter(member -> member.role() == Role.APPLICATION)
                    .filter(member -> member.node() == id / PROCESSES)
                    .filter(member -> member.process() == id % PROCESSES)
                    .findFirst()
                    .orElseThrow();
        }

        void begin(int id, String command) throws IOException {
            Path file = folder.resolve(Commanded.file(id, given[id]++));
            Path part = Files.writeString(folder.resolve("part"), command);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            run.awaitOutput(Commanded.begins(id, command), 1);
        }

        void perform(int id, String command) throws IOException {
            begin(id, command);
            run.awaitOutput(Commanded.hasDone(id, command), 1);
        }

        /** The node still performs the command after a moment. */
        void assertStandsAt(int id, String command) {
            LockSupport.parkNanos(MOMENT_NANOS);
            assertFalse(run.out().contains(Commanded.hasDone(id, command)), run::out);
        }

        @Override
        public void close() {
            run.close();
        }
    }

    static List<Arguments> losses() {
        List<Arguments> losses = new ArrayList<>();
        List<String> protocols =
                ProtocolKind.with(Trait.ACQUIRES_INVALIDATE).stream()
                        .map(protocol -> " --protocol " + protocol.word())
                        .toList();
        for (String engine : EnginesE2eTest.engines().toList()) {
            for (String signal : List.of("KILL", "STOP")) {
                for (Step step : Step.values()) {
                    if (step.gate == 0 || engine.endsWith("+signal")) {
                        int turn = losses.size();
                        String protocol = protocols.get(turn / IDS % protocols.size());
                        losses.add(
                                Arguments.of(
                                        step, signal, turn % IDS, "--engine " + engine + protocol));
                    }
                }
            }
        }
        return losses;
    }

    @ParameterizedTest
    @CsvSource("REVOKED, KILL, 3, --engine uffd+signal --protocol home-based")
    void processLostInATrap_endsTheRunAndIsNamed(
            Step step, String signal, int victim, String options)
            throws InterruptedException, IOException {
        String heartbeat = signal.equals("STOP") ? " --heartbeat 3 " : " ";
        String all = "-n 2 --processes " + PROCESSES + " --agents node" + heartbeat + options;
        try (Run nodes = new Run(all, folder, temporary)) {
            switch (step) {
                case WAITING -> loseWaiting(nodes, victim, signal);
                case REVOKED -> loseRevoked(nodes, victim, signal);
                default -> loseAtAGate(nodes, victim, signal, step);
            }

            String name = "process " + victim % PROCESSES + " of node " + victim / PROCESSES;
            nodes.run
                    .await(LIMIT)
                    .assertStatus(NODE_LOST)
                    .assertErr("node " + victim / PROCESSES + " is lost: " + name);
            nodes.leftovers.assertNone(nodes.run, Duration.ofSeconds(1));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("losses")
    void processLostAtAnyStepOfATrap_endsTheRunAndIsNamed(
            Step step, String signal, int victim, String options)
            throws InterruptedException, IOException {
        processLostInATrap_endsTheRunAndIsNamed(step, signal, victim, options);
    }

    private static int sibling(int id) {
        return id ^ 1;
    }

    private static int other(int id) {
        return (id + PROCESSES) % IDS;
    }

    private static void loseAtAGate(Run nodes, int victim, String signal, Step step)
            throws IOException {
        String access = (step.makesATwin() ? "store" : "load") + PAGES;
        if (step.makesATwin()) {
            for (int id : new int[] {other(victim), victim, sibling(victim)}) {
                nodes.perform(id, "load" + PAGES);
            }
        }
        TrapGate gate = TrapGate.of(nodes.member(victim));
        gate.close(step.gate);
        nodes.begin(victim, access);
        if (!MarkedProcesses.awaitUntil(LIMIT, gate::isReached)) {
            throw new AssertionError("no trap has reached " + step + nodes.run.out());
        }
        nodes.begin(sibling(victim), access);
        nodes.assertStandsAt(victim, access);

        nodes.member(victim).signal(signal);
    }

    private static void loseWaiting(Run nodes, int victim, String signal) throws IOException {
        String access = "load" + PAGES;
        nodes.perform(other(victim), "lock");
        nodes.perform(other(victim), "store" + PAGES);
        nodes.perform(other(victim), "unlock");
        for (int id : new int[] {victim, sibling(victim)}) {
            nodes.perform(id, "lock");
            nodes.perform(id, "unlock");
        }
        Member agent = nodes.run.member(Role.AGENT, other(victim) / PROCESSES);
        agent.signal("STOP");
        nodes.begin(victim, access);
        nodes.begin(sibling(victim), access);
        nodes.assertStandsAt(victim, access);
        nodes.assertStandsAt(sibling(victim), access);

        nodes.member(victim).signal(signal);
        agent.signal("CONT");
    }

    private static void loseRevoked(Run nodes, int victim, String signal) throws IOException {
        nodes.perform(victim, "load" + PAGES);
        nodes.perform(sibling(victim), "load" + PAGES);
        nodes.perform(other(victim), "lock");
        nodes.perform(other(victim), "store" + PAGES);
        nodes.begin(victim, "lock");
        nodes.begin(sibling(victim), "lock");
        nodes.assertStandsAt(victim, "lock");
        nodes.assertStandsAt(sibling(victim), "lock");
        Member process = nodes.member(victim);
        process.signal("STOP");
        nodes.perform(other(victim), "unlock");
        nodes.assertStandsAt(victim, "lock");

        process.signal(signal);
    }
}
