package io.muninn.agent.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.nativefault.PoolSegment;
import io.muninn.pool.CoherentMap;
import io.muninn.pool.PoolLayout;
import io.muninn.pool.PoolRules;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The coherent map in C against the one in Java, on words of the same layout. */
@Timeout(120)
class PoolMapTest {
    private static final int RUN = 7;
    private static final int HOME = 0; // of all pages
    private static final int STEPS = 30_000;
    private static final int ROUNDS = 300;

    /** The words of a pool, as an agent changes them. */
    private static PoolSegment pool(PoolLayout layout, PoolRules rules) {
        PoolSegment.Rules ours =
                new PoolSegment.Rules(rules.listsAtTransition(), rules.noticesMax(), false);
        return PoolSegment.create(RUN, layout.pages(), layout.nodes(), ours);
    }

    private static CoherentMap map(PoolLayout layout, PoolRules rules, PoolSegment pool) {
        return new CoherentMap(layout, rules, new SegmentWords(pool.words()));
    }

    private static List<Integer> listOf(CoherentMap map, int node) {
        List<Integer> listed = new ArrayList<>();
        map.takeList(node, listed::add);
        return listed;
    }

    /** From any words that operations can leave, the same operations give the same words. */
    @ParameterizedTest
    @CsvSource({
        "1,1,false,0,1",
        "70,3,false,2,2",
        "70,3,true,2,2",
        "4200,64,false,3,2",
        "4200,64,true,3,2",
        "5,64,true,0,1"
    })
    void sameOperations_giveTheSameWords(
            int pages, int nodes, boolean listsAtTransition, int noticesMax, int checksMax) {
        PoolLayout layout = new PoolLayout(pages, nodes);
        PoolRules rules = new PoolRules(listsAtTransition, noticesMax, checksMax);
        Random random = new Random(pages * 64L + nodes);
        int hot = Math.min(pages, 6); // most operations are about few pages
        try (PoolSegment inC = pool(layout, rules);
                PoolSegment inJava = pool(layout, rules)) {
            assertEquals(8L * layout.words(), inC.words().byteSize());
            CoherentMap shared = map(layout, rules, inC);
            CoherentMap expected = map(layout, rules, inJava);
            for (int i = 0; i < STEPS; i++) {
                int node = random.nextInt(nodes);
                int page = pages - 1 - random.nextInt(random.nextInt(4) == 0 ? pages : hot);
                switch (random.nextInt(16)) {
                    case 0 -> {
                        expected.leave(node, page);
                        shared.leave(node, page);
                    }
                    case 1 -> {
                        assertEquals(listOf(expected, node), listOf(shared, node));
                        expected.takeEntered(HOME, pages, _ -> {});
                        shared.takeEntered(HOME, pages, _ -> {});
                    }
                    case 2, 3, 4 ->
                            assertEquals(expected.check(node, page), shared.check(node, page));
                    case 5, 6, 7, 8, 9 ->
                            assertEquals(enter(expected, node, page), inC.enter(node, page));
                    default -> assertEquals(expected.publish(node, page), inC.publish(node, page));
                }
                if (i % 97 == 0 || i == STEPS - 1) {
                    assertEquals(-1, inC.words().mismatch(inJava.words()), "step " + i);
                }
            }
        }
    }

    /** Bits of nodes that there are not post nothing, which would be behind the lists. */
    @Test
    void bitsOfOtherNodes_areIgnoredByTraps() {
        PoolLayout layout = new PoolLayout(5, 3);
        PoolRules rules = new PoolRules(true, 1, 2);
        try (PoolSegment pool = pool(layout, rules)) {
            SegmentWords words = new SegmentWords(pool.words());
            long[] broken = {~7L, ~7L, ~7L, 0};
            for (int page = 0; page < layout.pages(); page++) {
                for (int i = 0; i < broken.length; i++) {
                    words.getAndSet(broken.length * page + i, broken[i]);
                }
                for (int i = 0; i < 4; i++) {
                    pool.enter(i % layout.nodes(), page);
                    pool.publish(i % layout.nodes(), page);
                }
            }
            MemorySegment memory = pool.memory(0, 0, 3 * pool.nodeBytes());
            assertEquals(-1, memory.mismatch(MemorySegment.ofArray(new byte[3 * 4096 * 5])));
            for (int word = 4 * layout.pages(); word < layout.words(); word++) {
                assertEquals(0, words.get(word) & -1L << layout.pages(), "word " + word);
            }
        }
    }

