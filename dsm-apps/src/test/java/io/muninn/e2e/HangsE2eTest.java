package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run whose threads wait for each other ends, and says who waits for what and where. */
@Tag("e2e")
class HangsE2eTest {
    private static final int FAILED = 1;
    private static final int INTERRUPTED = 130;
    private static final int CONTROL_C = 3;
    private static final int CONTROL_BACKSLASH = 28;
    private static final String SCRIPT = "/usr/bin/script"; // gives a command a terminal
    private static final String STACKS = "Full thread dump";
    private static final String WAIT =
            "thread 0 of node 1 waits for a signal of condition 'monitor/full'";

    private static DsmRun.Result hang(String options, String way) throws InterruptedException {
        return DsmRun.run(DsmRun.programLine(options, "Hangs " + way)).assertStatus(FAILED);
    }

    @Test
    void locksInOppositeOrder_endTheRunWithBothWaits() throws InterruptedException {
        hang("-n 2", "opposite-order")
                .assertErr("no thread of the program can go on:")
                .assertErr(
                        "thread 0 of node 0 waits for lock 'right', which thread 0 of node 1 holds;"
                                + " it holds lock 'left'; at Hangs.oppositeOrder(Hangs.java:")
                .assertErr(
                        "thread 0 of node 1 waits for lock 'left', which thread 0 of node 0 holds;"
                                + " it holds lock 'right'; at Hangs.oppositeOrder(Hangs.java:");
    }

    /** More than twice the limit after which a request to an agent is overdue. */
    @Test
    @Tag("slow")
    void lockThatIsHeldForLong_isNoLoss() throws InterruptedException {
        String line = DsmRun.programLine("-n 2 --agents 2 --heartbeat 4", "HoldsLong");
        DsmRun.run(line).assertStatus(0).assertOut("2 turns");
    }

    /** As in a terminal, where all processes get the signal. */
    @Test
    void stall_showsWaitsUntilTheRunIsInterrupted() throws InterruptedException {
        String line = DsmRun.programLine("-n 2 --stall 1", "Hangs no-signal");
        try (DsmRun run = DsmRun.start(line)) {
            run.awaitErr(WAIT);
            List<Member> all =
                    List.of(
                            run.member(Role.APPLICATION, 0),
                            run.member(Role.APPLICATION, 1),
                            run.member(Role.AGENT, 0),
                            run.member(Role.LAUNCHER, -1));
            all.forEach(member -> member.signal("INT"));
            DsmRun.Result result = run.await();

            result.assertStatus(INTERRUPTED);
            assertEquals(2, shown(result.err()), result::err);
        }
    }

    /** The waits are shown again for each signal, and the run goes on. */
    @Tag("slow")
    @Test
    void quitOfTheLauncher_showsAllWaitsAndTheRunGoesOn() throws InterruptedException {
        try (DsmRun run = DsmRun.start(DsmRun.programLine("-n 2 --stall 1", "Hangs no-signal"))) {
            run.awaitErr(WAIT); // shown by --stall
            Member launcher = run.member(Role.LAUNCHER, -1);
            for (int shown = 2; shown <= 3; shown++) {
                launcher.signal("QUIT");
                awaitShown(run, run::err, shown);
            }
            launcher.signal("INT");
            DsmRun.Result result = run.await().assertStatus(INTERRUPTED);

            assertEquals(4, shown(result.err()), result::err);
            assertFalse(result.out().contains(STACKS), result::out);
        }
    }

