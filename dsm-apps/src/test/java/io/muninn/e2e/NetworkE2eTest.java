package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.e2e.MarkedProcesses.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes with an address each, as on several machines, which they are not told: a node finds out on
 * which it is reached. A second program, an unplugged machine and an interruption are tagged slow.
 */
@Tag("e2e")
class NetworkE2eTest {
    private static final int NODES = 3;
    private static final int PORT = 7000;
    private static final int NODE_LOST = 3;

    @TempDir private Path folder;
    private Path secret = Path.of("");

    @BeforeEach
    void needRoot() throws IOException {
        assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "network namespaces can only be made by root");
        secret = Nodes.secretFile(folder, "secret", "what all nodes of this run share");
    }

    @Tag("slow")
    @Test
    void nodesWithAddressesOfTheirOwn_makeACluster() throws IOException, InterruptedException {
        assertIsVerified("diff --rows 128 --columns 256 --sweeps 20");
    }

    @Tag("slow")
    @Test
    void nodesWithAddressesOfTheirOwn_passLocksAndPages() throws IOException, InterruptedException {
        assertIsVerified("--protocol conventional counter --increments 200");
    }

    /** Two hosts with two nodes each: nodes of an agent talk within it, others by TCP. */
    @Test
    void oneAgentOnEachOfTwoHosts_makeACluster() throws IOException, InterruptedException {
        assertIsVerifiedOnTwoHosts("diff --rows 128 --columns 256 --sweeps 20");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "diff --rows 128 --columns 256 --sweeps 20",
                "sor --size 256 --steps 5",
                "tsp-f --cities 12 --threshold 8"
            })
    void twoHostsWithAPoolEach_shareWeakPages(String program)
            throws IOException, InterruptedException {
        assertIsVerifiedOnTwoHosts("--protocol weak --pool " + program);
    }

    private void assertIsVerifiedOnTwoHosts(String program)
            throws IOException, InterruptedException {
        try (NetworkNamespaces machines = NetworkNamespaces.create(2)) {
            String root = machines.address(0) + ":" + PORT;
            List<DsmRun> runs =
                    List.of(
                            Nodes.start(machines.prefix(0), "0-1", 4, root, secret, program),
                            Nodes.start(machines.prefix(1), "2-3", 4, root, secret, program));
            assertAreVerified(runs);
        }
    }

    private void assertIsVerified(String program) throws IOException, InterruptedException {
        try (NetworkNamespaces machines = NetworkNamespaces.create(NODES)) {
            assertAreVerified(start(machines, program));
        }
    }

    private static void assertAreVerified(List<DsmRun> runs) throws InterruptedException {
        try {
            for (DsmRun run : runs.reversed()) {
                run.await().assertStatus(0);
            }
            assertTrue(runs.getFirst().out().contains("verified"));
        } finally {
            runs.forEach(DsmRun::close);
        }
    }

    @Tag("slow")
    @Test
    void applicationIsWhereItsAgentIs_andAMachineThatIsUnpluggedIsLost()
            throws IOException, InterruptedException {
        try (NetworkNamespaces machines = NetworkNamespaces.create(NODES)) {
            List<DsmRun> runs = start(machines, "--heartbeat 3 " + DsmRun.program("Endless"));
            try {
                runs.forEach(run -> run.awaitOutput("under way", 1));
                assertEachHasANamespace(runs);

                machines.unplug(2);

                for (int node = 0; node < NODES; node++) {
                    DsmRun.Result result = runs.get(node).await(Duration.ofSeconds(10));
                    result.assertStatus(NODE_LOST);
                    if (node == 0) {
                        result.assertErr("node 2 is lost");
                    }
                }
            } finally {
                runs.forEach(DsmRun::close);
            }
        }
    }

    /**
     * What was sent meanwhile is there in time, although the system makes ever longer pauses
     * between its tries: its own next one would come after 6.2 s.
     */
    @Tag("slow")
    @Test
    void interruptionShorterThanTheLimit_isNoLoss() throws IOException, InterruptedException {
        Duration interruption = Duration.ofMillis(4_500);
        try (NetworkNamespaces machines = NetworkNamespaces.create(NODES)) {
            List<DsmRun> runs = start(machines, "--heartbeat 5 " + DsmRun.program("Endless"));
            try {
                runs.forEach(run -> run.awaitOutput("under way", 1));
                machines.unplug(2);
                LockSupport.parkNanos(interruption.toNanos());
                machines.plug(2);

                assertFalse(
                        MarkedProcesses.awaitUntil(
                                Duration.ofSeconds(7),
                                () -> runs.stream().anyMatch(run -> run.err().contains("lost"))),
                        () -> runs.getFirst().err());
            } finally {
                runs.forEach(DsmRun::close);
            }
        }
    }

    /**
     * A machine gets another address. Its node dials the root from there and says where it listens
     * now, and the root tells the node that dials it.
     */
    @Tag("slow")
    @Test
    void machineWithAnotherAddress_isFoundAgain() throws IOException, InterruptedException {
        try (NetworkNamespaces machines = NetworkNamespaces.create(NODES)) {
            String program = "--protocol conventional counter --increments 2000";
            List<DsmRun> runs = start(machines, "--heartbeat 10 --log-level info " + program);
            runs.forEach(run -> run.awaitErr("event=started"));

            machines.readdress(1);

            for (DsmRun run : runs) {
                run.awaitErr("event=healed");
            }
            assertAreVerified(runs);
        }
    }

    private static void assertEachHasANamespace(List<DsmRun> runs) throws IOException {
        List<String> namespaces = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            String agent = namespace(runs.get(node), Role.AGENT, node);
            assertEquals(agent, namespace(runs.get(node), Role.APPLICATION, node));
            namespaces.add(agent);
        }
        assertEquals(NODES, namespaces.stream().distinct().count());
    }

    private List<DsmRun> start(NetworkNamespaces machines, String rest) {
        List<DsmRun> runs = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            runs.add(
                    Nodes.start(
                            machines.prefix(node),
                            node,
                            NODES,
                            machines.address(0) + ":" + PORT,
                            secret,
                            rest));
        }
        return runs;
    }

    private static String namespace(DsmRun run, Role role, int node) throws IOException {
        Path link = Path.of("/proc", Long.toString(run.member(role, node).pid()), "ns", "net");
        return java.nio.file.Files.readSymbolicLink(link).toString();
    }
}
