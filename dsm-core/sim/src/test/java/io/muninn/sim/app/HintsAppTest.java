package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Homes, prefetches and refreshes of programs in a simulation. */
@Timeout(30)
class HintsAppTest {
    private static final int PAGE_LENGTH = 512;
    private static final int PAGES = 12;
    private static final int UNITS = 2_000_000; // longer than any page needs

    private interface Part {
        void run(DsmNode node, Pages program) throws Exception;
    }

    private static final class Pages implements DsmProgram {
        @Shared(Protocol.WRITE_SHARED)
        final LongArray banded = LongArray.of(PAGES * PAGE_LENGTH);

        @Shared(value = Protocol.WRITE_SHARED, home = Home.CYCLIC)
        final LongArray cyclic = LongArray.of(PAGES * PAGE_LENGTH);

        @Shared(value = Protocol.WRITE_SHARED, home = Home.FIRST_TOUCH)
        final LongArray touched = LongArray.of(PAGES * PAGE_LENGTH);

        @Shared(Protocol.MIGRATORY)
        final LongArray counter = LongArray.of(1);

        private final Part part;

        Pages(Part part) {
            this.part = part;
        }

        @Override
        public void initialize(DsmNode root) {
            for (int page = 0; page < PAGES; page++) {
                banded.set(page * PAGE_LENGTH, page);
            }
        }

        @Override
        public void run(DsmNode node) throws Exception {
            part.run(node, this);
        }

        @Override
        public Verdict verify(DsmNode root) {
            return Verdict.right("");
        }
    }

    private static AppRun prepare(int nodes, Part part) {
        return AppRun.of(() -> new Pages(part), nodes);
    }

    private static AppResult run(AppRun run) {
        AppResult result = run.run();
        assertEquals(List.of(), result.failure().stream().toList());
        return result;
    }

    @Test
    void homes_areTheSameOnEveryNode() {
        run(
                prepare(
                        3,
                        (node, program) -> {
                            LongArray later =
                                    node.allocate(
                                            "later",
                                            LongArray.of(PAGES * PAGE_LENGTH),
                                            Protocol.WRITE_SHARED,
                                            Home.ROOT);
                            for (int page = 0; page < PAGES; page++) {
                                int last = (page + 1) * PAGE_LENGTH - 1;
                                assertEquals(page * 3 / PAGES, program.banded.home(last));
                                assertEquals(page % 3, program.cyclic.home(last));
                                assertEquals(0, program.touched.home(last));
                                assertEquals(0, later.home(last));
                            }
                        }));
    }

    @Test
    void homeByFirstTouch_isKnownToItsNodeAndToWhoHasAskedIt() {
        run(
                prepare(
                                3,
                                (node, program) -> {
                                    DsmBarrier done = node.barrier("done");
                                    if (node.id() > 0) {
                                        program.touched.set(node.id() * PAGE_LENGTH, 7);
                                        assertEquals(
                                                node.id(),
                                                program.touched.home(node.id() * PAGE_LENGTH));
                                    }
                                    done.await();
                                    if (node.id() == 1) {
                                        assertEquals(0, program.touched.home(2 * PAGE_LENGTH));
                                        assertEquals(7, program.touched.get(2 * PAGE_LENGTH));
                                        assertEquals(2, program.touched.home(2 * PAGE_LENGTH));
                                    }
                                    done.await();
                                    if (node.id() == 0) {
                                        assertEquals(1, program.touched.home(PAGE_LENGTH));
                                        assertEquals(0, program.touched.home(0));
                                    }
                                })
                        .protocol(Protocol.HOME_BASED));
    }

    private static void load(LongArray pages, int count) {
        for (int page = 0; page < count; page++) {
            assertEquals(page, pages.get(page * PAGE_LENGTH));
        }
    }

