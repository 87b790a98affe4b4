package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.ByteArray;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.sim.Observer;
import io.muninn.sim.Simulation;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.NodeCounts;
import io.muninn.sim.machine.SmpModel;
import io.muninn.sim.processor.ProcessorUse;
import io.muninn.spi.NodeCounter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Automatic updates in place of diffs (AURC). */
class AutomaticUpdatesTest {
    private static final SmpModel MODEL = SmpModel.named("smp-1998");
    private static final int WORDS = 8 * 512;
    private static final int ROUNDS = 12;
    private static final int COUNTERS = 8;
    private static final int ARRAYS = 3;

    /**
     * In every round each element has one node that stores to it, often several times, in an order
     * of its own; after a barrier any node may check it. Counters are added to under locks. All of
     * this is drawn from a seed.
     */
    private static final class Scattered implements DsmProgram {
        @Shared(value = Protocol.HOME_BASED, home = Home.BANDED)
        private final LongArray banded = LongArray.of(WORDS);

        @Shared(value = Protocol.HOME_BASED, home = Home.FIRST_TOUCH)
        private final LongArray touched = LongArray.of(WORDS);

        @Shared(value = Protocol.HOME_BASED, home = Home.CYCLIC)
        private final ByteArray bytes = ByteArray.of(WORDS);

        @Shared(value = Protocol.HOME_BASED, home = Home.ROOT)
        private final LongArray counters = LongArray.of(COUNTERS);

        private final long seed;

        Scattered(long seed) {
            this.seed = seed;
        }

        private int writer(int round, int element, int nodes) {
            return new Random(seed ^ round * 31L ^ element / 5 * 1_000_003L).nextInt(nodes);
        }

        private long value(int round, int element) {
            return (seed + round * 7L + element) * 0x9E37_79B9_7F4A_7C15L;
        }

        @Override
        public void initialize(DsmNode root) {
            banded.set(3, 1);
            counters.set(0, 0);
        }

        @Override
        public void run(DsmNode node) {
            Random random = new Random(seed * 64 + node.id());
            for (int i = 0; i < WORDS; i += 512) {
                if (random.nextBoolean()) {
                    touched.get(i); // the first store to the page will not ask for it
                }
            }
            for (int round = 0; round < ROUNDS; round++) {
                storeAll(node, random, round);
                DsmLock lock = node.lock("counter" + random.nextInt(2));
                lock.lock();
                int at = lock.name().endsWith("0") ? 0 : COUNTERS - 1;
                counters.set(at, counters.get(at) + 1);
                lock.unlock();
                node.barrier("stored").await();
                for (int i = random.nextInt(7); i < WORDS; i += 1 + random.nextInt(40)) {
                    check(round, i);
                }
                node.barrier("checked").await();
            }
        }

        /** One array after another, so that neighbours are stored to in turn. */
        private void storeAll(DsmNode node, Random random, int round) {
            for (int array = 0; array < ARRAYS; array++) {
                for (int i = 0; i < WORDS; i++) {
                    if (writer(round, i, node.nodes()) == node.id()) {
                        store(array, random, round, i);
                    }
                }
            }
        }

        private void store(int array, Random random, int round, int element) {
            long value = value(round, element);
            if (array == 0) {
                bytes.set(element, (byte) value);
                return;
            }
            LongArray words = array == 1 ? banded : touched;
            if (random.nextInt(4) == 0) {
                words.set(element, random.nextLong());
            }
            words.set(element, value);
        }

        private void check(int round, int element) {
            long expected = value(round, element);
            if (banded.get(element) != expected
                    || touched.get(element) != expected
                    || bytes.get(element) != (byte) expected) {
                throw new IllegalStateException(
                        "round " + round + ", element " + element + " is not " + expected);
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            for (int i = 0; i < WORDS; i++) {
                check(ROUNDS - 1, i);
            }
            long sum = counters.get(0) + counters.get(COUNTERS - 1);
            return sum == (long) ROUNDS * root.nodes()
                    ? Verdict.right("all")
                    : Verdict.wrong("counted " + sum);
        }
    }

