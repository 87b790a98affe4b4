package io.muninn.agent.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.memory.TrapNodes.Node;
import io.muninn.model.LockId;
import io.muninn.nativefault.EngineKind;
import io.muninn.nativefault.Gate;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that an application's own traps permit, between agents that flush and apply. */
@Timeout(180)
class TrapNodesTest {
    private static final int OURS = 1;
    private static final int THEIRS = 2;

    /** Steps at which a page cannot be taken. */
    private static final Set<Gate.Step> LIFTING =
            EnumSet.of(Gate.Step.LIFTING, Gate.Step.PUSHED, Gate.Step.LIFTED);

    /** Nodes 0 and 1 hold the page, and no thread has stored to it since the last flush. */
    private static void share(TrapNodes nodes, int page) {
        nodes.node(1).store(page, 0, 10);
        assertEquals("stored", nodes.node(1).outcome());
        assertEquals("10", nodes.node(0).valueAt(page, 0));
        nodes.flush(1);
        assertEquals("10", nodes.node(1).valueAt(page, 0));
    }

    private static List<EngineKind> kinds() {
        return Stream.of(EngineKind.values()).filter(EngineKind::hasTraps).toList();
    }

    /** Every step of a trap, each with one of the engines that have traps. */
    private static Stream<Arguments> steps() {
        List<Arguments> all = everyStep().toList();
        int steps = all.size() / kinds().size();
        return IntStream.range(0, steps).mapToObj(i -> all.get(i % kinds().size() * steps + i));
    }

    /** Every step of a trap, with every engine that has traps. */
    private static Stream<Arguments> everyStep() {
        return kinds().stream()
                .flatMap(kind ->
                        Stream.of(Gate.Step.values())
                                .filter(step -> step != Gate.Step.OPEN)
                                .map(step -> Arguments.of(kind, step)));
    }

