package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.NodeCounter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Write-shared pages on several nodes: which nodes receive a store, in which order, and which wait.
 */
class UpdatingTest {
    private static final PageId PAGE = new PageId(0, 0);
    private static final LockId LOCK = new LockId("lock");
    private static final BarrierId BARRIER = new BarrierId("barrier");
    private static final int NOBODY_RECEIVES = 99;

    @Test
    void twoWritersOfOnePage_bothSeeBothAfterTheBarrier() {
        ManualCluster fixture = cluster(2, 1);
        fixture.thread(0, 0).store(PAGE, 0, 10).await(BARRIER);
        fixture.thread(1, 0).store(PAGE, 1, 11).await(BARRIER);

        fixture.settle();

        for (int i = 0; i < 2; i++) {
            assertEquals(10, loaded(fixture, i, 0), "node " + i);
            assertEquals(11, loaded(fixture, i, 1), "node " + i);
        }
        assertEquals(1, fixture.count(NodeCounter.PAGES_FETCHED), "the barrier fetched nothing");
    }

    @Test
    void copyServedBehindTheReleasersBack_isFoundByItsServersAcknowledgement() {
        ManualCluster fixture = cluster(3, 1);
        give(fixture, 1);
        fixture.thread(1, 0).store(PAGE, 0, 5);
        fixture.settle();
        give(fixture, 2); // served by the root; node 1 is not notified
        fixture.forgetSent();

        release(fixture, 1);

        assertEquals(5, held(fixture, 2, 0));
        assertEquals(5, held(fixture, 0, 0));
        assertEquals(2, fixture.sent("update"), "one to the root, then one to node 2");
    }

    @Test
    void updateThatOvertookTheImage_isKeptAndAcknowledgedWhenApplied() {
        ManualCluster fixture = cluster(3, 1);
        give(fixture, 1);
        fixture.thread(1, 0).store(PAGE, 0, 5);
        fixture.settle();
        fixture.hold(0, 2);
        give(fixture, 2);

        release(fixture, 1);

        assertFalse(fixture.thread(1, 0).isDone(), "node 2 has not acknowledged");
        assertFalse(fixture.node(2).pages().isPresent(PAGE));
        fixture.free(0, 2);
        fixture.settle();
        assertTrue(fixture.thread(1, 0).isDone());
        assertEquals(5, held(fixture, 2, 0));
        assertEquals(0, fixture.node(2).pages().diffsLeft());
    }

    @Test
    void laterFlushOfAPage_doesNotOvertakeTheClosureOfTheEarlierOne() {
        ManualCluster fixture = cluster(3, 2);
        give(fixture, 1);
        fixture.thread(1, 0).store(PAGE, 0, 1);
        fixture.settle();
        give(fixture, 2); // served by the root; node 1 is not notified
        fixture.hold(0, 1);
        release(fixture, 1);
        fixture.thread(2, 0).store(PAGE, 7, 70);
        release(fixture, 2); // now node 1 knows that node 2 holds a copy
        fixture.thread(1, 1).store(PAGE, 0, 2).send(2, NOBODY_RECEIVES, Bytes.EMPTY);
        fixture.settle();

        fixture.free(0, 1);
        fixture.settle();

        assertTrue(fixture.thread(1, 1).isDone());
        assertEquals(2, held(fixture, 2, 0), "the first flush reached node 2 after the second");
        assertEquals(2, held(fixture, 0, 0));
    }

    @Test
    void storeTakenBackBeforeTheRelease_wasNeverServed() {
        ManualCluster fixture = cluster(3, 1);
        give(fixture, 1);
        fixture.thread(0, 0).store(PAGE, 3, 1);
        fixture.settle();
        give(fixture, 2); // while the root's 1 is not released

        fixture.thread(0, 0).store(PAGE, 3, 0);
        release(fixture, 0);

        assertEquals(0, held(fixture, 1, 3));
        assertEquals(0, held(fixture, 2, 3));
        assertEquals(1, fixture.count(NodeCounter.DIFFS_EMPTY));
    }