    /** The terminal sends the signal to all processes; only the launcher's counts. */
    @Tag("slow")
    @Test
    void quitOfATerminal_showsAllWaitsAndNoStacks(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isExecutable(Path.of(SCRIPT)), "there is no " + SCRIPT);
        Path keys = folder.resolve("keys");
        assertEquals(0, new ProcessBuilder("mkfifo", keys.toString()).start().waitFor());
        List<String> terminal =
                List.of("sh", "-c", SCRIPT + " -qefc \"$*\" /dev/null <" + keys, "sh");
        List<String> line =
                DsmRun.words(DsmRun.programLine("-n 2 --agents 2 --stall 1", "Hangs no-signal"));
        try (DsmRun run = DsmRun.start(line, Map.of(), terminal);
                OutputStream typed = Files.newOutputStream(keys)) {
            awaitShown(run, run::out, 1);
            for (int shown = 2; shown <= 3; shown++) {
                typed.write(CONTROL_BACKSLASH);
                typed.flush();
                awaitShown(run, run::out, shown);
            }
            typed.write(CONTROL_C);
            typed.flush();
            DsmRun.Result result = run.await().assertStatus(INTERRUPTED);

            assertEquals(4, shown(result.out()), result::out);
            assertFalse(result.out().contains(STACKS), result::out);
        }
    }

    @Tag("slow")
    @Test
    void metrics_nameTheHoldersOfLocks() throws InterruptedException, IOException {
        int port = Nodes.freePort();
        String options = "-n 2 --stall 1 --metrics " + port;
        try (DsmRun run = DsmRun.start(DsmRun.programLine(options, "Hangs opposite-order"))) {
            run.awaitErr("waits for lock 'right'");

            for (int node = 0; node < 2; node++) {
                String labels = "mode=\"lock\",node=\"" + node + "\",thread=\"0\"} 1.0";
                String held = node == 0 ? "left" : "right";
                String text = NodesE2eTest.get(port + node);
                assertTrue(
                        text.contains("\nmuninn_lock_holder{lock=\"" + held + "\"," + labels),
                        text);
            }
        }
    }

    private static int shown(String text) {
        return text.split(WAIT, -1).length - 1;
    }

    private static void awaitShown(DsmRun run, Supplier<String> text, int times) {
        boolean isShown =
                MarkedProcesses.awaitUntil(DsmRun.LIMIT, () -> shown(text.get()) >= times);
        assertTrue(isShown, () -> times + " times: " + run.out() + run.err());
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    -n 2            | lock-at-barrier            | waits for lock 'held', which thread 0 of node 0 holds
                    -n 2            | lock-at-barrier            | waits for barrier 'phase', which has no arrival of thread 0 of node 1
                    -n 3            | opposite-order-beside-work | threads wait for each other and cannot go on:
                    -n 3 --agents 3 | opposite-order-beside-work | waits for lock 'left', which thread 0 of node 0 holds
                    -n 2            | ends-with-lock             | thread 0 of node 0 has ended and still holds lock 'kept'
                    -n 2 --agents 2 | ends-with-lock             | waits for lock 'kept', which thread 0 of node 0 holds
                    -n 2            | no-signal                  | waits for a signal of condition 'monitor/full'
                    -n 2            | no-sender                  | waits for a message with tag 7 from node 1
                    -n 2 --agents 2 | no-sender                  | thread 0 of node 1 has ended
                    -n 2            | calls-each-other           | a thread of the objects of node 0 waits for a reply of object 'desk 1' of node 1
                    -n 2 --agents 2 | calls-each-other           | a thread of the objects of node 1 waits for a reply of object 'desk 0' of node 0
                    -n 2            | no-receiver                | waits for node 1 to receive what was sent to it
                    -n 2 --agents 2 | no-receiver                | waits for node 1 to receive what was sent to it
                    -n 3            | other-barrier              | barrier 'of node 0' has 1 of 3 parties, missing: node 1
                    -n 3            | missing-node               | node 1 has ended
                    -n 2            | reader-at-barrier          | waits for lock 'table' to write, which thread 0 of node 0 holds
                    -n 2 --processes 2 | missing-node            | node 0 has ended (1 of 2)
                    -n 2 --threads 2 | no-signal                 | thread 1 of node 1 waits for a signal of condition 'monitor/full'
                    """)
    void everyWayToHang_endsTheRunAndNamesTheCause(String options, String way, String says)
            throws InterruptedException {
        hang(options, way).assertErr(says);
    }
}
