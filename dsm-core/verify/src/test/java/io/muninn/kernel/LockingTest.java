package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.LockId;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.sync.LockManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Locks of several nodes: which node receives the token, in which order, and at what cost. */
class LockingTest {
    private static final LockId LOCK = new LockId("lock");
    private static final long LIMIT_NANOS = 1_000;

    @Test
    void reacquireByTheLastHolder_sendsNothingAndAsksNobody() {
        ManualCluster fixture = new ManualCluster(2, 1);
        fixture.thread(1, 0).acquire(LOCK).release(LOCK);
        fixture.settle();
        fixture.forgetSent();

        for (int i = 0; i < 100; i++) {
            fixture.thread(1, 0).acquire(LOCK).release(LOCK);
        }
        fixture.settle();

        assertTrue(fixture.thread(1, 0).isDone());
        assertEquals(List.of(), fixture.sent());
        assertEquals(1, fixture.node(1).count(NodeCounter.LOCK_CALLS));
    }

    @Test
    void firstAcquireOfAnotherNode_costsARequestAndAGrant() {
        ManualCluster fixture = new ManualCluster(2, 1);

        fixture.thread(1, 0).acquire(LOCK);
        fixture.settle();

        assertTrue(fixture.thread(1, 0).isDone());
        assertEquals(1, fixture.sent("lock-request"));
        assertEquals(1, fixture.sent("lock-grant"));
    }

    @Test
    void nodesThatAskOneAfterTheOther_getTheLockInThatOrder() {
        ManualCluster fixture = new ManualCluster(5, 1);
        fixture.thread(0, 0).acquire(LOCK);
        fixture.settle();
        List<Integer> served = new ArrayList<>();
        List<Integer> asked = List.of(3, 1, 4, 2);
        for (int node : asked) {
            fixture.thread(node, 0).acquire(LOCK).tell(() -> served.add(node)).release(LOCK);
            fixture.settle();
        }

        fixture.thread(0, 0).release(LOCK);
        fixture.settle();

        assertEquals(asked, served);
    }

    @Test
    void requestThatMeetsATokenJustPassed_isForwardedBehindIt() {
        ManualCluster fixture = new ManualCluster(3, 1);
        fixture.hold(0, 1);
        fixture.thread(1, 0).acquire(LOCK);
        fixture.settle();
        fixture.thread(2, 0).acquire(LOCK);
        fixture.settle();

        fixture.free(0, 1);
        fixture.settle();
        assertTrue(fixture.thread(1, 0).isDone());
        assertFalse(fixture.thread(2, 0).isDone());
        fixture.thread(1, 0).release(LOCK);
        fixture.settle();

        assertTrue(fixture.thread(2, 0).isDone());
        assertEquals(1, fixture.count(NodeCounter.FORWARDS));
    }

    @Test
    void localWaiters_areServedAtMostSixteenTimesBeforeAnotherNode() {
        int threads = LockManager.LOCAL_HANDOVERS_MAX + 6;
        ManualCluster fixture = new ManualCluster(2, threads);
        List<String> served = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        fixture.thread(0, 0).acquire(LOCK);
        fixture.settle();
        for (int i = 1; i < threads; i++) {
            String name = "0/" + i;
            expected.add(name);
            fixture.thread(0, i).acquire(LOCK).tell(() -> served.add(name)).release(LOCK);
            fixture.settle();
        }
        fixture.thread(1, 0).acquire(LOCK).tell(() -> served.add("1/0")).release(LOCK);
        expected.add(LockManager.LOCAL_HANDOVERS_MAX, "1/0");
        fixture.settle();

        fixture.thread(0, 0).release(LOCK);
        fixture.settle();

        assertEquals(expected, served);
    }

    @Test
    void waiterThatGaveUp_leavesTheTokenToWhoeverFollows() {
        ManualCluster fixture = new ManualCluster(3, 1);
        fixture.thread(0, 0).acquire(LOCK);
        fixture.settle();
        fixture.thread(1, 0).acquire(LOCK, LIMIT_NANOS);
        fixture.settle();
        fixture.thread(2, 0).acquire(LOCK);
        fixture.settle();
        assertEquals(
                List.of(
                        new Outcome.TimedOut(
                                "lock 'lock': its token is on another node, last heard of at"
                                        + " node 0")),
                fixture.thread(1, 0).outcomes());

        fixture.thread(0, 0).release(LOCK);
        fixture.settle();

        assertTrue(fixture.thread(2, 0).isDone());
    }

    @Test
    void waiterThatGaveUpAlone_leavesTheTokenLentOnItsNode() {
        ManualCluster fixture = new ManualCluster(2, 1);
        fixture.thread(0, 0).acquire(LOCK);
        fixture.settle();
        fixture.thread(1, 0).acquire(LOCK, LIMIT_NANOS);
        fixture.settle();
        fixture.thread(0, 0).release(LOCK);
        fixture.settle();
        fixture.forgetSent();

        fixture.thread(1, 0).acquire(LOCK);
        fixture.settle();

        assertTrue(fixture.thread(1, 0).isDone());
        assertEquals(List.of(), fixture.sent());
    }

    @Test
    void interruptedWaiter_isCancelledAndTheOthersGoOn() {
        ManualCluster fixture = new ManualCluster(1, 3);
        fixture.thread(0, 0).acquire(LOCK);
        fixture.settle();
        fixture.thread(0, 1).acquire(LOCK);
        fixture.settle();
        fixture.thread(0, 2).acquire(LOCK);
        fixture.settle();

        fixture.thread(0, 1).cancelAcquire(LOCK);
        fixture.thread(0, 0).release(LOCK);
        fixture.settle();

        assertEquals(List.of(Outcome.CANCELLED), fixture.thread(0, 1).outcomes());
        assertEquals(List.of(Outcome.DONE), fixture.thread(0, 2).outcomes());
    }

    @Test
    void cancellationThatCrossedTheGrant_changesNothing() {
        ManualCluster fixture = new ManualCluster(1, 1);
        fixture.thread(0, 0).acquire(LOCK);
        fixture.settle();

        fixture.thread(0, 0).cancelAcquire(LOCK);
        fixture.settle();

        assertEquals(List.of(Outcome.DONE), fixture.thread(0, 0).outcomes());
    }
}
