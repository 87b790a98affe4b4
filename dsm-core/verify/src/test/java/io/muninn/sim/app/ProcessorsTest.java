package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.delay.SharedWire;
import io.muninn.sim.processor.ProcessorReport;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that share the processors of their node, and the use of these processors. */
@Timeout(30)
class ProcessorsTest {
    private static final int PAGE_LENGTH = 512;
    private static final int PAGES = 3;

    /** A unit of work is a nanosecond, a call takes 100 each way, an access hardly anything. */
    private static final MachineModel MODEL =
            new MachineModel(10_000, 0, 0, 0, 0, 1_000, 1_000, 100, 1_000, 1);

    /** The code of a program's threads. */
    private interface Part {
        void run(DsmNode node, LongArray words) throws Exception;
    }

    private static final class Small implements DsmProgram {
        @Shared(Protocol.CONVENTIONAL)
        private final LongArray words = LongArray.of(PAGES * PAGE_LENGTH);

        private final Part part;

        Small(Part part) {
            this.part = part;
        }

        @Override
        public void run(DsmNode node) throws Exception {
            part.run(node, words);
        }
    }

    private static AppRun prepare(int nodes, int threads, ProcessorRules rules, Part part) {
        return AppRun.of(() -> new Small(part), nodes)
                .threads(threads)
                .model(MODEL)
                .holdNanos(0)
                .updates(UpdateRules.PLAIN)
                .processors(rules)
                .observers(Checkers.withoutValues(new Coverage()));
    }

    private static AppResult run(int nodes, int threads, ProcessorRules rules, Part part) {
        AppResult result = prepare(nodes, threads, rules, part).run();
        assertTrue(result.isGood(), result::toString);
        for (AppResult.Node node : result.nodes()) {
            assertAllTimeIsCharged(node.processors());
        }
        return result;
    }

    private static void assertAllTimeIsCharged(ProcessorReport report) {
        assertEquals(
                report.processors() * report.elapsedNanos(),
                report.total().totalNanos(),
                report::toString);
    }

    /** The time of each use that nodes without a model of their hardware have. */
    private static List<Long> uses(ProcessorTimes times) {
        return Stream.of(ProcessorUse.values())
                .filter(use -> !use.isOfHardware())
                .map(times::nanos)
                .toList();
    }

    /** Loads a word of each page. */
    private static void loadAll(LongArray words) {
        for (int page = 0; page < PAGES; page++) {
            words.get(page * PAGE_LENGTH);
        }
    }

    // ---- one node, by hand ----

    /**
     * <pre>
     *    0  thread 0 is sealed, and waits for no node at the start: two calls of 200
     *  400  thread 1 is ready; thread 0 works 1000 and arrives at the barrier
     * 1400  switch of 1000
     * 2400  thread 1 works 1000 and arrives, too: a call of 200
     * 3600  both are ready; thread 1, which came last, works 500 and arrives at the end
     * 4100  switch
     * 5100  thread 0 works 500 and arrives at the end: a call of 200
     * 5800  both are ready; thread 0 waits for the end of thread 1: switch
     * 6800  thread 1 ends: switch
     * 7800  thread 0 closes: 100
     * </pre>
     */
    @Test
    void twoThreadsOnAProcessor_areChargedAsComputedByHand() {
        AppResult result =
                run(
                        1,
                        2,
                        new ProcessorRules(1, 1_000, 0, 0),
                        (node, words) -> {
                            node.work(1_000);
                            node.barrier("middle").await();
                            node.work(500);
                        });

        ProcessorReport report = result.nodes().getFirst().processors();
        assertEquals(1, report.processors());
        assertEquals(7_900, report.elapsedNanos());
        // busy; pages, locks, barriers, others; runtime, prefetch, switching, idle
        ProcessorTimes first = report.threads().getFirst();
        ProcessorTimes second = report.threads().get(1);
        assertEquals(List.of(1_600L, 0L, 0L, 0L, 600L, 0L, 0L, 2_000L, 0L), uses(first));
        assertEquals(List.of(1_500L, 0L, 0L, 200L, 0L, 0L, 0L, 2_000L, 0L), uses(second));
        assertEquals(ProcessorTimes.NONE, report.ofNoThread());

        assertEquals(List.of(2L, 6L), List.of(first.switches(), first.runs()));
        assertEquals(1_600 / 6, first.averageRunNanos());
        assertEquals(1, first.stalls(ProcessorUse.BARRIER_STALL));
        assertEquals(2_200, first.latencyNanos(ProcessorUse.BARRIER_STALL));
        assertEquals(4, first.stalls(ProcessorUse.OTHER_STALL));
        assertEquals(200 + 200 + 200 + 1_000, first.latencyNanos(ProcessorUse.OTHER_STALL));
        assertEquals(600 / 4, first.averageStallNanos(ProcessorUse.OTHER_STALL));
        assertEquals(List.of(2L, 3L), List.of(second.switches(), second.runs()));
        assertEquals(200, second.latencyNanos(ProcessorUse.BARRIER_STALL));
        assertEquals(1_700, second.latencyNanos(ProcessorUse.OTHER_STALL));

        assertEquals((4_100 - 1_400) + (6_800 - 5_800), first.awayNanos());
        assertEquals(7_900, first.totalNanos() + first.awayNanos());
        assertEquals(1_400 + (5_800 - 4_100), second.awayNanos());
        assertEquals(6_800, second.totalNanos() + second.awayNanos());
        assertEquals(report.total(), result.processorTimes());
    }