    /** Node 1 stores to pages whose home is node 0, one element after another. */
    private static final class Sweep implements DsmProgram {
        @Shared(value = Protocol.HOME_BASED, home = Home.ROOT)
        private final LongArray pages = LongArray.of(WORDS);

        private final boolean lends;

        Sweep(boolean lends) {
            this.lends = lends;
        }

        @Override
        public void run(DsmNode node) {
            node.barrier("begin").await();
            if (node.id() == 1 && lends) {
                MemorySegment part = pages.segment(0, WORDS, Mode.WRITE);
                for (int i = 0; i < WORDS; i++) {
                    part.setAtIndex(ValueLayout.JAVA_LONG, i, i + 1);
                }
            } else if (node.id() == 1) {
                for (int i = 0; i < WORDS; i++) {
                    pages.set(i, i + 1);
                }
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            for (int i = 0; i < WORDS; i++) {
                if (pages.get(i) != i + 1) {
                    return Verdict.wrong("element " + i + " is " + pages.get(i));
                }
            }
            return Verdict.right("all");
        }
    }

    /**
     * All nodes but the root have a copy of each page before anyone stores. Then all of them store
     * to words of their own: the root makes the first one the home, and forwards what others send.
     * Each store is followed by a release, so that requests for the lock and flushes meet.
     */
    private static final class FirstTouches implements DsmProgram {
        @Shared(value = Protocol.HOME_BASED, home = Home.FIRST_TOUCH)
        private final LongArray pages = LongArray.of(WORDS);

        @Override
        public void run(DsmNode node) {
            for (int i = 0; i < WORDS; i += 512) {
                pages.get(i);
            }
            node.barrier("copied").await();
            for (int i = node.id(); node.id() > 0 && i < WORDS; i += 512) {
                DsmLock lock = node.lock("lock" + (node.id() + i / 512) % 3);
                lock.lock();
                pages.set(i, -1);
                lock.unlock();
            }
            node.barrier("first").await();
            for (int i = 0; i < WORDS; i++) {
                int expected = 0 < i % 512 && i % 512 < node.nodes() ? -1 : 0;
                if (pages.get(i) != expected) {
                    throw new IllegalStateException("first: " + i + " is " + pages.get(i));
                }
            }
            node.barrier("seen").await();
            for (int round = 1; round <= ROUNDS; round++) {
                for (int i = node.id(); node.id() > 0 && i < WORDS; i += node.nodes()) {
                    pages.set(i, round);
                }
                node.barrier("stored").await();
                for (int i = 0; i < WORDS; i++) {
                    int expected = i % node.nodes() > 0 ? round : 0;
                    if (pages.get(i) != expected) {
                        throw new IllegalStateException(round + ": " + i + " is " + pages.get(i));
                    }
                }
                node.barrier("loaded").await();
            }
        }
    }

    /**
     * Node 1 stores to a page that its home has never used, and requests a lock of the home. The
     * home uses the page after the request and before the flush.
     */
    private static final class UnusedHome implements DsmProgram {
        @Shared(value = Protocol.HOME_BASED, home = Home.ROOT)
        private final LongArray page = LongArray.of(512);

        private final boolean isStore;

        UnusedHome(boolean isStore) {
            this.isStore = isStore;
        }

        @Override
        public void run(DsmNode node) {
            if (node.id() == 1) {
                for (int i = 0; i < 100; i += 2) {
                    page.set(i, 1);
                }
                DsmLock lock = node.lock("of the home");
                lock.lock();
                node.work(2_000_000);
                lock.unlock();
            } else {
                node.work(1_000_000);
                if (isStore) {
                    page.set(1, 1);
                } else {
                    page.get(1);
                }
            }
            node.barrier("stored").await();
        }

        @Override
        public Verdict verify(DsmNode root) {
            int stores = 0;
            for (int i = 0; i < 100; i += 2) {
                stores += (int) page.get(i);
            }
            return stores == 50 ? Verdict.right("all") : Verdict.wrong("stores: " + stores);
        }
    }

