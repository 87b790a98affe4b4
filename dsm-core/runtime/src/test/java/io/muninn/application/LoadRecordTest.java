package io.muninn.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.link.ThreadCalls;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.PageLoads;
import io.muninn.spi.WaiterId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class LoadRecordTest {
    private static final int PAGES = 600;
    private static final int PAGE_BYTES = RegionSpec.MACHINE_PAGE_BYTES;

    private final LoadRecord record = new LoadRecord();
    private final Agent agent = new Agent();

    /** Collects what it is told. */
    private static final class Agent implements ThreadCalls {
        final List<PageLoads> told = new ArrayList<>();
        int frames;

        @Override
        public WaiterId id() {
            return new WaiterId(MappingId.FIRST, 0);
        }

        @Override
        public Outcome await(Event.Waiting call) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Outcome awaitInterruptibly(Event.Waiting call) {
            throw new UnsupportedOperationException();
        }

        @Override
        public synchronized void post(Event event) {
            told.addAll(((Event.Loaded) event).loads());
            frames++;
        }
    }

    private static RegionSpec region(int index, int granuleBytes) {
        int bytes = PAGES * PAGE_BYTES;
        return new RegionSpec(
                index,
                "v" + index,
                Protocol.WRITE_SHARED,
                (long) index * bytes,
                bytes,
                granuleBytes,
                1,
                List.of(new VariableSpec("v" + index, "byte[" + bytes + "]", 0, bytes)));
    }

    private static BitSet bits(int from, int to) {
        BitSet bits = new BitSet();
        bits.set(from, to);
        return bits;
    }

    @Test
    void loads_areToldOnceByGranule() {
        AccessGuard longs = record.guard(region(0, 8));
        AccessGuard bytes = record.guard(region(1, 1));
        longs.load(PAGE_BYTES + 16, 8);
        longs.load(PAGE_BYTES + 16, 8);
        longs.load(3 * PAGE_BYTES - 8, 16);
        longs.store(0, 8);
        bytes.load(5L * PAGE_BYTES + 4095, 1);

        record.tell(agent);

        assertEquals(
                List.of(
                        new PageLoads(new PageId(0, 1), bits(2, 3), true),
                        new PageLoads(new PageId(0, 2), bits(511, 512), true),
                        new PageLoads(new PageId(0, 3), bits(0, 1), true),
                        new PageLoads(new PageId(1, 5), bits(4095, 4096), true)),
                agent.told);
        record.tell(agent);
        assertEquals(1, agent.frames);
        longs.load(PAGE_BYTES + 16, 8);
        record.tell(agent);
        assertEquals(5, agent.told.size());
    }

    @Test
    void segment_mayBeLoaded() {
        AccessGuard longs = record.guard(region(0, 8));
        longs.mayLoad(64, 80);
        longs.lend(MemorySegment.NULL, 64, Mode.READ);

        record.tell(agent);

        assertEquals(List.of(new PageLoads(new PageId(0, 0), bits(8, 18), false)), agent.told);
    }

    @Test
    void manyPages_areToldInSeveralFrames() {
        AccessGuard longs = record.guard(region(0, 8));
        longs.load(0, (long) PAGES * PAGE_BYTES);

        record.tell(agent);

        assertEquals(PAGES, agent.told.size());
        assertTrue(agent.frames > 1);
    }

    /** A thread returns from {@code tell} when its earlier loads are told, by whichever thread. */
    @Test
    void loadsOfAllThreads_areToldBeforeAnyGoesOn() throws Exception {
        AccessGuard longs = record.guard(region(0, 8));
        CyclicBarrier start = new CyclicBarrier(4);
        List<Thread> threads = new ArrayList<>();
        TreeMap<Integer, String> missing = new TreeMap<>();
        for (int t = 0; t < 4; t++) {
            int first = t;
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    start.await();
                                } catch (Exception broken) {
                                    throw new IllegalStateException(broken);
                                }
                                for (int i = first; i < PAGES * 512; i += 4 * 97) {
                                    longs.load(8L * i, 8);
                                    record.tell(agent);
                                    if (!isTold(i)) {
                                        synchronized (missing) {
                                            missing.put(i, Thread.currentThread().getName());
                                        }
                                    }
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertEquals(new TreeMap<>(), missing);
    }

    private boolean isTold(int granule) {
        synchronized (agent) {
            PageId page = new PageId(0, granule / 512);
            return agent.told.reversed().stream()
                    .anyMatch(
                            each -> each.page().equals(page) && each.granules().get(granule % 512));
        }
    }
}
