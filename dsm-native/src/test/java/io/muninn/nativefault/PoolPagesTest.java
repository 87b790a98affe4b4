package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes whose pages are coherent by a pool, with real faults and without a message. */
@Timeout(120)
@ParameterizedClass
@EnumSource(EngineKind.class)
class PoolPagesTest {
    private static final int PAGE = Pair.PAGE;
    private static final int PAGES = 32;
    private static final int RUN = 9;
    private static final int ENTRIES = 500; // of each node
    private static final int ADDITIONS = 10; // to each page in a round
    private static final PoolSegment.Rules RULES =
            new PoolSegment.Rules(false, 1_000_000_000, false);

    private static final int HOME = 2; // of all pages

    /** {@code enum dsm_gate}: after the claim, the entry, what the agent is told, the copy. */
    private static final int ENTERING = 9;

    private static final int ENTERED = 10;
    private static final int TOLD = 11;
    private static final int MAPPED = 13;
    private static final int OPEN = 0;

    @Parameter private EngineKind kind;

    private static PoolSegment pool() {
        PoolSegment pool = PoolSegment.create(RUN, PAGES, 3, RULES);
        pool.setHome(0, PAGES, HOME);
        return pool;
    }

    private static void setFrame(PoolSegment pool, long offset, long value) {
        JAVA_LONG.varHandle().setVolatile(pool.memory(HOME, offset, 8), 0L, value);
    }

    private static long frame(PoolSegment pool, long offset) {
        return (long) JAVA_LONG.varHandle().getVolatile(pool.memory(HOME, offset, 8), 0L);
    }

    private static boolean isMapper(PoolSegment pool, int node, int page) {
        return (pool.words().get(JAVA_LONG, 4L * page * Long.BYTES) >> node & 1) != 0;
    }

    /** Whether the agent has to do anything is up to the engine. */
    private String line(PoolNode node) {
        return kind.hasTraps() ? node.pair.application.line() : node.lineWhileServing();
    }

    @Test
    void accessesToAbsentPages_needNoOtherProcess() {
        try (PoolSegment pool = pool();
                PoolNode node = new PoolNode(kind, pool, 1, 4 * PAGE)) {
            setFrame(pool, 4 * PAGE, 5);
            setFrame(pool, 8L * PAGE - 8, 6);

            node.pair.application.say("a get " + 4 * PAGE);
            assertEquals("a 5", line(node));
            node.pair.application.say("a get " + (8 * PAGE - 8));
            assertEquals("a 6", line(node));
            node.pair.application.say("a put " + 16 * PAGE + " 7");
            assertEquals("a stored", line(node));

            assertTrue(isMapper(pool, 1, 4));
            assertTrue(isMapper(pool, 1, 16));
            assertFalse(isMapper(pool, 1, 5), "a page is in the map as its first machine page");
            node.readTraps();
            assertEquals(2, node.entries());
            assertEquals(7, node.pair.content(16L * PAGE));
            assertEquals(0, frame(pool, 16L * PAGE));
        }
    }

    @Test
    void storesOfANode_reachTheOtherByTheFrame() {
        try (PoolSegment pool = pool();
                PoolSegment opened = PoolSegment.open(pool.fd(), RUN, PAGES, 1);
                PoolNode writer = new PoolNode(kind, pool, 0, PAGE);
                PoolNode reader = new PoolNode(kind, opened, 1, PAGE)) {
            reader.pair.application.say("a get " + (PAGE + 8));
            assertEquals("a 0", line(reader));
            writer.pair.application.say("a put " + (PAGE + 8) + " 3");
            assertEquals("a stored", line(writer));
            assertEquals(new BitSet(), reader.takeList());

            writer.synchronize(new BitSet());

            BitSet listed = reader.takeList();
            assertEquals(BitSet.valueOf(new long[] {2}), listed);
            reader.synchronize(listed);
            assertTrue(listed.isEmpty());
            reader.pair.application.say("a get " + (PAGE + 8));
            assertEquals("a 3", line(reader));
            writer.pair.application.say("a get " + (PAGE + 8));
            assertEquals("a 3", line(writer));
        }
    }

    /**
     * The process is stopped while a thread is at a step of entering a page. The other node
     * publishes the page meanwhile; the agent cannot discard it until the thread goes on, and then
     * the new store is loaded.
     */
    @ParameterizedTest
    @ValueSource(ints = {ENTERING, ENTERED, TOLD, MAPPED})
    void stoppedThread_delaysNoOtherNode_andItsCopyIsDiscarded(int gate) {
        assumeTrue(kind.hasTraps());
        try (PoolSegment pool = pool();
                PoolNode writer = new PoolNode(kind, pool, 0, PAGE);
                PoolNode reader = new PoolNode(kind, pool, 1, PAGE)) {
            reader.hold(gate);
            reader.pair.application.say("a get 8");
            reader.awaitHeld();
            reader.pair.application.stop();

            writer.pair.application.say("b put 8 3");
            assertEquals("b stored", writer.pair.application.line());
            writer.synchronize(new BitSet());
            assertEquals(3, frame(pool, 8));
            BitSet listed = reader.takeList();
            assertEquals(gate != ENTERING, listed.get(0));
            reader.synchronize(listed);
            assertEquals(gate != ENTERING, listed.get(0), "discarded while a trap enters it");
            assertEquals(TrapState.ENTERING, reader.engine.trapState(0));

            reader.hold(OPEN);
            reader.pair.application.resume();
            String copied = reader.pair.application.line();
            assertTrue(List.of("a 0", "a 3").contains(copied), copied);
            assertTrue(gate == MAPPED ? copied.equals("a 0") : copied.equals("a 3"), copied);
            reader.synchronize(listed);
            assertTrue(listed.isEmpty());
            reader.pair.application.say("a get 8");
            assertEquals("a 3", reader.pair.application.line());
        }
    }

