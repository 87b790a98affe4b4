package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Conditions of several nodes: woken threads, costs, and effects on other waits. */
class WaitingTest {
    private static final LockId LOCK = new LockId("lock");
    private static final ConditionId FULL = new ConditionId(LOCK, "full");
    private static final ConditionId EMPTY = new ConditionId(LOCK, "empty");
    private static final long FOR_EVER = ManualThread.FOR_EVER;
    private static final long LIMIT_NANOS = 1_000;

    private final List<String> woken = new ArrayList<>();

    /** Waits at a condition, and releases the lock when it has been there. */
    private void await(ManualCluster fixture, int node, int thread, ConditionId condition) {
        fixture.thread(node, thread)
                .acquire(LOCK)
                .awaitCondition(condition, FOR_EVER)
                .tell(() -> woken.add(node + "/" + thread))
                .release(LOCK);
        fixture.settle();
    }

    private static void signal(
            ManualCluster fixture, int node, ConditionId condition, boolean all) {
        fixture.thread(node, 0).acquire(LOCK).signal(condition, all).release(LOCK);
        fixture.settle();
    }

    @Test
    void signals_wakeTheOldestFirstWhereverTheyAre() {
        ManualCluster fixture = new ManualCluster(4, 2);
        await(fixture, 2, 0, FULL);
        await(fixture, 0, 1, FULL);
        await(fixture, 2, 1, FULL);
        await(fixture, 1, 0, EMPTY);
        assertEquals(List.of(), woken);

        signal(fixture, 3, FULL, false);
        assertEquals(List.of("2/0"), woken);
        signal(fixture, 0, FULL, false);
        assertEquals(List.of("2/0", "0/1"), woken);
        signal(fixture, 3, FULL, false);
        signal(fixture, 3, FULL, false);

        assertEquals(List.of("2/0", "0/1", "2/1"), woken);
    }

    @Test
    void signalForAll_wakesAllOfOneCondition() {
        ManualCluster fixture = new ManualCluster(4, 2);
        await(fixture, 2, 0, FULL);
        await(fixture, 0, 1, FULL);
        await(fixture, 2, 1, FULL);
        await(fixture, 1, 0, EMPTY);

        signal(fixture, 3, FULL, true);

        assertEquals(List.of("0/1", "2/0", "2/1"), woken.stream().sorted().toList());
        assertFalse(fixture.thread(1, 0).isDone());
    }

    @Test
    void signalWhenNobodyWaits_isForgotten() {
        ManualCluster fixture = new ManualCluster(2, 1);
        signal(fixture, 1, FULL, false);

        await(fixture, 1, 0, FULL);

        assertEquals(List.of(), woken);
    }

    /**
     * Two messages to enter, one to wake; two for a signal, but none for the root's signal here.
     */
    @Test
    void wait_costsThreeMessagesAndASignalTwo() {
        ManualCluster fixture = new ManualCluster(3, 1);
        fixture.thread(1, 0).acquire(LOCK);
        fixture.settle();
        fixture.forgetSent();

        fixture.thread(1, 0).awaitCondition(FULL, FOR_EVER);
        fixture.settle();
        assertEquals(2, fixture.sent().size());
        fixture.thread(2, 0).acquire(LOCK);
        fixture.settle();
        fixture.forgetSent();
        fixture.thread(2, 0).signal(FULL, false);
        fixture.settle();

        assertEquals(1, fixture.sent("condition-signal"));
        assertEquals(1, fixture.sent("condition-signalled"));
        assertEquals(1, fixture.sent("condition-wake"));
    }

    @Test
    void threadsOfTheRoot_waitAndSignalWithoutAMessage() {
        ManualCluster fixture = new ManualCluster(2, 2);
        await(fixture, 0, 1, FULL);

        signal(fixture, 0, FULL, false);

        assertEquals(List.of("0/1"), woken);
        assertEquals(List.of(), fixture.sent());
    }