    private static Stream<Arguments> liftingSteps() {
        return steps().filter(arguments -> LIFTING.contains(arguments.get()[1]));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void storeToAReadablePage_asksNobodyAndIsFlushed(EngineKind kind) throws IOException {
        try (TrapNodes nodes = new TrapNodes(kind, 2, 4, UpdateRules.PLAIN)) {
            share(nodes, 0);
            Node node = nodes.node(0);
            long faults = node.count(NodeCounter.WRITE_FAULTS);
            node.takeWatch();

            node.store(0, OURS, 5);
            while (!node.isOver()) { // its agent serves nothing
                PageThreads.pause();
            }

            assertEquals("stored", node.outcome());
            assertTrue(node.takeWatch());
            assertEquals(faults, node.count(NodeCounter.WRITE_FAULTS));
            nodes.flush(0);
            assertEquals(1, node.count(NodeCounter.TRAP_TWINS));
            assertEquals("5", nodes.node(1).valueAt(0, OURS));
        }
    }

    /** After the agent has read the actions of traps, and before it has the lock. */
    @ParameterizedTest
    @MethodSource("kinds")
    void storeUnderALockUntilItIsReclaimed_isSeenByItsNextHolder(EngineKind kind)
            throws IOException {
        try (TrapNodes nodes = new TrapNodes(kind, 2, 4, UpdateRules.PLAIN)) {
            share(nodes, 0);
            Node node = nodes.node(0);
            LockId lock = new LockId("guard");
            node.lock(lock);
            node.beforeReclaim(() -> {
                node.store(0, OURS, 5);
                while (!node.isOver()) { // by its own trap
                    PageThreads.pause();
                }
            });

            nodes.node(1).lock(lock);

            assertEquals("stored", node.outcome());
            assertEquals(1, node.count(NodeCounter.TRAP_TWINS));
            assertEquals(5, nodes.node(1).content(0, OURS));
        }
    }

    /** Node 0's application is stopped while one of its traps has just done the step. */
    @ParameterizedTest
    @MethodSource("steps")
    void applicationStoppedInATrap_stopsNobodyAndLosesNothing(EngineKind kind, Gate.Step step)
            throws IOException {
        try (TrapNodes nodes = new TrapNodes(kind, 3, 4, UpdateRules.PLAIN)) {
            Node node = nodes.node(0);
            share(nodes, 0);
            node.gate().hold(step);
            node.store(0, OURS, 5);
            nodes.serveUntil("the trap", () -> node.gate().held() == 1);
            node.stop();

            nodes.node(1).store(0, THEIRS, 7);
            assertEquals("stored", nodes.node(1).outcome());
            nodes.flush(1);
            assertEquals("7", nodes.node(2).valueAt(0, THEIRS));
            assertEquals("0", nodes.node(2).valueAt(0, OURS));
            assertEquals(7, node.content(0, THEIRS));
            nodes.flush(0);
            nodes.node(2).store(0, THEIRS + 1, 8);
            assertEquals("stored", nodes.node(2).outcome());
            nodes.flush(2);
            assertEquals(8, node.content(0, THEIRS + 1));
            assertEquals("8", nodes.node(1).valueAt(0, THEIRS + 1));
            assertFalse(node.isOver());

            node.goOn();
            node.gate().open();
            assertEquals("stored", node.outcome());
            nodes.flush(0);
            for (int id = 0; id < 3; id++) {
                assertEquals("5", nodes.node(id).valueAt(0, OURS), "node " + id);
                assertEquals("7", nodes.node(id).valueAt(0, THEIRS), "node " + id);
                assertEquals("8", nodes.node(id).valueAt(0, THEIRS + 1), "node " + id);
            }
            node.store(0, OURS, 6); // and the page can be trapped, or requested, again
            assertEquals("stored", node.outcome());
            nodes.flush(0);
            assertEquals("6", nodes.node(2).valueAt(0, OURS));
        }
    }

    /**
     * Node 0 is the only holder of the page and has made it permanently writable when node 1
     * requests it; a trap of node 0 has made an unneeded twin and has not permitted the store yet.
     */
    @ParameterizedTest
    @MethodSource("liftingSteps")
    void pageOfOneHolderIsFetchedDuringATrap_losesNothing(EngineKind kind, Gate.Step step)
            throws IOException {
        UpdateRules atOnce = new UpdateRules(0, UpdateRules.ALL_DIRECT);
        try (TrapNodes nodes = new TrapNodes(kind, 2, 1, atOnce)) {
            Node node = nodes.node(0);
            share(nodes, 0);
            for (int i = 1; nodes.node(1).count(NodeCounter.UPDATE_TIMEOUTS) == 0; i++) {
                node.store(0, OURS, i); // node 1 gives its copy up
                assertEquals("stored", node.outcome());
                nodes.flush(0);
            }
            node.store(0, OURS, 20); // its trap, or its agent, finds no other holder
            assertEquals("stored", node.outcome());
            nodes.flush(0);
            assertTrue(node.describe(0).contains("Exclusive"), node.describe(0));
            assertEquals("20", nodes.node(1).valueAt(0, OURS));
            nodes.node(1).store(0, THEIRS, 30);
            assertEquals("stored", nodes.node(1).outcome());
            nodes.flush(1);
            for (int i = 1; nodes.node(1).count(NodeCounter.UPDATE_TIMEOUTS) == 1; i++) {
                node.store(0, OURS, 20 + i);
                assertEquals("stored", node.outcome());
                nodes.flush(0);
            }

            node.gate().hold(step);
            node.store(0, OURS, 50);
            nodes.serveUntil("the trap", () -> node.gate().held() == 1);
            node.stop();
            long before = node.content(0, OURS);
            nodes.flush(0);
            assertEquals("" + before, nodes.node(1).valueAt(0, OURS));
            assertEquals("30", nodes.node(1).valueAt(0, THEIRS));
            node.goOn();
            node.gate().open();
            assertEquals("stored", node.outcome());
            nodes.flush(0);

            assertEquals("50", nodes.node(1).valueAt(0, OURS));
            assertEquals("50", node.valueAt(0, OURS));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("everyStep")
    void trapsAtEveryStepOnEveryEngine_loseNothing(EngineKind kind, Gate.Step step)
            throws IOException {
        applicationStoppedInATrap_stopsNobodyAndLosesNothing(kind, step);
        if (LIFTING.contains(step)) {
            pageOfOneHolderIsFetchedDuringATrap_losesNothing(kind, step);
        }
    }

    /** Two writers on each node, an agent that never pauses, copies that are given up. */
    @ParameterizedTest
    @EnumSource(EngineKind.class)
    void writersOnEveryNode_loseNothing(EngineKind kind) throws IOException {
        int pages = 8;
        long count = 40_000;
        try (TrapNodes nodes =
                new TrapNodes(kind, 2, pages, new UpdateRules(2_000_000, 2 * TrapNodes.PAGE))) {
            int rounds = 0;
            do { // threads may end a round before a flush leaves them a page to trap on
                addOnBoth(nodes, count);
                rounds++;
            } while (kind.hasTraps() && nodes.node(0).count(NodeCounter.TRAP_TWINS) == 0);

            for (int id = 0; id < 2; id++) {
                for (int page = 0; page < pages; page++) {
                    for (int word = 0; word < 4; word++) {
                        assertEquals(
                                Long.toString(rounds * count / pages),
                                nodes.node(id).valueAt(page, word),
                                "node " + id + " page " + page + " word " + word);
                    }
                }
            }
        }
    }

    /** Each of the four threads adds to its word of all pages, while both agents flush. */
    private static void addOnBoth(TrapNodes nodes, long count) {
        for (int id = 0; id < 2; id++) {
            nodes.node(id).add(2 * id, count);
            nodes.node(id).add(2 * id + 1, count);
        }
        int[] over = new int[1];
        nodes.serveUntil(
                "the writers",
                () -> {
                    for (int id = 0; id < 2; id++) {
                        nodes.node(id).beginFlush();
                        while (nodes.node(id).isOver()) {
                            assertEquals("added", nodes.node(id).outcome());
                            over[0]++;
                        }
                    }
                    return over[0] == 4;
                },
                () -> {});
        for (int id = 0; id < 2; id++) {
            nodes.flush(id);
        }
    }
}
