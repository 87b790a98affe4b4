package io.muninn.sim.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorCachesTest {
    private static final SmpModel MODEL = SmpModel.named("smp-1998").withCacheBytes(1024, 4096);
    private static final int LINE = MODEL.caches().lineBytes();
    private static final long L2_HIT = MODEL.caches().secondHitCycles() - 1;
    private static final long MISS = MODEL.memoryCycles() - 1;

    private final NodeMachine node = new NodeMachine(MODEL, 0, 2);
    private final ProcessorCaches one = node.caches(0);
    private final ProcessorCaches other = node.caches(1);

    private long load(ProcessorCaches caches, long address) {
        return caches.access(address, Long.BYTES, false);
    }

    private long store(ProcessorCaches caches, long address) {
        return caches.access(address, Long.BYTES, true);
    }

    /** Stores to other lines until the write buffer has passed all earlier ones on. */
    private void drain(ProcessorCaches caches) {
        for (int i = 0; i < MODEL.caches().retiresAt(); i++) {
            store(caches, (1 << 20) + i * LINE);
        }
    }

    @Test
    void secondLoadOfALine_hitsInTheFirstLevel() {
        assertEquals(MISS, load(one, 0));
        assertEquals(0, load(one, LINE - Long.BYTES));
        assertEquals(MISS, load(one, LINE));
    }

    @Test
    void lineThatTheFirstLevelHasReplaced_hitsInTheSecond() {
        load(one, 0);
        load(one, MODEL.caches().firstBytes());

        assertEquals(L2_HIT, load(one, 0));
    }

    @Test
    void secondLevel_replacesTheLineUsedLeastRecently() {
        int apart = MODEL.caches().secondBytes() / MODEL.caches().secondWays();
        load(one, 0);
        load(one, apart);
        assertEquals(L2_HIT, load(one, 0));
        load(one, 2L * apart); // replaces apart

        assertEquals(L2_HIT, load(one, 0));
        assertEquals(MISS, load(one, apart));
    }

    @Test
    void rangeOfLines_costsEachOfThem() {
        assertEquals(3 * MISS, one.access(0, 3L * LINE, false));
    }

    @Test
    void storeOfOneProcessor_endsTheCopyOfTheOther() {
        load(one, 0);
        load(other, 0);
        assertEquals(0, load(one, 0));

        store(other, 0);
        drain(other);

        assertEquals(MISS, load(one, 0));
    }

    @Test
    void storeToASharedLine_usesTheBusLessThanAMiss() {
        load(one, 0);
        load(other, 0);
        one.takeBusPicos();
        store(one, 0);
        store(one, LINE);
        store(one, 2L * LINE);
        assertEquals(0, one.takeBusPicos());

        store(one, 3L * LINE); // line 0 leaves the buffer
        long upgradePicos = one.takeBusPicos();
        store(one, 4L * LINE); // line 1 leaves: no cache has it
        long missPicos = one.takeBusPicos();

        assertEquals(MODEL.memoryBus().transferPicos(1), upgradePicos);
        assertEquals(MODEL.memoryBus().transferPicos(LINE), missPicos);
        assertTrue(upgradePicos < missPicos);
    }

    @Test
    void storesToTheNewestLines_joinInTheWriteBuffer() {
        for (int i = 0; i < 100; i++) {
            assertEquals(0, store(one, i % 3 * LINE));
        }

        assertEquals(0, one.counts().misses()); // nothing has left the buffer
        assertEquals(0, load(one, 0)); // a load hits in the buffer
    }

    @Test
    void storesToManyLines_stallWhenTheBufferIsFull() {
        long stall = 0;
        for (int i = 0; i < 1000; i++) {
            stall += store(one, (long) i * LINE);
        }

        long perStore = MODEL.memoryCycles() - 1; // one cycle each, then as fast as memory
        assertEquals(1000.0 * perStore, stall, 0.05 * 1000 * perStore);
    }

    @Test
    void counts_areThoseSinceAnEarlierMoment() {
        load(one, 0);
        NodeCounts before = node.counts();
        load(one, 0);
        load(one, LINE);
        store(other, 0);

        NodeCounts since = node.counts().since(before);

        assertEquals(new CacheCounts(2, 0, 0, 1), since.caches().get(0));
        assertEquals(new CacheCounts(0, 1, 0, 0), since.caches().get(1));
    }

    /** A copy uses the bus for some of its time only, so a processor is delayed but not stopped. */
    @Test
    void copyOfAHandler_leavesTheMemoryBusToProcessorsMeanwhile() {
        List<Runnable> planned = new ArrayList<>();
        Clock atOnce =
                new Clock() {
                    @Override
                    public long nowPicos() {
                        return 0;
                    }

                    @Override
                    public void at(long timePicos, Runnable action) {
                        planned.add(action);
                    }
                };

        long copyPicos = node.copyPicos(atOnce, 4096);
        long window = MODEL.quantumCycles() * MODEL.cyclePicos();
        planned.getFirst().run();
        long delay = node.memoryBus().bookSpread(0, 0, window, window / 10);
        planned.subList(1, planned.size()).forEach(Runnable::run);

        assertTrue(delay > 0 && delay < window / 2, "delay " + delay);
        long lines = 4096 / LINE;
        long busPicos = 2 * lines * MODEL.memoryBus().transferPicos(LINE);
        assertEquals(busPicos + window / 10, node.memoryBus().busyPicos(), planned.size());
        assertTrue(copyPicos > busPicos);
    }

    @Test
    void memoryWrittenByADevice_isFetchedAgain() {
        load(one, 0);
        load(other, LINE);

        node.invalidate(0, 2L * LINE);

        assertEquals(MISS, load(one, 0));
        assertEquals(MISS, load(other, LINE));
    }
}