    /** Two threads with a processor for each: no switch, and thread 1 begins at once. */
    @Test
    void twoThreadsOnTwoProcessors_waitForNone() {
        AppResult result =
                run(
                        1,
                        2,
                        new ProcessorRules(2, 1_000, 0, 0),
                        (node, words) -> {
                            node.work(1_000);
                            node.barrier("middle").await();
                            node.work(500);
                        });

        ProcessorReport report = result.nodes().getFirst().processors();
        assertEquals(2_400, report.elapsedNanos());
        assertEquals(
                List.of(1_600L, 0L, 0L, 200L, 600L, 0L, 0L, 0L, 0L),
                uses(report.threads().getFirst()));
        assertEquals(
                List.of(1_500L, 0L, 0L, 200L, 200L, 0L, 0L, 0L, 0L), uses(report.threads().get(1)));
        // before thread 1 was started, and after its end
        assertEquals(List.of(0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 500L), uses(report.ofNoThread()));
        assertEquals(400, report.threads().get(1).awayNanos());
    }

    @Test
    void processorsThatNoThreadNeeds_areIdle() {
        AppResult two = run(1, 2, new ProcessorRules(2, 7, 0, 0), (node, words) -> node.work(900));
        AppResult many = run(1, 2, new ProcessorRules(5, 7, 0, 0), (node, words) -> node.work(900));

        assertEquals(two.traceHash(), many.traceHash());
        ProcessorReport report = many.nodes().getFirst().processors();
        long moreNanos = 3 * report.elapsedNanos();
        assertEquals(
                two.processorTimes().nanos(ProcessorUse.IDLE) + moreNanos,
                report.total().nanos(ProcessorUse.IDLE));
    }

    // ---- stalls that overlap ----

    @Test
    void stallAtAPage_isAMemoryStall() {
        AppResult result =
                run(
                        2,
                        1,
                        new ProcessorRules(1, 1_000, 0, 0),
                        (node, words) -> {
                            if (node.id() == 1) {
                                loadAll(words);
                            }
                        });

        AppResult.Node reader = result.nodes().get(1);
        // the trap, a message each way, the wake-up
        assertEquals(PAGES * 22_000L, reader.value(NodeCounter.FAULT_NANOS));
        assertEquals(PAGES * 22_000L, reader.processors().total().nanos(ProcessorUse.MEMORY_STALL));
        assertEquals(0, reader.processors().total().switches());
    }

    /** One thread stalls three times, the other one works for longer than a stall. */
    private static AppResult stallAndWork(ProcessorRules rules) {
        return run(
                2,
                2,
                rules,
                (node, words) -> {
                    if (node.id() == 1 && node.thread() == 0) {
                        loadAll(words);
                    } else if (node.id() == 1) {
                        node.work(50_000);
                    }
                });
    }

