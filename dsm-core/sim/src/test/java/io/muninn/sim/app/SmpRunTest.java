package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpModel;
import io.muninn.sim.processor.ProcessorReport;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs on nodes of several processors with a model of their hardware. */
class SmpRunTest {
    private static final SmpModel MODEL = SmpModel.named("smp-1998");
    private static final int PAGE_LONGS = 4096 / Long.BYTES;
    private static final int PAGES = 64;
    private static final int ROUNDS = 4;

    /** All nodes add to all pages by turns, to a sum under a lock, and meet at barriers. */
    private static final class Mixed implements DsmProgram {
        @Shared(value = Protocol.HOME_BASED, home = Home.CYCLIC)
        private final LongArray pages = LongArray.of(PAGES * PAGE_LONGS);

        @Shared(Protocol.HOME_BASED)
        private final LongArray sum = LongArray.of(1);

        @Override
        public void run(DsmNode node) {
            DsmLock lock = node.lock("sum");
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = node.id(); i < PAGES; i += node.nodes()) {
                    int page = (i + round) % PAGES;
                    for (int j = 0; j < PAGE_LONGS; j++) {
                        int at = page * PAGE_LONGS + j;
                        pages.set(at, pages.get(at) + 1);
                    }
                }
                lock.lock();
                sum.set(0, sum.get(0) + 1);
                lock.unlock();
                node.barrier("round").await();
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            for (int i = 0; i < pages.length(); i++) {
                if (pages.get(i) != ROUNDS) {
                    return Verdict.wrong("element " + i + " is " + pages.get(i));
                }
            }
            long expected = (long) ROUNDS * root.nodes();
            return sum.get(0) == expected ? Verdict.right("sum") : Verdict.wrong("" + sum.get(0));
        }
    }

    /** Each process passes over memory of its own, larger than its caches, again and again. */
    private static final class Streams implements DsmProgram {
        private static final int LONGS = 1 << 17; // a mebibyte

        @Shared(Protocol.HOME_BASED)
        private final LongArray all = LongArray.of(4 * LONGS);

        @Override
        public void run(DsmNode node) {
            node.barrier("begin").await();
            for (int i = 0; i < 2 * LONGS; i += 4) {
                all.get(node.id() * LONGS + i % LONGS);
            }
        }
    }

    private static AppResult run(
            Stream<DsmProgram> program, int nodes, int processes, HandlerPolicy policy, long seed) {
        DsmProgram[] programs = program.toArray(DsmProgram[]::new);
        int[] next = {0};
        AppResult result =
                AppRun.of(() -> programs[next[0]++], nodes)
                        .processes(processes)
                        .machine(MODEL, policy, seed)
                        .run();
        assertTrue(result.isGood(), result::toString);
        return result;
    }

    private static AppResult mixed(int nodes, int processes, HandlerPolicy policy, long seed) {
        return run(
                Stream.generate(() -> (DsmProgram) new Mixed()).limit(nodes * processes),
                nodes,
                processes,
                policy,
                seed);
    }

    @ParameterizedTest
    @EnumSource(HandlerPolicy.class)
    void partsOfTheTimeOfEveryProcessor_addUpToIt(HandlerPolicy policy) {
        AppResult result = mixed(2, 4, policy, 1);

        for (AppResult.Node node : result.nodes()) {
            ProcessorReport report = node.processors();
            assertEquals(policy == HandlerPolicy.DEDICATED ? 5 : 4, report.processors());
            assertEquals(report.processors() * report.elapsedNanos(), report.total().totalNanos());
            for (ProcessorTimes thread : report.threads()) {
                assertTrue(thread.totalNanos() + thread.awayNanos() <= report.elapsedNanos());
                thread.nanos().forEach((use, nanos) -> assertTrue(nanos >= 0, use::toString));
                assertTrue(thread.nanos(ProcessorUse.CACHE_STALL) > 0);
                assertTrue(thread.nanos(ProcessorUse.MEMORY_STALL) > 0);
                assertTrue(
                        thread.waitNanos(ProcessorUse.BARRIER_STALL)
                                <= thread.latencyNanos(ProcessorUse.BARRIER_STALL));
                assertTrue(
                        thread.waitNanos(ProcessorUse.LOCK_STALL)
                                <= thread.latencyNanos(ProcessorUse.LOCK_STALL));
            }
            assertTrue(report.total().nanos(ProcessorUse.SENDING) > 0);
        }
    }

    @ParameterizedTest
    @EnumSource(HandlerPolicy.class)
    void equalSeeds_giveEqualRuns(HandlerPolicy policy) {
        AppResult one = mixed(2, 2, policy, 7);
        AppResult other = mixed(2, 2, policy, 7);

        assertEquals(one.nanos(), other.nanos());
        assertEquals(one.traceHash(), other.traceHash());
        assertEquals(
                one.nodes().stream().map(AppResult.Node::processors).toList(),
                other.nodes().stream().map(AppResult.Node::processors).toList());
    }

    @Test
    void handlersOfTheFirstProcessor_takeTimeFromItsThreadMostly() {
        AppResult result = mixed(2, 4, HandlerPolicy.STATIC, 1);
        AppResult apart = mixed(2, 4, HandlerPolicy.DEDICATED, 1);

        List<ProcessorTimes> threads = result.nodes().get(1).processors().threads();
        long first = threads.getFirst().nanos(ProcessorUse.RUNTIME);
        for (ProcessorTimes other : threads.subList(1, threads.size())) {
            assertTrue(other.nanos(ProcessorUse.RUNTIME) < first, threads::toString);
        }
        long dedicated = apart.nodes().get(1).processors().ofNoThread().nanos(ProcessorUse.RUNTIME);
        assertTrue(dedicated > 0);
        assertNotEquals(result.nanos(), apart.nanos());
    }

    @Test
    void processorsOfANode_contendForItsMemoryBus() {
        Stream<DsmProgram> alone = Stream.of(new Streams());
        Stream<DsmProgram> all = Stream.generate(() -> (DsmProgram) new Streams()).limit(4);

        AppResult one = run(alone, 1, 1, HandlerPolicy.STATIC, 1);
        AppResult four = run(all, 1, 4, HandlerPolicy.STATIC, 1);

        long stalled = one.processorTimes().nanos(ProcessorUse.CACHE_STALL);
        long stalledEach = four.processorTimes().nanos(ProcessorUse.CACHE_STALL) / 4;
        assertTrue(stalledEach > stalled * 6 / 5, stalledEach + " after " + stalled);
        long busNanos = four.nodes().getFirst().hardware().orElseThrow().memoryBus().busyNanos();
        assertTrue(busNanos <= four.nanos(), busNanos + " of " + four.nanos());
    }
}