    @Test
    void signal_comesAfterWhatItsNodeHasStored() {
        ManualCluster fixture =
                new ManualCluster(3, 1, ManualCluster.region(0, Protocol.WRITE_SHARED, 1));
        PageId page = new PageId(0, 0);
        List<Long> seen = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            fixture.thread(i, 0).load(page, 0, _ -> {});
            fixture.settle();
        }
        await(fixture, 1, 0, FULL);
        fixture.thread(2, 0).acquire(LOCK);
        fixture.settle();
        fixture.hold(2, 1);

        fixture.thread(2, 0).store(page, 0, 7).signal(FULL, false);
        fixture.settle();
        assertEquals(0, fixture.sent("condition-signal"));
        fixture.free(2, 1);
        fixture.settle();

        assertEquals(1, fixture.sent("condition-signal"));
        fixture.thread(1, 0).load(page, 0, seen::add);
        fixture.thread(2, 0).release(LOCK);
        fixture.settle();
        assertEquals(List.of(7L), seen);
    }

    @Test
    void waitThatIsOver_isAnsweredAndTheNextIsWoken() {
        ManualCluster fixture = new ManualCluster(3, 1);
        fixture.thread(1, 0).acquire(LOCK).awaitCondition(FULL, LIMIT_NANOS).release(LOCK);
        await(fixture, 2, 0, FULL); // lets the time pass
        assertTrue(fixture.thread(1, 0).isDone());
        assertEquals(1, count(fixture.thread(1, 0), Outcome.TimedOut.class));

        signal(fixture, 0, FULL, false);

        assertEquals(List.of("2/0"), woken);
    }

    private static long count(ManualThread thread, Class<? extends Outcome> type) {
        return thread.outcomes().stream().filter(type::isInstance).count();
    }

    @Test
    void interruptedWait_isCancelledAndTheNextIsWoken() {
        ManualCluster fixture = new ManualCluster(3, 1);
        await(fixture, 1, 0, FULL);
        await(fixture, 2, 0, FULL);

        fixture.thread(1, 0).cancelAwaitSignal();
        fixture.settle();
        assertTrue(fixture.thread(1, 0).outcomes().contains(Outcome.CANCELLED));
        woken.clear();
        signal(fixture, 0, FULL, false);

        assertEquals(List.of("2/0"), woken);
    }

    /** A thread that waits at a condition is not at a barrier: it may still arrive there. */
    @Test
    void waitAtACondition_breaksNoBarrierThatOthersWaitAt() {
        BarrierId barrier = new BarrierId("all");
        ManualCluster fixture = new ManualCluster(3, 2);
        await(fixture, 1, 1, FULL);
        for (int i = 0; i < 3; i++) {
            fixture.thread(i, 0).await(barrier);
        }
        fixture.thread(0, 1).await(barrier);
        fixture.settle();
        assertEquals(0, fixture.sent("barrier-broken"));

        fixture.thread(2, 1).acquire(LOCK).signal(FULL, false).release(LOCK).await(barrier);
        fixture.settle();
        fixture.thread(1, 1).await(barrier);
        fixture.settle();

        for (int i = 0; i < 3; i++) {
            assertEquals(Outcome.DONE, fixture.thread(i, 0).outcomes().getLast());
            assertEquals(Outcome.DONE, fixture.thread(i, 1).outcomes().getLast());
        }
    }

    @Test
    void lostNode_endsEveryWaitAndEveryLaterCall() {
        ManualCluster fixture = new ManualCluster(3, 2);
        await(fixture, 1, 0, FULL);
        await(fixture, 2, 0, FULL);
        fixture.thread(1, 1).acquire(LOCK);
        fixture.settle();

        fixture.lose(0);
        fixture.settle();
        assertInstanceOf(Outcome.Lost.class, fixture.thread(1, 0).outcomes().getLast());
        assertInstanceOf(Outcome.Lost.class, fixture.thread(2, 0).outcomes().getLast());
        fixture.thread(1, 1).signal(FULL, true);
        fixture.settle();
        fixture.thread(2, 1).enterCondition(FULL);
        fixture.settle();

        assertInstanceOf(Outcome.Lost.class, fixture.thread(1, 1).outcomes().getLast());
        assertInstanceOf(Outcome.Lost.class, fixture.thread(2, 1).outcomes().getLast());
    }
}
