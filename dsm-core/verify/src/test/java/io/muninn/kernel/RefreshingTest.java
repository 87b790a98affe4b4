package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.PageId;
import io.muninn.spi.Outcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Refreshes between several nodes: visible stores, waits and costs. */
class RefreshingTest {
    private static final PageId PAGE = new PageId(0, 0);
    private static final int WORD = 5;
    private static final int POLLER = 1;
    private static final int WRITER = 2;

    private final AtomicLong seen = new AtomicLong(-1);

    /** Nodes 1 and 2 have copies, and node 2 has stored 7 since, if its protocol permits it. */
    private static ManualCluster stored(Protocol protocol) {
        ManualCluster fixture = new ManualCluster(3, 1, ManualCluster.region(0, protocol, 1));
        fixture.thread(POLLER, 0).load(PAGE, WORD, _ -> {});
        fixture.settle();
        fixture.thread(WRITER, 0).load(PAGE, WORD, _ -> {}).store(PAGE, WORD, 7);
        fixture.settle();
        fixture.forgetSent();
        return fixture;
    }

    @ParameterizedTest
    @EnumSource(value = Protocol.class, mode = EnumSource.Mode.EXCLUDE, names = "READ_ONLY")
    void poller_seesWhatWasStoredBefore(Protocol protocol) {
        ManualCluster fixture = stored(protocol);

        fixture.thread(POLLER, 0).refresh().load(PAGE, WORD, seen::set);
        fixture.settle();

        assertEquals(7, seen.get());
        assertEquals(2, fixture.sent("refresh-request"));
        assertEquals(2, fixture.sent("refresh-reply"));
    }

    @Test
    void pollerThatDoesNotRefresh_seesTheOldValue() {
        ManualCluster fixture = stored(Protocol.WRITE_SHARED);

        fixture.thread(POLLER, 0).load(PAGE, WORD, seen::set);
        fixture.settleNow();

        assertEquals(0, seen.get());
    }

    @Test
    void answer_waitsUntilTheStoresAreEverywhere() {
        ManualCluster fixture = stored(Protocol.WRITE_SHARED);
        fixture.thread(POLLER, 0).refresh();
        fixture.runAll();
        fixture.hold(POLLER, WRITER);

        fixture.deliver(POLLER, WRITER); // the request; the flush awaits the poller's answer
        fixture.settleNow();

        assertEquals(1, fixture.sent("refresh-reply"), "that of the root");
        assertTrue(fixture.thread(POLLER, 0).isWaiting());
        fixture.free(POLLER, WRITER);
        fixture.settleNow();
        assertTrue(fixture.thread(POLLER, 0).isDone());
    }

    @Test
    void refresh_lastsUntilTheLastAnswer() {
        ManualCluster fixture = stored(Protocol.WRITE_SHARED);
        fixture.hold(0, POLLER);
        fixture.thread(POLLER, 0).refresh();

        fixture.settleNow();

        assertTrue(fixture.thread(POLLER, 0).isWaiting());
        fixture.free(0, POLLER);
        fixture.settleNow();
        assertTrue(fixture.thread(POLLER, 0).isDone());
    }

    @Test
    void threadsOfOneNode_refreshAtOnceEachByItself() {
        ManualCluster fixture = new ManualCluster(2, 2);
        fixture.thread(1, 0).refresh();
        fixture.thread(1, 1).refresh().refresh();

        fixture.settle();

        assertTrue(fixture.everyThread().stream().allMatch(ManualThread::isDone));
        assertEquals(3, fixture.sent("refresh-request"));
        assertEquals(3, fixture.sent("refresh-reply"));
    }

    @Test
    void refreshWhileOthersWaitAtABarrier_doesNotWaitForIt() {
        ManualCluster fixture = new ManualCluster(2, 2);
        BarrierId barrier = new BarrierId("barrier");
        fixture.thread(0, 1).await(barrier);
        fixture.thread(1, 0).await(barrier);
        fixture.thread(1, 1).await(barrier);
        fixture.settle();

        fixture.thread(0, 0).refresh();
        fixture.settle();

        assertTrue(fixture.thread(0, 0).isDone());
        assertFalse(fixture.thread(0, 1).isDone());
        fixture.thread(0, 0).await(barrier);
        fixture.settle();
        assertTrue(fixture.everyThread().stream().allMatch(ManualThread::isDone));
    }

    @Test
    void refreshOfASingleNode_costsNothing() {
        ManualCluster fixture = new ManualCluster(1, 1);
        fixture.thread(0, 0).refresh();

        fixture.settle();

        assertEquals(List.of(Outcome.DONE), fixture.thread(0, 0).outcomes());
        assertEquals(List.of(), fixture.sent());
    }

    @Test
    void lossOfANodeThatIsAsked_endsTheRefresh() {
        ManualCluster fixture = new ManualCluster(3, 1);
        fixture.hold(2, 1);
        fixture.thread(1, 0).refresh();
        fixture.settle();

        fixture.lose(2);
        fixture.settle();

        assertInstanceOf(Outcome.Lost.class, fixture.thread(1, 0).outcomes().getFirst());
    }
}