    /** Sums the updates that no window had seen. */
    private static final class Late implements Observer {
        private long updates;

        @Override
        public void onEnd(Simulation simulation) {
            simulation.nodes().forEach(node -> updates += node.updates().orElseThrow().late());
        }
    }

    private static AppResult run(AppRun run, boolean updates, HandlerPolicy policy) {
        AppResult result = run.machine(MODEL, policy, updates, 1).run();
        assertTrue(result.isGood(), () -> result.failure() + " " + result.verdict());
        return result;
    }

    private static NodeCounts hardware(AppResult result, int node) {
        return result.nodes().get(node).hardware().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1, 1, STATIC",
        "4, 1, 2, STATIC",
        "4, 1, 3, DEDICATED",
        "3, 2, 4, IDLE",
        "2, 4, 5, ROUND_ROBIN",
        "5, 1, 6, STATIC",
        "8, 2, 7, STATIC"
    })
    void stores_reachTheirReaders(int nodes, int processes, long seed, HandlerPolicy policy) {
        AppRun run = AppRun.of(() -> new Scattered(seed), nodes).processes(processes);

        AppResult result = run(run, true, policy);

        long touchedPages = WORDS / 512; // of which each node sends one diff, at most
        assertTrue(result.total(NodeCounter.DIFFS_MADE) <= nodes * touchedPages);
        assertTrue(hardware(result, 1).updates() > 0);
    }

    @Test
    void adjacentStores_leaveTogetherAndBeforeTheFlush() {
        Late late = new Late();
        AppRun run = AppRun.of(() -> new Sweep(false), 2).observers(List.of(late));

        NodeCounts counts = hardware(run(run, true, HandlerPolicy.STATIC), 1);

        assertEquals(0, late.updates);
        assertEquals(WORDS * Long.BYTES, counts.updateBytes());
        assertTrue(counts.updates() < WORDS / 8, counts::toString);
    }

    /** The root forwards a diff that it gets instead; it has no updates to forward. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16})
    void storesBeforeFirstTouchHasDecided_areFlushedAsDiffs(int nodes) {
        AppResult result = run(AppRun.of(FirstTouches::new, nodes), true, HandlerPolicy.STATIC);

        assertTrue(result.total(NodeCounter.DIFFS_MADE) > 0);
        assertTrue(result.total(NodeCounter.FORWARDS) > 0);
        assertEquals(0, hardware(result, 0).updates());
        assertTrue(
                IntStream.range(1, nodes).anyMatch(node -> hardware(result, node).updates() > 0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void updatesForAPageThatItsHomeHasNotUsed_waitForItsFirstUse(boolean isStore) {
        run(AppRun.of(() -> new UnusedHome(isStore), 2), true, HandlerPolicy.STATIC);
    }

    @Test
    void storesToLentMemory_leaveBeforeTheFlush() {
        Late late = new Late();
        AppRun run = AppRun.of(() -> new Sweep(true), 2).observers(List.of(late));

        run(run, true, HandlerPolicy.STATIC);

        assertTrue(late.updates > 0);
    }

    @Test
    void release_takesLessTimeOfHandlersThanWithDiffs() {
        AppRun run = AppRun.of(() -> new Sweep(false), 2);

        AppResult diffs = run(run, false, HandlerPolicy.STATIC);
        AppResult updates = run(run, true, HandlerPolicy.STATIC);

        assertTrue(diffs.total(NodeCounter.DIFFS_MADE) > 0);
        long ofDiffs = diffs.processorTimes().nanos(ProcessorUse.RUNTIME);
        long ofUpdates = updates.processorTimes().nanos(ProcessorUse.RUNTIME);
        long pages = WORDS * Long.BYTES / 4096;
        long compareNanos = pages * MODEL.nanos(MODEL.handlers().diffCycles(4096, 4096));
        assertTrue(ofUpdates + compareNanos <= ofDiffs, ofUpdates + " for " + ofDiffs);
    }
}
