package io.muninn.sim.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteLongs;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of small programs, whose cycles follow from the machine. */
class NccRunTest {
    private static final int PAGE_LONGS = 4096 / Long.BYTES;
    private static final int PAGE_INTS = 4096 / Integer.BYTES;

    /** A node, and the page with that home, ten hops from node 0 of 64. */
    private static final int TEN_HOPS = 45;

    private static final long FILL = 30 + 20 + 16 + 30; // of a line from there

    /** What a node does with pages, each at another home. */
    private interface Body {
        void run(DsmNode node, IntArray pages);
    }

    private record Pages(int count, Body body) implements Supplier<DsmProgram> {
        @Override
        public DsmProgram get() {
            return new OnPages(count, body);
        }
    }

    private static final class OnPages implements DsmProgram {
        @Shared(Protocol.LAZY)
        private final IntArray pages;

        private final Body body;

        OnPages(int count, Body body) {
            pages = IntArray.of(count * PAGE_INTS);
            this.body = body;
        }

        @Override
        public void run(DsmNode node) {
            body.run(node, pages);
        }
    }

    private static NccRun run(int nodes, Body body) {
        return NccRun.of(new Pages(nodes, body), nodes);
    }

    private static long coherence(NccResult result, int node) {
        return result.processors().get(node).spent().get(Spent.COHERENCE);
    }

    private static void load(DsmNode node, IntArray pages, int by, int page) {
        if (node.id() == by) {
            pages.get(page * PAGE_INTS);
        }
    }

    @Test
    void readFault_tenHopsAway_takes397Cycles() {
        NccResult result = run(64, (node, pages) -> load(node, pages, 0, TEN_HOPS)).run();
        assertEquals(397, coherence(result, 0), "24 + 140 + 73 + 160, section 3");
        assertEquals(1 + 397 + FILL, result.cycles());
        assertEquals(1, result.faults());
        assertEquals(1, result.misses());
    }

    @Test
    void hardware_hasNoFaults() {
        NccResult result =
                run(64, (node, pages) -> load(node, pages, 0, TEN_HOPS))
                        .protocol(NccProtocol.HARDWARE_SEQUENTIAL)
                        .run();
        assertEquals(0, coherence(result, 0));
        assertEquals(1 + FILL + 10, result.cycles(), "10 for the directory");
    }

    @Test
    void storeAfterLoad_faultsAgain_onlyIfTransitionsAreImmediate() {
        Body body =
                (node, pages) -> {
                    if (node.id() == 0) {
                        pages.set(0, pages.get(0) + 1);
                    }
                };
        assertEquals(1, run(4, body).run().faults());
        NccRun immediate = run(4, body).protocol(NccProtocol.DISTRIBUTED_IMMEDIATE);
        assertEquals(2, immediate.run().faults());
    }

    @Test
    void pageOfTwoWriters_isDiscardedAtTheBarrier_andPageOfOneIsNot() {
        assertEquals(4 + 4, run(4, (node, pages) -> storeTwice(node, pages, 0)).run().faults());
        assertEquals(4, run(4, (node, pages) -> storeTwice(node, pages, node.id())).run().faults());
    }

    private static void storeTwice(DsmNode node, IntArray pages, int page) {
        for (int i = 0; i < 2; i++) {
            pages.set(page * PAGE_INTS + node.id(), i);
            node.barrier("stored").await();
        }
    }

    @Test
    void writePolicies_sendAsManyStoresAsTheyMust() {
        Body body =
                (node, pages) -> {
                    for (int i = 0; node.id() == 0 && i < 1000; i++) {
                        pages.set(3 * PAGE_INTS + i % 8, i);
                    }
                    node.barrier("stored").await();
                };
        long back = run(4, body).policy(WritePolicy.WRITE_BACK).run().cycles();
        long merged = run(4, body).policy(WritePolicy.MERGE_BUFFER).run().cycles();
        long through = run(4, body).policy(WritePolicy.WRITE_THROUGH).run().cycles();
        assertTrue(merged <= back, merged + " of a merge buffer, which brings no line");
        assertTrue(through > merged + 5000, through + ": a store occupies its memory for 13");
    }

