package io.muninn.sync;

import static io.muninn.sync.Acts.answer;
import static io.muninn.sync.Acts.done;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static io.muninn.sync.FakeCargoHold.labelled;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.sync.SyncMessage.ShippedCall;
import io.muninn.sync.SyncMessage.ShippedRefusal;
import io.muninn.sync.SyncMessage.ShippedReply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls made by node 0. */
class ShippedCallsTest {
    private static final NodeId SELF = NodeId.of(0);
    private static final NodeId OTHER = NodeId.of(1);
    private static final ObjectId QUEUE = new ObjectId("queue");
    private static final long FINGERPRINT = 77;
    private static final int COMPLETER = 9;

    private final Acts acts = new Acts();
    private final ShippedCalls calls =
            new ShippedCalls(
                    SELF,
                    new NodeThreads(1, 1),
                    acts::begin,
                    acts::acquire,
                    acts.cargo,
                    new OneProcess());

    private static Bytes body(int value) {
        return new Bytes(new byte[] {(byte) value});
    }

    private void call(int thread) {
        calls.onShipCalled(
                new Event.ShipCalled(waiter(thread), QUEUE, OTHER, FINGERPRINT, body(thread)),
                acts.out);
    }

    private void post(int thread, long number, NodeId to) {
        calls.onPostCalled(
                new Event.PostCalled(waiter(thread), number, QUEUE, to, FINGERPRINT, body(thread)),
                acts.out);
    }

    private void complete() {
        calls.onReplyAwaited(new Event.ReplyAwaited(waiter(COMPLETER)), acts.out);
    }

    private static Effect sent(long number, int thread) {
        return send(
                1,
                new ShippedCall(number, QUEUE, FINGERPRINT, labelled("cargo for 1"), body(thread)));
    }

    private static Effect completed(long number, int value) {
        return answer(
                COMPLETER, new Outcome.Completed(number, new Outcome.Delivered(1, body(value))));
    }

    /** A reply arrives, and is acquired. */
    private void reply(long number, int value) {
        replyArrives(number, value);
        acquired();
    }

    private void replyArrives(long number, int value) {
        calls.onShippedReply(
                OTHER, new ShippedReply(number, labelled("reply"), body(value)), acts.out);
    }

    private void acquired() {
        calls.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Reply.class), acts.out);
    }

    @Test
    void call_leavesWhenItsReleaseIsPerformed() {
        call(3);
        acts.expectBegun(new GatedRelease.Call(1));
        acts.expect();

        calls.onReleasePerformed(new GatedRelease.Call(1), acts.out);

        acts.expect(sent(1, 3));
    }

    @Test
    void callsWhoseReleasesArePerformedOutOfOrder_leaveInOrder() {
        call(3);
        call(4);

        calls.onReleasePerformed(new GatedRelease.Call(2), acts.out);
        acts.expect();
        calls.onReleasePerformed(new GatedRelease.Call(1), acts.out);

        acts.expect(sent(1, 3), sent(2, 4));
    }

    @Test
    void reply_isAcquiredBeforeItsCallerGoesOn() {
        call(3);
        calls.onReleasePerformed(new GatedRelease.Call(1), acts.out);
        acts.quietly();

        replyArrives(1, 42);
        acts.expect();
        acquired();

        assertEquals(List.of("reply"), acts.cargo.unloaded);
        acts.expect(answer(3, new Outcome.Delivered(1, body(42))));
    }

    @Test
    void refusal_isToldToTheCaller() {
        call(3);
        calls.onReleasePerformed(new GatedRelease.Call(1), acts.out);
        acts.quietly();

        calls.onShippedRefusal(new ShippedRefusal(1, "Stack on node 2"), acts.out);

        acts.expect(answer(3, new Outcome.Refused("Stack on node 2")));
    }

    @Test
    void postedCall_letsItsCallerGoOnAndIsToldToTheCompleter() {
        complete();
        post(3, 50, OTHER);
        acts.expect(done(3));
        acts.expectBegun(new GatedRelease.Call(1));
        calls.onReleasePerformed(new GatedRelease.Call(1), acts.out);
        acts.quietly();

        reply(1, 42);

        acts.expect(completed(50, 42));
    }

    @Test
    void repliesWhileTheCompleterIsBusy_areKeptInOrder() {
        post(3, 50, OTHER);
        post(3, 51, OTHER);
        calls.onReleasePerformed(new GatedRelease.Call(1), acts.out);
        calls.onReleasePerformed(new GatedRelease.Call(2), acts.out);
        reply(1, 1);
        calls.onShippedRefusal(new ShippedRefusal(2, "no"), acts.out);
        acts.quietly();

        complete();
        acts.expect(completed(50, 1));
        complete();
        acts.expect(answer(COMPLETER, new Outcome.Completed(51, new Outcome.Refused("no"))));
        complete();
        acts.expect();
    }

    @Test
    void postedCallOfTheOwnNode_isUnderWayAtOnce() {
        post(3, 50, SELF);

        acts.expectBegun();
        acts.expect(done(3), send(0, new ShippedCall(1, QUEUE, FINGERPRINT, Cargo.NONE, body(3))));
        calls.onShippedReply(SELF, new ShippedReply(1, Cargo.NONE, body(1)), acts.out);
        assertEquals(List.of(), acts.cargo.unloaded);
    }

    @Test
    void postedCallBeyondTheLimit_waitsUntilOneIsCompleted() {
        for (int i = 0; i < ShippedCalls.POSTED_MAX; i++) {
            post(3, i, SELF);
        }
        acts.quietly();
        post(4, 9999, SELF);
        acts.expect();
        calls.onShippedReply(SELF, new ShippedReply(1, Cargo.NONE, body(1)), acts.out);
        acts.expect();

        complete();

        Bytes one = body(1);
        acts.expect(
                answer(COMPLETER, new Outcome.Completed(0, new Outcome.Delivered(0, one))),
                done(4),
                send(
                        0,
                        new ShippedCall(
                                ShippedCalls.POSTED_MAX + 1,
                                QUEUE,
                                FINGERPRINT,
                                Cargo.NONE,
                                body(4))));
    }

    @Test
    void completerThatPosts_neverWaitsForItself() {
        complete();
        for (int i = 0; i <= ShippedCalls.POSTED_MAX; i++) {
            post(3, i, SELF);
        }
        calls.onShippedReply(SELF, new ShippedReply(1, Cargo.NONE, body(1)), acts.out);
        acts.quietly();

        post(COMPLETER, 5001, SELF);

        assertEquals(done(COMPLETER), acts.out.take().getFirst());
    }

    @Test
    void replyToACallThatIsNotUnderWay_isAViolation() {
        acts.expectViolation(() -> replyArrives(1, 1), "call=1");
        call(3);
        acts.expectViolation(() -> replyArrives(1, 1), "call=1");
        complete();
        acts.expectViolation(this::complete, "completer");
    }

    @Test
    void secondReplyAndSecondAcquire_areViolations() {
        call(3);
        calls.onReleasePerformed(new GatedRelease.Call(1), acts.out);
        replyArrives(1, 1);
        acts.expectViolation(() -> replyArrives(1, 1), "call=1");
        GatedAcquire.Reply acquire = acts.takeAcquire(GatedAcquire.Reply.class);
        calls.onAcquirePerformed(acquire, acts.out);
        acts.expectViolation(() -> calls.onAcquirePerformed(acquire, acts.out), "call=1");
    }
}
