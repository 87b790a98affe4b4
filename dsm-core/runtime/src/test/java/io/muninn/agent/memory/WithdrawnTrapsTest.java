package io.muninn.agent.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.muninn.agent.memory.TrapNodes.Node;
import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.LockId;
import io.muninn.nativefault.EngineKind;
import io.muninn.nativefault.Gate;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.WaiterId;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A thread of a node is in a trap while an acquire of another thread withdraws the page: on real
 * pages, between agents of each protocol whose acquires invalidate.
 *
 * <p>By default one of the engines stops at each step under one of the protocols, and every
 * protocol is tested with one of the engines. All combinations are tagged slow.
 */
@Timeout(180)
class WithdrawnTrapsTest {
    private static final int OURS = 1;
    private static final int THEIRS = 2;
    private static final int BOTHS = 3; // the nodes store to it alternately

    /** Number of refused withdrawals after which an acquire is assumed to wait for the trap. */
    private static final int REFUSALS = 3;

    /** The engines that have traps. */
    private static final List<EngineKind> KINDS =
            Stream.of(EngineKind.values()).filter(EngineKind::hasTraps).toList();

    private static final LockId LOCK = new LockId("guard");

    /** Steps at which a page cannot be taken. */
    private static final Set<Gate.Step> LIFTING =
            EnumSet.of(Gate.Step.LIFTING, Gate.Step.PUSHED, Gate.Step.LIFTED);

    private static Stream<Protocol> protocols() {
        return ProtocolKind.with(Trait.ACQUIRES_INVALIDATE).stream();
    }

    private static Stream<Arguments> everyProtocolAndKind() {
        return protocols()
                .flatMap(protocol ->
                        Stream.of(EngineKind.values()).map(kind -> Arguments.of(protocol, kind)));
    }

    private static Stream<Arguments> protocolsAndKinds() {
        EngineKind[] kinds = EngineKind.values();
        return protocols()
                .map(protocol -> Arguments.of(protocol, kinds[protocol.ordinal() % kinds.length]));
    }

    /** A protocol, an engine that has traps, and a step of a trap. */
    private static Stream<Arguments> everyStep() {
        return protocols().flatMap(WithdrawnTrapsTest::kindsAndSteps);
    }

    private static Stream<Arguments> steps() {
        List<Protocol> all = protocols().toList();
        return stops().map(step -> {
            int number = step.ordinal();
            return Arguments.of(
                    all.get(number % all.size()), KINDS.get(number % KINDS.size()), step);
        });
    }

    private static Stream<Arguments> kindsAndSteps(Protocol protocol) {
        return KINDS.stream()
                .flatMap(kind -> stops().map(step -> Arguments.of(protocol, kind, step)));
    }

    private static Stream<Gate.Step> stops() {
        return Stream.of(Gate.Step.values()).filter(step -> step != Gate.Step.OPEN);
    }

    /** Node 1 has a copy of a page of the root, which has stored to it under the lock. */
    @ParameterizedTest
    @MethodSource("steps")
    void copyThatIsTrapped_isWithdrawnWithItsStore(
            Protocol protocol, EngineKind kind, Gate.Step step) throws IOException {
        try (TrapNodes nodes = new TrapNodes(kind, 2, 4, protocol, 0)) {
            Node root = nodes.node(0);
            Node node = nodes.node(1);
            assertEquals("0", node.valueAt(0, OURS));
            storeUnderLock(root);

            stopInATrap(nodes, node, 0, step);
            WaiterId waiter = node.beginLock(LOCK);
            expectToWaitForTheTrap(nodes, node, waiter, step);

            assertEquals("stored", node.outcome());
            nodes.serveUntil("the lock", () -> node.has(waiter));
            expectBothStores(nodes);
        }
    }