    @Test
    void tokenWithAFlushOutstanding_waitsForTheLastAcknowledgement() {
        ManualCluster fixture = cluster(3, 1);
        give(fixture, 1);
        give(fixture, 2);
        fixture.thread(1, 0).acquire(LOCK).store(PAGE, 0, 8).release(LOCK);
        fixture.settle();
        fixture.thread(1, 0).acquire(LOCK).store(PAGE, 0, 9).release(LOCK);
        fixture.settleNow(); // flush delay not over: dirty
        fixture.hold(1, 0); // the update to the root is late, and its acknowledgement with it
        fixture.forgetSent();
        fixture.thread(2, 0).acquire(LOCK);
        fixture.settle();

        assertEquals(0, fixture.sent("lock-grant"), "the token overtook an update");
        fixture.free(1, 0);
        fixture.settle();
        assertEquals(1, fixture.sent("lock-grant"));
        assertTrue(fixture.thread(2, 0).isDone());
        assertEquals(9, held(fixture, 2, 0));
    }

    @Test
    void releaseThatFindsTheQueueEmpty_waitsForTheOtherThreadsFlush() {
        ManualCluster fixture = cluster(2, 2);
        give(fixture, 1);
        fixture.thread(1, 1).store(PAGE, 4, 44);
        fixture.settle();
        fixture.hold(1, 0);
        release(fixture, 1); // thread 0's flush takes thread 1's store along
        fixture.thread(1, 1).send(0, NOBODY_RECEIVES, Bytes.EMPTY);
        fixture.settle();

        assertFalse(fixture.thread(1, 1).isDone(), "the store has not arrived");
        fixture.free(1, 0);
        fixture.settle();
        assertTrue(fixture.thread(1, 1).isDone());
        assertEquals(44, held(fixture, 0, 4));
    }

    @Test
    void idlePageOfTheRoot_movesToTheFirstThatAsksAndIsExclusiveThere() {
        ManualCluster fixture = cluster(2, 1);
        fixture.thread(0, 0).store(PAGE, 0, 6).seal();
        fixture.settle();

        fixture.thread(1, 0).store(PAGE, 1, 7);
        release(fixture, 1);

        assertEquals(6, held(fixture, 1, 0));
        assertFalse(fixture.node(0).pages().isPresent(PAGE));
        assertEquals(PageAccess.READ_WRITE, fixture.node(1).pages().access(PAGE));
        assertEquals(0, fixture.count(NodeCounter.TWINS_MADE));
        assertEquals(0, fixture.sent("update"));
    }

    @Test
    void rootThatAsksForItsFormerPage_getsACopyWithTheStores() {
        ManualCluster fixture = cluster(2, 1);
        fixture.thread(0, 0).store(PAGE, 0, 6).seal();
        fixture.settle();
        fixture.thread(1, 0).store(PAGE, 1, 7);
        fixture.settle();

        assertEquals(7, loaded(fixture, 0, 1));
        assertEquals(6, held(fixture, 0, 0));
    }

    @Test
    void requestsForAPageThatWasHandedOver_areForwardedToItsHolder() {
        ManualCluster fixture = cluster(4, 1);
        fixture.thread(0, 0).store(PAGE, 0, 6).seal();
        fixture.settle();
        fixture.hold(0, 1);
        give(fixture, 1);
        give(fixture, 2);
        give(fixture, 3);
        fixture.free(0, 1);

        fixture.settle();

        for (int i = 1; i < 4; i++) {
            assertEquals(6, held(fixture, i, 0), "node " + i);
        }
        assertEquals(2, fixture.count(NodeCounter.FORWARDS));
    }

    @Test
    void storesOfAPollingProgram_arriveAShortTimeAfterALocalRelease() {
        ManualCluster fixture = cluster(2, 1);
        give(fixture, 1);
        fixture.thread(0, 0).acquire(LOCK).store(PAGE, 0, 3).release(LOCK);
        fixture.settleNow();

        assertEquals(0, held(fixture, 1, 0));
        fixture.settle();

        assertEquals(3, held(fixture, 1, 0));
    }

    @Test
    void flushOfMorePagesThanMayBeUnderWay_isCutIntoSteps() {
        int pages = 700;
        ManualCluster fixture =
                new ManualCluster(2, 1, ManualCluster.region(0, Protocol.WRITE_SHARED, pages));
        for (int i = 0; i < pages; i++) {
            fixture.thread(1, 0).load(new PageId(0, i), 0, _ -> {});
            fixture.thread(0, 0).store(new PageId(0, i), 0, 0);
        }
        fixture.settle();
        fixture.thread(0, 0).load(PAGE, 0, _ -> {}); // root and node 1 hold every page
        for (int i = 0; i < pages; i++) {
            fixture.thread(1, 0).store(new PageId(0, i), 5, i + 1);
        }
        fixture.settle();
        fixture.hold(0, 1);
        fixture.forgetSent();
        fixture.thread(1, 0).send(0, NOBODY_RECEIVES, Bytes.EMPTY);
        fixture.settle();

        assertEquals(1, fixture.sent("update"), "256 pages are under way");
        fixture.free(0, 1);
        fixture.settle();

        assertTrue(fixture.thread(1, 0).isDone());
        assertEquals(pages, fixture.count(NodeCounter.DIFFS_APPLIED));
        for (int i = 0; i < pages; i++) {
            assertEquals(i + 1, fixture.held(0, new PageId(0, i), 5));
        }
    }