    @Test
    void stallOfOneThread_isHiddenByTheWorkOfAnother() {
        ProcessorTimes shared =
                stallAndWork(new ProcessorRules(1, 0, 0, 0)).nodes().get(1).processors().total();
        ProcessorTimes apart =
                stallAndWork(ProcessorRules.ONE_EACH).nodes().get(1).processors().total();

        assertEquals(PAGES * 22_000L, apart.nanos(ProcessorUse.MEMORY_STALL));
        assertEquals((PAGES - 1) * 22_000L, shared.nanos(ProcessorUse.MEMORY_STALL));
        assertEquals(apart.nanos(ProcessorUse.BUSY), shared.nanos(ProcessorUse.BUSY));
    }

    @Test
    void faultsOfOneNode_joinAndTheLastToStopGoesOnFirst() {
        ProcessorRules rules = new ProcessorRules(1, 1_000, 0, 0);
        AppResult result =
                run(
                        2,
                        3,
                        rules,
                        (node, words) -> {
                            if (node.id() == 1) {
                                words.get(0);
                            }
                        });

        ProcessorTimes reader = result.nodes().get(1).processors().total();
        // the stall begins when the third thread has stopped, after two switches
        assertEquals(22_000 - 2_000, reader.nanos(ProcessorUse.MEMORY_STALL));
        assertEquals(1, result.nodes().get(1).value(NodeCounter.PAGES_FETCHED));
    }

    /**
     * A thread waits at a barrier, then for a lock that the other node had, and faults on pages.
     */
    @Test
    void stallsAreCountedByReason() {
        AppResult result =
                run(
                        2,
                        1,
                        ProcessorRules.ONE_EACH,
                        (node, words) -> {
                            if (node.isRoot()) {
                                node.lock("one").lock();
                                node.lock("one").unlock();
                            }
                            node.barrier("taken").await();
                            if (node.id() == 1) {
                                node.lock("one").lock();
                                loadAll(words);
                                node.lock("one").unlock();
                            }
                        });

        ProcessorTimes times = result.nodes().get(1).processors().threads().getFirst();
        assertEquals(PAGES, times.stalls(ProcessorUse.MEMORY_STALL));
        assertEquals(22_000, times.averageStallNanos(ProcessorUse.MEMORY_STALL));
        // a call each way, and a message each way
        assertEquals(1, times.stalls(ProcessorUse.LOCK_STALL));
        assertEquals(20_200, times.averageStallNanos(ProcessorUse.LOCK_STALL));
        assertEquals(1, times.stalls(ProcessorUse.BARRIER_STALL));
        assertEquals((PAGES * 22_000 + 20_200) / (PAGES + 1), times.averageStallNanos());
    }

    /** A prefetch costs nothing by default; its cost is charged to the thread that prefetches. */
    @Test
    void prefetch_takesAsLongAsTheRulesSay() {
        Part part =
                (node, words) -> {
                    if (node.id() == 1) {
                        words.prefetch(0, PAGE_LENGTH, Mode.READ);
                        node.work(50_000);
                        words.get(0);
                    }
                };
        AppResult free = run(2, 1, ProcessorRules.ONE_EACH, part);
        AppResult costly = run(2, 1, new ProcessorRules(1, 0, 0, 3_000), part);

        assertEquals(0, free.processorTimes().nanos(ProcessorUse.PREFETCH));
        assertEquals(3_000, costly.processorTimes().nanos(ProcessorUse.PREFETCH));
        assertEquals(
                free.processorTimes().nanos(ProcessorUse.BUSY),
                costly.processorTimes().nanos(ProcessorUse.BUSY));
    }

    // ---- messages that arrive ----

    private static AppResult readFromWhoComputes(ProcessorRules rules) {
        return run(
                2,
                1,
                rules,
                (node, words) -> {
                    if (node.isRoot()) {
                        node.work(1_000_000);
                    } else {
                        loadAll(words);
                    }
                });
    }