    /**
     * The root's own page: node 1 has stored to it under the lock and sent its stores, which have
     * not arrived when the root gets the lock from node 2.
     */
    @ParameterizedTest
    @MethodSource("steps")
    void pageAtHomeThatIsTrapped_isWithdrawnUntilTheStoresAreThere(
            Protocol protocol, EngineKind kind, Gate.Step step) throws IOException {
        assumeFalse(
                ProtocolKind.of(protocol).traits().has(Trait.POSTS_NOTICES),
                "a release waits until its stores are at home");
        try (TrapNodes nodes = new TrapNodes(kind, 3, 6, protocol, 0)) {
            Node root = nodes.node(0);
            Node writer = nodes.node(1);
            assertEquals("0", root.valueAt(0, OURS));
            storeUnderLock(writer);
            nodes.delay(1, 0);
            nodes.node(2).lock(LOCK);

            stopInATrap(nodes, root, 0, step);
            WaiterId waiter = root.beginLock(LOCK);
            expectToWaitForTheTrap(nodes, root, waiter, step);

            nodes.serveUntil("the lock", () -> root.has(waiter));
            root.load(0, THEIRS);
            nodes.deliverDelayed();
            assertEquals(Set.of("stored", "7"), Set.of(root.outcome(), root.outcome()));
            expectBothStores(nodes);
        }
    }

    /** The root's own page: the stores of node 1 arrive while a thread of the root is in a trap. */
    @ParameterizedTest
    @MethodSource("steps")
    void pageAtHomeThatIsTrapped_takesTheStoresOfOthers(
            Protocol protocol, EngineKind kind, Gate.Step step) throws IOException {
        try (TrapNodes nodes = new TrapNodes(kind, 2, 4, protocol, 0)) {
            Node root = nodes.node(0);
            Node writer = nodes.node(1);
            assertEquals("0", root.valueAt(0, OURS));
            storeUnderLock(writer);

            stopInATrap(nodes, root, 0, step);
            WaiterId waiter = root.beginLock(LOCK);
            nodes.serveUntil(
                    "the lock or a refusal", () -> root.has(waiter) || root.timersFired() > 0);
            root.gate().open();
            assertEquals("stored", root.outcome());
            nodes.serveUntil("the lock", () -> root.has(waiter));
            expectBothStores(nodes);
        }
    }

