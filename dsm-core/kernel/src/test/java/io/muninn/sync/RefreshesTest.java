package io.muninn.sync;

import static io.muninn.sync.Acts.done;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static io.muninn.sync.FakeCargoHold.labelled;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.model.NodeId;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.sync.SyncMessage.RefreshReply;
import io.muninn.sync.SyncMessage.RefreshRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every cell of the table of {@link Refreshes}, on node 1 of 3. */
class RefreshesTest {
    private final Acts acts = new Acts();
    private final Refreshes refreshes =
            new Refreshes(NodeId.of(1), 3, acts::begin, acts::acquire, acts.cargo);

    private void call(int thread) {
        refreshes.onRefreshCalled(new Event.RefreshCalled(waiter(thread)), acts.out);
    }

    private void reply(int from, long number) {
        refreshes.onRefreshReply(
                NodeId.of(from), new RefreshReply(number, labelled("from " + from)), acts.out);
    }

    /** The oldest acquire that has begun is performed. */
    private void acquired() {
        refreshes.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Refresh.class), acts.out);
    }

    @Test
    void call_asksEveryOtherNode() {
        call(0);

        acts.expect(send(0, new RefreshRequest(1)), send(2, new RefreshRequest(1)));
    }

    @Test
    void callOnASingleNode_isAnsweredAtOnce() {
        Refreshes alone = new Refreshes(NodeId.ROOT, 1, acts::begin, acts::acquire, acts.cargo);

        alone.onRefreshCalled(new Event.RefreshCalled(waiter(3)), acts.out);

        acts.expect(done(3));
    }

    @Test
    void request_releasesBeforeTheAnswerLeavesWithItsCargo() {
        refreshes.onRefreshRequest(NodeId.of(2), new RefreshRequest(9), acts.out);
        acts.expect();
        GatedRelease.Refresh leaving = new GatedRelease.Refresh(NodeId.of(2), 9);
        acts.expectBegun(leaving);

        refreshes.onReleasePerformed(leaving, acts.out);

        acts.expect(send(2, new RefreshReply(9, labelled("cargo for 2"))));
    }

    @Test
    void thread_goesOnWhenItHasAcquiredTheLastAnswer() {
        call(0);
        acts.quietly();

        reply(2, 1);
        assertEquals(List.of("from 2"), acts.cargo.unloaded);
        acquired();
        reply(0, 1);
        acts.expect();
        acquired();

        acts.expect(done(0));
    }

    @Test
    void thread_doesNotGoOnWithTheLastAnswerWhileAnEarlierOneIsAcquired() {
        call(0);
        acts.quietly();
        reply(2, 1);
        reply(0, 1);
        GatedAcquire.Refresh earlier = acts.takeAcquire(GatedAcquire.Refresh.class);
        acquired();
        acts.expect();

        refreshes.onAcquirePerformed(earlier, acts.out);

        acts.expect(done(0));
    }

    @Test
    void refreshesOfTwoThreads_endEachByItself() {
        call(0);
        call(1);
        acts.expect(
                send(0, new RefreshRequest(1)),
                send(2, new RefreshRequest(1)),
                send(0, new RefreshRequest(2)),
                send(2, new RefreshRequest(2)));
        reply(0, 2);
        acquired();
        reply(0, 1);
        acquired();
        reply(2, 2);
        acquired();

        acts.expect(done(1));
        reply(2, 1);
        acquired();
        acts.expect(done(0));
    }

    @Test
    void answerThatNobodyAskedFor_isImpossible() {
        acts.expectViolation(() -> reply(2, 1), "node=2", "event=RefreshReply");
        call(0);
        reply(2, 1);
        acts.expectViolation(() -> reply(2, 1), "node=2", "event=RefreshReply"); // twice
        acts.expectViolation(() -> reply(1, 1), "node=1", "event=RefreshReply"); // itself
    }

    @Test
    void acquireOfNoRefresh_isImpossible() {
        GatedAcquire.Refresh stray = new GatedAcquire.Refresh(NodeId.of(2), 1);

        acts.expectViolation(() -> refreshes.onAcquirePerformed(stray, acts.out), "event=Refresh");
        call(0);
        acts.expectViolation(() -> refreshes.onAcquirePerformed(stray, acts.out), "event=Refresh");
    }
}