    @Test
    void messageThatArrivesWhileEveryProcessorComputes_interruptsOne() {
        AppResult free = readFromWhoComputes(new ProcessorRules(1, 0, 0, 0));
        AppResult costly = readFromWhoComputes(new ProcessorRules(1, 0, 2_000, 0));

        // a request for each page, and the arrival at the end
        long interruptedNanos = (PAGES + 1) * 2_000L;
        ProcessorTimes root = costly.nodes().getFirst().processors().total();
        assertEquals(interruptedNanos, root.nanos(ProcessorUse.RUNTIME));
        assertEquals(
                interruptedNanos,
                costly.nodes().getFirst().processors().elapsedNanos()
                        - free.nodes().getFirst().processors().elapsedNanos());
        assertEquals(
                free.nodes().getFirst().processors().total().nanos(ProcessorUse.BUSY),
                root.nanos(ProcessorUse.BUSY));
        // requests are answered after the interruption; replies find a processor that waits
        ProcessorTimes reader = costly.nodes().get(1).processors().total();
        assertEquals(PAGES * 24_000L, reader.nanos(ProcessorUse.MEMORY_STALL));
        assertEquals(0, reader.nanos(ProcessorUse.RUNTIME));
    }

    @Test
    void messageThatFindsAProcessorFree_interruptsNobody() {
        AppResult result = readFromWhoComputes(new ProcessorRules(2, 0, 2_000, 0));

        assertEquals(0, result.processorTimes().nanos(ProcessorUse.RUNTIME));
    }

    /** The processor of the reader has two threads, so replies are signalled while none can run. */
    @Test
    void messageToThreadsThatShareAProcessor_isAnArrivalThoughNoneCanRun() {
        Part reads =
                (node, words) -> {
                    fill(node, words);
                    if (node.id() == 1) {
                        loadAll(words);
                    }
                };
        ProcessorRules costly = new ProcessorRules(1, 0, 2_000, 0);
        AppResult one =
                prepare(2, 1, costly, reads).model(MODEL).delays(Delays.shared(MODEL)).run();
        AppResult two =
                prepare(2, 2, costly, reads).model(MODEL).delays(Delays.shared(MODEL)).run();

        assertEquals(0, one.nodes().get(1).processors().total().nanos(ProcessorUse.RUNTIME));
        long arrivals = two.nodes().get(1).processors().total().nanos(ProcessorUse.RUNTIME);
        assertTrue(arrivals >= PAGES * 2_000L, () -> "arrivals took " + arrivals);
        assertEquals(0, arrivals % 2_000);
    }

    @Test
    void workOfAnAgentWithoutAProcessor_isRuntimeOfTheThreads() {
        long stepNanos = 300;
        MachineModel steps =
                new MachineModel(10_000, 0, 0, stepNanos, 0, 1_000, 1_000, 100, 1_000, 1);
        AppResult result =
                prepare(
                                1,
                                1,
                                new ProcessorRules(1, 0, 0, 0),
                                (node, words) -> node.barrier("alone").await())
                        .model(steps)
                        .delays(Delays.shared(steps))
                        .run();

        ProcessorReport report = result.nodes().getFirst().processors();
        assertAllTimeIsCharged(report);
        // sealing, start, barrier and end: a call each way, and a step
        assertEquals(4 * stepNanos, report.total().nanos(ProcessorUse.RUNTIME));
        assertEquals(200, report.total().nanos(ProcessorUse.BARRIER_STALL));
        assertEquals(3 * 200, report.total().nanos(ProcessorUse.OTHER_STALL));
    }

    // ---- stops at pages ----

    @Test
    void threadThatStopsAtAPage_keepsItsProcessorIfTheRulesSaySo() {
        Part part =
                (node, words) -> {
                    if (node.id() == 1) {
                        if (node.thread() == 0) {
                            words.get(0);
                        }
                        node.work(50_000);
                    }
                };
        ProcessorRules rules = new ProcessorRules(1, 0, 0, 0);
        ProcessorTimes left = run(2, 2, rules, part).nodes().get(1).processors().total();
        ProcessorTimes kept =
                run(2, 2, rules.keptAtPages(), part).nodes().get(1).processors().total();

        assertEquals(0, left.nanos(ProcessorUse.MEMORY_STALL));
        assertTrue(kept.nanos(ProcessorUse.MEMORY_STALL) >= 20_000, kept::toString);
        assertEquals(left.nanos(ProcessorUse.BUSY), kept.nanos(ProcessorUse.BUSY));
    }