    /**
     * Threads of two nodes add to their words of the same pages, which come and go all the time.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void stormOfEntriesAndDiscards_losesNoStore(int machinePages) {
        try (PoolSegment pool = pool();
                PoolNode first = new PoolNode(kind, pool, 0, machinePages * PAGE);
                PoolNode second = new PoolNode(kind, pool, 1, machinePages * PAGE)) {
            List<PoolNode> nodes = List.of(first, second);
            List<BitSet> listed = List.of(new BitSet(), new BitSet());
            int[] rounds = new int[2];
            boolean[] adds = new boolean[2];
            Random random = new Random(3);
            long start = System.nanoTime();
            do {
                for (int i = 0; i < 2; i++) {
                    PoolNode node = nodes.get(i);
                    if (!adds[i] && node.entries() < ENTRIES) {
                        node.pair.application.say("a add " + 8 * i + " " + ADDITIONS * PAGES);
                        adds[i] = true;
                        rounds[i]++;
                    }
                    listed.get(i).or(node.takeList());
                    listed.get(i).set(random.nextInt(node.count()));
                    node.synchronize(listed.get(i));
                    adds[i] &= !"a added".equals(node.pair.application.lineNow());
                }
                assertTrue(
                        System.nanoTime() - start < 5 * Pair.PATIENCE_NANOS,
                        () -> "stalled; stderr: " + first.pair.application.errors());
            } while (adds[0] || adds[1] || nodes.stream().anyMatch(n -> n.entries() < ENTRIES));
            nodes.forEach(node -> node.synchronize(new BitSet()));
            for (int page = 0; page < PAGES; page++) {
                assertEquals(rounds[0] * ADDITIONS, frame(pool, (long) page * PAGE));
                assertEquals(rounds[1] * ADDITIONS, frame(pool, (long) page * PAGE + 8));
            }
        }
    }

    @Test
    void poolThatDoesNotFit_isRefusedWithASentence() {
        try (PoolSegment pool = pool()) {
            assertEquals(
                    "the pool belongs to run 9, not to run a",
                    assertThrows(
                                    AttachRefusedException.class,
                                    () -> PoolSegment.open(pool.fd(), RUN + 1, PAGES, 0))
                            .getMessage());
            assertEquals(
                    "the pool has 32 pages, the regions have 33",
                    assertThrows(
                                    AttachRefusedException.class,
                                    () -> PoolSegment.open(pool.fd(), RUN, PAGES + 1, 0))
                            .getMessage());
            String name = Pair.name();
            try (AgentSocket socket = AgentSocket.listen(name)) {
                socket.share(pool);
                refuse(socket, name, PAGES, "the pool has 3 nodes, and none is node 7");
                refuse(socket, name, PAGES + 1, "the pool has 32 pages, the regions have 33");
            }
        }
    }

    private void refuse(AgentSocket socket, String name, int pages, String reason) {
        try (Child application =
                Pair.startApplication(kind, name, Pair.token(), 60_000, (long) pages * PAGE)) {
            String refusal = "";
            while (refusal.isEmpty()) {
                Descriptors.await(100, socket.fd());
                assertTrue(socket.accept(Pair.token()).isEmpty());
                refusal = socket.takeRefusal();
            }
            assertEquals(reason, refusal);
            assertTrue(application.line().endsWith("; " + reason));
        }
    }

    @Test
    void closedNodesAndPools_leaveNothingOpen() throws IOException {
        long before = 0;
        for (int round = 0; round < 4; round++) {
            try (PoolSegment pool = pool();
                    PoolSegment opened = PoolSegment.open(pool.fd(), RUN, PAGES, 1);
                    PoolNode node = new PoolNode(kind, opened, 1, PAGE)) {
                node.pair.application.say("a put 8 1");
                assertEquals("a stored", line(node));
                node.synchronize(new BitSet());
            }
            long open = descriptors() + mappings();
            assertTrue(round < 2 || open <= before, open + " after " + before);
            before = open;
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(PoolPagesTest::isOfPool).count();
        }
    }

    private static boolean isOfPool(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("memfd:muninn-");
        } catch (IOException closed) {
            return false;
        }
    }

    private static long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:muninn-")).count();
        }
    }
}