    /** Node 1 loads from all pages, some time after it has prefetched some of them. */
    private static AppResult loadAfterPrefetch(Protocol protocol, int prefetched) {
        return run(
                prepare(
                                2,
                                (node, program) -> {
                                    if (node.id() == 1) {
                                        program.banded.prefetch(0, prefetched * PAGE_LENGTH);
                                        node.work(UNITS);
                                        load(program.banded, PAGES);
                                    }
                                })
                        .protocol(protocol));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "READ_ONLY", "WRITE_SHARED", "PIPELINED", "HOME_BASED"})
    void prefetchedPages_areHitsAndSaveTheirTime(Protocol protocol) {
        AppResult with = loadAfterPrefetch(protocol, PAGES);
        AppResult without = loadAfterPrefetch(protocol, 0);

        assertEquals(PAGES, with.total(NodeCounter.PREFETCHES));
        assertEquals(PAGES, with.total(NodeCounter.PREFETCH_HITS));
        assertEquals(0, with.total(NodeCounter.PREFETCHES_LATE));
        assertEquals(0, without.total(NodeCounter.PREFETCHES));
        assertEquals(0, without.total(NodeCounter.PREFETCH_HITS));
        long waited = with.nodes().get(1).value(NodeCounter.FAULT_NANOS);
        assertTrue(
                waited < without.nodes().get(1).value(NodeCounter.FAULT_NANOS) / 2,
                "waited " + waited + " ns");
    }

    @Test
    void prefetchOfMigratoryPages_isIgnored() {
        AppResult result = loadAfterPrefetch(Protocol.MIGRATORY, PAGES);

        assertEquals(PAGES, result.total(NodeCounter.PREFETCHES));
        assertEquals(0, result.total(NodeCounter.PREFETCH_HITS));
    }

    @Test
    void prefetchOfWhatIsHereOrUnderWay_isUnnecessary() {
        AppResult result =
                run(
                        prepare(
                                2,
                                (node, program) -> {
                                    if (node.id() == 1) {
                                        program.banded.prefetch(0, PAGE_LENGTH);
                                        program.banded.prefetch(0, 3 * PAGE_LENGTH, Mode.WRITE);
                                        load(program.banded, 3); // the first is late
                                    }
                                }));

        assertEquals(4, result.total(NodeCounter.PREFETCHES));
        assertEquals(1, result.total(NodeCounter.PREFETCHES_UNNECESSARY));
        assertEquals(
                3,
                result.total(NodeCounter.PREFETCHES_LATE)
                        + result.total(NodeCounter.PREFETCH_HITS));
        assertTrue(result.total(NodeCounter.PREFETCHES_LATE) > 0);
    }

    @Test
    void prefetch_endsAtItsLimit() {
        int pages = LongArray.PREFETCH_PAGES_MAX + 3;
        AppResult result =
                run(
                        prepare(
                                2,
                                (node, program) -> {
                                    LongArray large =
                                            node.allocate(
                                                    "large",
                                                    LongArray.of(pages * PAGE_LENGTH),
                                                    Protocol.CONVENTIONAL);
                                    if (node.id() == 1) {
                                        large.prefetch(0, large.length());
                                    }
                                }));

        assertEquals(LongArray.PREFETCH_PAGES_MAX, result.total(NodeCounter.PREFETCHES));
    }

    /** Node 0 polls for a store that node 1 never releases. */
    @Test
    void pollerThatRefreshes_seesWhatIsStored() {
        AppResult result =
                run(
                        prepare(
                                2,
                                (node, program) -> {
                                    LongArray flag = program.touched;
                                    flag.get(0); // a copy on each node
                                    node.barrier("copies").await();
                                    if (node.id() == 1) {
                                        flag.set(0, 7);
                                        node.messages().receive(0, 1);
                                        return;
                                    }
                                    node.refreshUntil(() -> flag.getVolatile(0) == 7);
                                    node.messages().send(1, 1, new byte[0]);
                                }));

        assertTrue(result.byKind().get("refresh-reply").messages() >= 1);
    }

    /** The limit is in virtual time; the text tells for whom and how long the poller has waited. */
    @Test
    void pollerWithALimit_givesUp() {
        run(
                prepare(
                        2,
                        (node, program) -> {
                            if (node.isRoot()) {
                                TimeoutException late =
                                        assertThrows(
                                                TimeoutException.class,
                                                () ->
                                                        node.refreshUntil(
                                                                () -> program.touched.get(0) == 7,
                                                                50,
                                                                TimeUnit.MILLISECONDS));
                                assertTrue(
                                        late.getMessage()
                                                .startsWith(
                                                        "the condition of refreshUntil on node 0"
                                                                + " did not hold after 50 ms and "),
                                        late.getMessage());
                                node.refreshUntil(() -> true, 0, TimeUnit.NANOSECONDS);
                            }
                        }));
    }

    /** The root stores outside of any critical section, so it learns nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pageOfWhichTheProgramTells_travelsWithTheFirstGrant(boolean isTold) {
        AppResult result =
                run(
                        prepare(
                                2,
                                (node, program) -> {
                                    DsmLock lock = node.lock("count");
                                    DsmBarrier stored = node.barrier("stored");
                                    if (node.isRoot()) {
                                        program.counter.set(0, 41);
                                        lock.lock();
                                        if (isTold) {
                                            lock.guards(program.counter, 0, 1);
                                        }
                                        lock.unlock();
                                    }
                                    stored.await();
                                    if (!node.isRoot()) {
                                        lock.lock();
                                        program.counter.set(0, program.counter.get(0) + 1);
                                        lock.unlock();
                                        assertEquals(42, program.counter.get(0));
                                    }
                                }));

        var other = result.nodes().get(1);
        assertEquals(
                isTold ? 0 : 1,
                other.value(NodeCounter.READ_FAULTS) + other.value(NodeCounter.WRITE_FAULTS));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "READ_ONLY")
    void lockOfPagesThatAnOverrideDoesNotLetTravel_isNoError(Protocol override) {
        run(
                prepare(
                                2,
                                (node, program) -> {
                                    DsmLock lock = node.lock("count");
                                    lock.guards(program.counter, 0, 1);
                                    lock.lock();
                                    program.counter.set(0, program.counter.get(0) + 1);
                                    lock.unlock();
                                })
                        .protocol(override));
    }
}