    @Test
    void writerWithTwoReaders_sendsOneUpdateToEachAndGetsOneAckFromEach() {
        ManualCluster fixture = cluster(3, 1);
        give(fixture, 1);
        give(fixture, 2);
        fixture.thread(0, 0).store(PAGE, 0, 1);
        fixture.settle();
        fixture.forgetSent();

        release(fixture, 0);

        assertEquals(2, fixture.sent("update"));
        assertEquals(2, fixture.sent("update-ack"));
        assertEquals(1, fixture.count(NodeCounter.DIFFS_MADE));
    }

    /** Munin §6.2: communication between neighbours only, at the end of each iteration. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7})
    void sweepOfFiniteDifferencing_costsEightMessagesABoundaryAndNoReadFault(int nodes) {
        int pagesPerBand = 3; // a boundary row, the interior, a boundary row
        ManualCluster fixture =
                new ManualCluster(
                        nodes,
                        1,
                        ManualCluster.region(0, Protocol.WRITE_SHARED, nodes * pagesPerBand));
        fixture.thread(0, 0).seal();
        fixture.settle();
        for (int i = 1; i <= 2; i++) {
            sweep(fixture, pagesPerBand, i);
        }
        fixture.forgetSent();
        long readFaults = fixture.count(NodeCounter.READ_FAULTS);
        long writeFaults = fixture.count(NodeCounter.WRITE_FAULTS);

        sweep(fixture, pagesPerBand, 3);

        int boundaries = nodes - 1;
        assertEquals(8 * boundaries, fixture.sent().size());
        assertEquals(2 * boundaries, fixture.sent("update"));
        assertEquals(2 * boundaries, fixture.sent("update-ack"));
        assertEquals(2 * boundaries, fixture.sent("barrier-arrive"));
        assertEquals(2 * boundaries, fixture.sent("barrier-depart"));
        assertEquals(0, fixture.count(NodeCounter.READ_FAULTS) - readFaults);
        assertEquals(2 * boundaries, fixture.count(NodeCounter.WRITE_FAULTS) - writeFaults);
    }

    /** Every node loads its band and its neighbours' rows, and after a barrier stores its band. */
    private static void sweep(ManualCluster fixture, int pagesPerBand, int value) {
        int pages = fixture.nodes().size() * pagesPerBand;
        for (int node = 0; node < fixture.nodes().size(); node++) {
            ManualThread thread = fixture.thread(node, 0);
            int first = node * pagesPerBand;
            int end = first + pagesPerBand;
            for (int i = Math.max(0, first - 1); i < Math.min(pages, end + 1); i++) {
                thread.load(new PageId(0, i), 0, _ -> {});
            }
            thread.await(BARRIER);
            for (int i = first; i < end; i++) {
                thread.store(new PageId(0, i), 0, value);
            }
            thread.await(BARRIER);
        }
        fixture.settle();
    }

    private static ManualCluster cluster(int nodes, int threads) {
        ManualCluster fixture =
                new ManualCluster(
                        nodes, threads, ManualCluster.region(0, Protocol.WRITE_SHARED, 1));
        fixture.thread(0, 0).load(PAGE, 511, _ -> {}); // the root uses it: it keeps a copy
        fixture.settle();
        return fixture;
    }

    /** Gives a node a copy of the page. */
    private static void give(ManualCluster fixture, int node) {
        fixture.thread(node, 0).load(PAGE, 0, _ -> {});
        fixture.settle();
    }

    /** Makes the node release, which has to wait for all dirty pages. */
    private static void release(ManualCluster fixture, int node) {
        int to = node == 0 ? 1 : 0;
        fixture.thread(node, 0).send(to, NOBODY_RECEIVES, Bytes.EMPTY);
        fixture.settle();
    }

    private static long held(ManualCluster fixture, int node, int word) {
        return fixture.held(node, PAGE, word);
    }

    private static long loaded(ManualCluster fixture, int node, int word) {
        AtomicLong seen = new AtomicLong(-1);
        fixture.thread(node, 0).load(PAGE, word, seen::set);
        fixture.settle();
        return seen.get();
    }
}