    /** A twin needs no other node, so the thread continues before another one could. */
    @Test
    void threadThatStopsForItsOwnAgent_keepsTheProcessorThatBothShare() {
        ProcessorTimes storing = storeAgain(true);
        ProcessorTimes idle = storeAgain(false);

        assertTrue(
                storing.stalls(ProcessorUse.MEMORY_STALL) > idle.stalls(ProcessorUse.MEMORY_STALL),
                storing::toString);
        assertEquals(idle.switches(), storing.switches());
    }

    /**
     * The use of the root's processor when its first thread stores to pages that others have read.
     */
    private static ProcessorTimes storeAgain(boolean isStoring) {
        AppResult result =
                prepare(
                                2,
                                2,
                                new ProcessorRules(1, 1_000, 0, 0),
                                (node, words) -> {
                                    loadAll(words);
                                    node.barrier("loaded").await();
                                    if (isStoring && node.position() == 0) {
                                        words.set(0, 1);
                                        words.set(PAGE_LENGTH, 1);
                                    }
                                    node.work(1_000);
                                    node.barrier("stored").await();
                                })
                        .protocol(Protocol.LAZY)
                        .delays(Delays.shared(MODEL))
                        .run();
        assertTrue(result.isGood(), result::toString);
        assertAllTimeIsCharged(result.nodes().getFirst().processors());
        return result.nodes().getFirst().processors().total();
    }

    // ---- wires ----

    /** A byte takes a microsecond, so a page takes more than four milliseconds. */
    private static final MachineModel SLOW_WIRE =
            new MachineModel(10_000, 1_000_000, 0, 0, 0, 1_000, 1_000, 100, 1_000, 1);

    private static final long INTERFACE_NANOS = 1_000_000;
    private static final SharedWire PACKETS = new SharedWire(1024, 0, 0);

    /** Pages of zeros would be sent as a few bytes. */
    private static void fill(DsmNode node, LongArray words) throws Exception {
        if (node.isRoot()) {
            for (int i = 0; i < PAGES * PAGE_LENGTH; i++) {
                words.set(i, i + 1);
            }
        }
        node.barrier("filled").await();
    }

    @Test
    void pagesOfOneNode_shareItsWireToTheSwitch() {
        Part part =
                (node, words) -> {
                    fill(node, words);
                    words.get(node.id() * PAGE_LENGTH);
                };
        double links =
                prepare(3, 1, ProcessorRules.ONE_EACH, part)
                        .delays(Delays.switched(SLOW_WIRE, PACKETS))
                        .run()
                        .seconds();
        double ports =
                prepare(3, 1, ProcessorRules.ONE_EACH, part)
                        .delays(Delays.ports(SLOW_WIRE, PACKETS))
                        .run()
                        .seconds();

        assertEquals(4_096e-6, ports - links, 300e-6); // one page waits for the other
    }

    /**
     * Request and reply pass two interfaces each. The second reader begins later by one and a half
     * messages, and finds the root's interface busy for half of the first reply.
     */
    @Test
    void messages_passNetworkInterfacesOneAtATime() {
        SharedWire slow = new SharedWire(2 * 4096, 0, 0, INTERFACE_NANOS);
        AppResult result =
                prepare(
                                3,
                                1,
                                new ProcessorRules(1, 0, 0, 0),
                                (node, words) -> {
                                    fill(node, words);
                                    node.work(node.id() * INTERFACE_NANOS / 2);
                                    words.get(node.id() * PAGE_LENGTH);
                                })
                        .delays(Delays.ports(MODEL, slow))
                        .run();

        assertTrue(result.isGood(), result::toString);
        assertEquals(4 * INTERFACE_NANOS, pageStallNanos(result, 1), 100_000);
        assertEquals(4.5 * INTERFACE_NANOS, pageStallNanos(result, 2), 100_000);
    }