    /**
     * Node 1 releases the lock while one of its threads is in a trap, and the root loads the page
     * before the thread continues: a page whose home is the root, then one whose home is node 1.
     */
    @ParameterizedTest
    @MethodSource("steps")
    void pageThatIsTrapped_isReleasedAndItsStoreFollows(
            Protocol protocol, EngineKind kind, Gate.Step step) throws IOException {
        try (TrapNodes nodes = new TrapNodes(kind, 2, 4, protocol, 0)) {
            Node root = nodes.node(0);
            Node node = nodes.node(1);
            for (int page : new int[] {0, 2}) {
                assertEquals("0", root.valueAt(page, OURS)); // so that no copy is the only one
                node.lock(LOCK);
                assertEquals("0", node.valueAt(page, OURS));

                stopInATrap(nodes, node, page, step);
                root.lock(LOCK);
                assertEquals("0", root.valueAt(page, OURS));
                assertFalse(node.isOver());
                node.gate().open();
                assertEquals("stored", node.outcome());

                node.lock(LOCK);
                root.lock(LOCK);
                assertEquals("5", root.valueAt(page, OURS));
                expectEachOthersStores(nodes, page);
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("everyStep")
    void trapsAtEveryStepUnderEveryProtocol_loseNothing(
            Protocol protocol, EngineKind kind, Gate.Step step) throws IOException {
        copyThatIsTrapped_isWithdrawnWithItsStore(protocol, kind, step);
        pageAtHomeThatIsTrapped_isWithdrawnUntilTheStoresAreThere(protocol, kind, step);
        pageAtHomeThatIsTrapped_takesTheStoresOfOthers(protocol, kind, step);
        pageThatIsTrapped_isReleasedAndItsStoreFollows(protocol, kind, step);
    }

    private static void storeUnderLock(Node node) {
        node.lock(LOCK);
        node.store(0, THEIRS, 7);
        assertEquals("stored", node.outcome());
    }

    private static void stopInATrap(TrapNodes nodes, Node node, int page, Gate.Step step) {
        node.gate().hold(step);
        node.store(page, OURS, 5);
        nodes.serveUntil("the trap", () -> node.gate().held() == 1);
    }

    /** An acquire does not wait for a trap from which the page can be taken. */
    private static void expectToWaitForTheTrap(
            TrapNodes nodes, Node node, WaiterId waiter, Gate.Step step) {
        if (LIFTING.contains(step)) {
            int before = node.timersFired();
            nodes.serveUntil("refusals", () -> node.timersFired() >= before + REFUSALS);
            assertFalse(node.has(waiter));
        } else {
            nodes.serveUntil("the lock", () -> node.has(waiter));
        }
        assertFalse(node.isOver());
        node.gate().open();
    }

    private static void expectBothStores(TrapNodes nodes) {
        for (int id : new int[] {1, 0, 1}) {
            Node node = nodes.node(id);
            node.lock(LOCK);
            assertEquals("7", node.valueAt(0, THEIRS), "node " + id);
            assertEquals("5", node.valueAt(0, OURS), "node " + id);
        }
        expectEachOthersStores(nodes, 0);
    }

    /** After the trap, the stores of other nodes reach the page. */
    private static void expectEachOthersStores(TrapNodes nodes, int page) {
        for (int turn = 0; turn < 6; turn++) {
            Node node = nodes.node(turn % 2);
            node.lock(LOCK);
            assertEquals(Integer.toString(turn), node.valueAt(page, BOTHS), "node " + turn % 2);
            node.store(page, BOTHS, turn + 1);
            assertEquals("stored", node.outcome());
        }
    }

    /** Two writers on each node, and a lock that is passed between the nodes continuously. */
    @ParameterizedTest
    @MethodSource("protocolsAndKinds")
    void writersOnEveryNode_loseNothing(Protocol protocol, EngineKind kind) throws IOException {
        assertNothingIsLost(protocol, kind, 2_000);
    }

    /**
     * @param count the stores of each writer
     */
    private static void assertNothingIsLost(Protocol protocol, EngineKind kind, long count)
            throws IOException {
        int pages = 8;
        try (TrapNodes nodes = new TrapNodes(kind, 2, pages, protocol, 50_000)) {
            for (int id = 0; id < 2; id++) {
                nodes.node(id).add(2 * id, count);
                nodes.node(id).add(2 * id + 1, count);
            }
            int over = 0;
            for (int turn = 0; over < 4; turn++) {
                Node node = nodes.node(turn % 2);
                node.lock(LOCK);
                while (node.isOver()) {
                    assertEquals("added", node.outcome());
                    over++;
                }
            }

            for (int turn = 0; turn < 3; turn++) { // releases by all, then acquires by all
                nodes.node(turn % 2).lock(LOCK);
            }
            long invalidations = 0;
            for (int id = 0; id < 2; id++) {
                Node node = nodes.node(id);
                for (int page = 0; page < pages; page++) {
                    for (int word = 0; word < 4; word++) {
                        assertEquals(
                                Long.toString(count / pages),
                                node.valueAt(page, word),
                                "node " + id + " page " + page + " word " + word);
                    }
                }
                invalidations += node.count(NodeCounter.INVALIDATIONS);
            }
            assertTrue(invalidations > 0); // of at least one node: the other may have been first
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("everyProtocolAndKind")
    void writersUnderEveryProtocolOnEveryEngine_loseNothing(Protocol protocol, EngineKind kind)
            throws IOException {
        assertNothingIsLost(protocol, kind, 4_000);
    }
}