    /**
     * Threads of several nodes enter and publish pages at once, half of them in C: every bit of a
     * mapper and writer is there afterwards, and every mapper that a publisher had to see has a
     * notice.
     */
    @Test
    void threadsOfBothLanguages_loseNoBit() throws Exception {
        int nodes = 4;
        int pages = 130; // three leaves, whose bits are posted at once
        PoolLayout layout = new PoolLayout(pages, nodes);
        PoolRules rules = new PoolRules(false, Integer.MAX_VALUE, 1);
        try (PoolSegment pool = pool(layout, rules)) {
            CoherentMap map = map(layout, rules, pool);
            CyclicBarrier barrier = new CyclicBarrier(nodes);
            Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
            List<Thread> threads =
                    IntStream.range(0, nodes)
                            .mapToObj(node ->
                                    Thread.ofPlatform()
                                            .daemon()
                                            .uncaughtExceptionHandler((_, failure) -> {
                                                failures.add(failure);
                                                barrier.reset(); // ends the others
                                            })
                                            .start(() -> rounds(pool, map, barrier, node, nodes)))
                            .toList();
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(List.of(), List.copyOf(failures));
        }
    }

    private static void rounds(
            PoolSegment pool, CoherentMap map, CyclicBarrier barrier, int node, int nodes) {
        int pages = (int) (pool.nodeBytes() / 4096);
        boolean isInC = node % 2 == 0;
        Random random = new Random(node);
        for (int round = 0; round < ROUNDS; round++) {
            await(barrier);
            int first = random.nextInt(pages);
            for (int i = 0; i < pages; i++) {
                int page = (first + i) % pages;
                enter(pool, map, isInC, node, page);
            }
            await(barrier); // all are mappers of all pages
            for (int i = 0; i < pages; i++) {
                int page = (first + i) % pages;
                if (page % nodes == node) {
                    publish(pool, map, isInC, node, page);
                }
            }
            await(barrier);
            expectAll(map, node, nodes, pages);
            await(barrier);
            for (int page = 0; page < pages; page++) {
                map.leave(node, page);
            }
            await(barrier);
            if (node == 0) {
                expectNone(map, pages);
            }
        }
    }

    private static void enter(
            PoolSegment pool, CoherentMap map, boolean isInC, int node, int page) {
        boolean isUnsafe = isInC ? pool.enter(node, page) : enter(map, node, page);
        assertEquals(false, isUnsafe);
    }

    /** As {@link PoolSegment#enter}. */
    private static boolean enter(CoherentMap map, int node, int page) {
        boolean isUnsafe = map.enter(node, page);
        map.tellHome(HOME, page);
        return isUnsafe;
    }

    private static void publish(
            PoolSegment pool, CoherentMap map, boolean isInC, int node, int page) {
        boolean isMarked = isInC ? pool.publish(node, page) : map.publish(node, page);
        assertEquals(false, isMarked);
    }

    /** The list of a node has all pages but those that it has published itself. */
    private static void expectAll(CoherentMap map, int node, int nodes, int pages) {
        BitSet listed = new BitSet();
        map.takeList(node, listed::set);
        int[] others = IntStream.range(0, pages).filter(page -> page % nodes != node).toArray();
        assertArrayEquals(others, listed.stream().toArray());
        for (int page = 0; page < pages; page++) {
            assertEquals(CoherentMap.State.WEAK, map.state(page));
        }
    }

    private static void expectNone(CoherentMap map, int pages) {
        for (int page = 0; page < pages; page++) {
            assertEquals(CoherentMap.State.UNCACHED, map.state(page));
        }
        assertTrue(listOf(map, 0).isEmpty());
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