    @Test
    void secondLoadOfALine_takesACycle_untilTheLineIsReplaced() {
        Body body =
                (node, pages) -> {
                    if (node.id() == 0) {
                        pages.get(TEN_HOPS * PAGE_INTS);
                        pages.get(TEN_HOPS * PAGE_INTS + 1);
                        pages.get((TEN_HOPS - 32) * PAGE_INTS); // 128 KB before it
                        pages.get(TEN_HOPS * PAGE_INTS);
                    }
                };
        assertEquals(3, run(64, body).run().misses());
        NccModel twoWays = NccModel.PAPER.withCache(128 << 10, 2);
        assertEquals(2, run(64, body).model(twoWays).run().misses());
    }

    @Test
    void singlePages_interruptTheWriter() {
        Body body = (node, pages) -> storeTwice(node, pages, 0);
        NccResult result = run(4, body).protocol(NccProtocol.SEQUENTIAL).run();
        assertTrue(result.spent(Spent.INTERRUPTS) >= 3 * 2 * 140, result::toString);
        NccResult own =
                run(4, (node, pages) -> storeTwice(node, pages, node.id()))
                        .protocol(NccProtocol.SEQUENTIAL)
                        .run();
        assertEquals(0, own.spent(Spent.INTERRUPTS));
    }

    @Test
    void centralList_letsAllVisitPagesOfOthers() {
        // Each pair of nodes writes a page of its own; a list for each node has one of them.
        Body body =
                (node, pages) -> {
                    for (int i = 0; i < 4; i++) {
                        pages.set(node.id() / 2 * PAGE_INTS + node.id() % 2, i);
                        node.barrier("stored").await();
                    }
                };
        long own = run(64, body).run().spent(Spent.COHERENCE);
        long central =
                run(64, body).protocol(NccProtocol.CENTRAL_DELAYED).run().spent(Spent.COHERENCE);
        assertTrue(central > 2 * own, central + " with one list, " + own + " with many");
    }

    @Test
    void relaxedHardware_goesOnBehindAStore() {
        Body body =
                (node, pages) -> {
                    for (int i = 0; node.id() == 0 && i < 16; i++) {
                        pages.set(TEN_HOPS * PAGE_INTS + 8 * i, i);
                    }
                };
        long strict = run(64, body).protocol(NccProtocol.HARDWARE_SEQUENTIAL).run().cycles();
        long relaxed = run(64, body).protocol(NccProtocol.HARDWARE_RELEASE).run().cycles();
        assertEquals(16 * (1 + FILL + 10), strict);
        assertEquals(16, relaxed);
    }

    @Test
    void readersRelease_publishesNothing() {
        assertTrue(empty(false).cycles() < empty(true).cycles());
    }

    /** A node stores, and enters an empty section as a reader or as a writer. */
    private static NccResult empty(boolean toWrite) {
        return run(
                        4,
                        (node, pages) -> {
                            if (node.id() == 0) {
                                DsmReadWriteLock lock = node.readWriteLock("section");
                                for (int i = 0; i < 10; i++) {
                                    pages.set(PAGE_INTS + 8 * i, i);
                                    (toWrite ? lock.writeLock() : lock.readLock()).lock();
                                    (toWrite ? lock.writeLock() : lock.readLock()).unlock();
                                }
                            }
                        })
                .run();
    }

    @Test
    void lockInThePageThatItGuards_takesLonger() {
        assertTrue(counted(true) > counted(false), counted(true) + ", " + counted(false));
    }

    /** Nodes count by turns, under a lock that may lie beside the count. */
    private static final class Counts implements DsmProgram {
        @Shared(Protocol.MIGRATORY)
        private final IntArray count = IntArray.of(8);

        private final boolean isBeside;

        Counts(boolean isBeside) {
            this.isBeside = isBeside;
        }