    private static long pageStallNanos(AppResult result, int node) {
        ProcessorTimes times = result.nodes().get(node).processors().total();
        return times.nanos(ProcessorUse.MEMORY_STALL);
    }

    @Test
    void prefetches_areDroppedWhileTheNetworkIsBusy() {
        List<Event.PrefetchCalled> dropped = new ArrayList<>();
        AppResult result =
                prepare(
                                2,
                                1,
                                new ProcessorRules(1, 0, 0, 0, 2_000_000, true),
                                (node, words) -> {
                                    fill(node, words);
                                    if (node.id() == 1) {
                                        for (int page = 0; page < PAGES; page++) {
                                            int from = page * PAGE_LENGTH;
                                            words.prefetch(from, from + PAGE_LENGTH, Mode.READ);
                                            node.work(1_500_000);
                                        }
                                        node.work(10_000_000);
                                        loadAll(words);
                                    }
                                })
                        .delays(Delays.ports(SLOW_WIRE, PACKETS))
                        .observers(
                                List.of(
                                        new Observer() {
                                            @Override
                                            public void onPrefetchDropped(
                                                    SimThread thread, Event.PrefetchCalled call) {
                                                dropped.add(call);
                                            }
                                        }))
                        .run();

        assertTrue(result.isGood(), result::toString);
        assertEquals(List.of(1), dropped.stream().map(call -> call.first().index()).toList());
    }

    // ---- nothing changes ----

    @Test
    void processorForEachThread_changesNothing() {
        Part part =
                (node, words) -> {
                    for (int round = 0; round < 5; round++) {
                        node.lock("one").lock();
                        words.set(0, words.get(0) + 1);
                        node.lock("one").unlock();
                        node.work(3_000L * node.position());
                        words.set(PAGE_LENGTH + node.position(), round);
                        node.barrier("round").await();
                    }
                };
        AppResult usual = prepare(3, 2, ProcessorRules.ONE_EACH, part).run();
        AppResult given = prepare(3, 2, new ProcessorRules(2, 0, 0, 0), part).run();

        assertTrue(usual.isGood(), usual::toString);
        assertEquals(usual, given);
    }

    // ---- polls ----

    /** Thread 0 of each node polls for the next store of thread 1 of its node. */
    private static AppResult pollASibling(ProcessorRules rules, Poll poll) {
        return prepare(
                        2,
                        2,
                        rules,
                        (node, words) -> {
                            int flag = node.id() * PAGE_LENGTH;
                            node.barrier("begin").await();
                            if (node.thread() == 1) {
                                node.work(1_000);
                                words.setVolatile(flag, 1);
                                return;
                            }
                            while (words.getVolatile(flag) == 0) {
                                poll.pause(node);
                            }
                        })
                .run();
    }

    /** An action between two loads of a flag. */
    private interface Poll {
        void pause(DsmNode node);
    }

    @Tag("slow")
    @Test
    void pollThatLetsNobodyRun_isAnErrorThatNamesTheThread() {
        String failure =
                pollASibling(new ProcessorRules(1, 0, 0, 0), node -> {})
                        .failure()
                        .orElseThrow()
                        .text();

        assertTrue(failure.contains("thread 0 of node "), failure);
        assertTrue(failure.contains("Poll with refresh() or refreshUntil(...)"), failure);
    }

    @Test
    void pollByRefreshes_letsOthersRun() {
        AppResult result = pollASibling(new ProcessorRules(1, 0, 0, 0), DsmNode::refresh);

        assertTrue(result.isGood(), result::toString);
    }

    @Test
    void pollOfAThreadWithItsOwnProcessor_ends() {
        AppResult result = pollASibling(ProcessorRules.ONE_EACH, _ -> {});

        assertTrue(result.isGood(), result::toString);
    }

    // ---- refused runs ----

    @Test
    void noProcessorsAndNegativeCosts_areRefused() {
        assertEquals(
                "0 processors: a node has at least 1",
                assertThrows(IllegalArgumentException.class, () -> new ProcessorRules(0, 0, 0, 0))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> new ProcessorRules(1, -1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new ProcessorRules(1, 0, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> new ProcessorRules(1, 0, 0, -1));
    }
}