        @Override
        public void run(DsmNode node) {
            DsmLock lock = node.lock("count");
            if (isBeside) {
                lock.guards(count, 0, 8);
            }
            for (int i = 0; i < 8; i++) {
                lock.lock();
                count.set(0, count.get(0) + 1);
                lock.unlock();
            }
        }
    }

    private static long counted(boolean isBeside) {
        return NccRun.of(() -> new Counts(isBeside), 16).run().cycles();
    }

    /** Nodes store to pages of others, count under a lock and remotely, and meet. */
    private static final class Mixed implements DsmProgram {
        private static final int ROUNDS = 5;

        @Shared(Protocol.LAZY)
        private final LongArray pages = LongArray.of(32 * PAGE_LONGS);

        @Shared(Protocol.LAZY)
        private final LongArray sum = LongArray.of(1);

        @Shared private final RemoteLongs remote = RemoteLongs.of(2);

        @Override
        public void run(DsmNode node) {
            DsmLock lock = node.lock("sum");
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < 4; i++) {
                    int page = (node.id() + 7 * i + round) % 32;
                    int at = page * PAGE_LONGS + 8 * node.id();
                    for (int j = 0; j < 8; j++) {
                        pages.set(at + j, pages.get(at + j) + 1);
                    }
                }
                lock.lock();
                sum.set(0, sum.get(0) + 1);
                lock.unlock();
                remote.getAndAdd(0, 1);
                remote.add(1, 1);
                node.work(100);
                node.barrier("round").await();
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            long visits = 0;
            for (int i = 0; i < pages.length(); i++) {
                visits += pages.get(i);
            }
            long expected = (long) ROUNDS * root.nodes();
            boolean isRight =
                    sum.get(0) == expected
                            && remote.get(0) == expected
                            && remote.get(1) == expected
                            && visits == 4 * 8 * expected;
            return isRight ? Verdict.right("all counts") : Verdict.wrong("a count is wrong");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyProtocol_isRight_andRepeats(NccProtocol protocol) {
        for (WritePolicy policy : WritePolicy.values()) {
            NccRun run = NccRun.of(Mixed::new, 16).protocol(protocol).policy(policy).seed(3);
            NccResult first = run.run();
            assertTrue(first.verdict().right(), first.verdict()::toString);
            assertEquals(first, run.run(), "same seed, same cycles");
            for (NccResult.Processor each : first.processors()) {
                long sum = each.spent().values().stream().mapToLong(Long::longValue).sum();
                assertEquals(each.cycles(), sum, "all cycles have a purpose");
            }
        }
    }

    /** Node 0 adds to a word whose home is ten hops away. */
    private static final class OneWord implements DsmProgram {
        @Shared private final RemoteLongs words = RemoteLongs.of(64 * PAGE_LONGS);

        @Override
        public void run(DsmNode node) {
            if (node.id() == 0) {
                words.getAndAdd(TEN_HOPS * PAGE_LONGS, 1);
            }
        }
    }

    @Test
    void remoteReference_takesARoundTrip() {
        assertEquals(73, NccRun.of(OneWord::new, 64).run().cycles());
    }

    @Test
    void whatTheMachineLacks_isRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> NccRun.of(Mixed::new, NccRun.NODES_MAX + 1));
        NccRun lent = run(2, (node, pages) -> pages.segment(0, 1, Mode.READ));
        assertThrows(UnsupportedOperationException.class, lent::run);
        NccRun message = run(2, (node, pages) -> node.messages().receive(0, 1));
        assertThrows(UnsupportedOperationException.class, message::run);
        NccRun apart =
                run(
                        2,
                        (node, pages) -> {
                            if (node.id() == 0) {
                                node.barrier("alone").await();
                            }
                        });
        IllegalStateException waits = assertThrows(IllegalStateException.class, apart::run);
        assertTrue(waits.getMessage().contains("wait for ever: 0, 1"), waits.getMessage());
    }
}
