package io.muninn.sync;

import static io.muninn.sync.Acts.answer;
import static io.muninn.sync.Acts.arm;
import static io.muninn.sync.Acts.disarm;
import static io.muninn.sync.Acts.done;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Comparison;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.remote.WordKind;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.sync.RemoteMessage.RemoteReply;
import io.muninn.sync.RemoteMessage.RemoteRequest;
import io.muninn.sync.RemoteMessage.RemoteWait;
import io.muninn.sync.RemoteMessage.RemoteWaitCancel;
import io.muninn.sync.RemoteMessage.RemoteWaitOver;
import org.junit.jupiter.api.Test;

/** Requests of node 0 to the home of words, node 1. */
class RemoteCallsTest {
    private static final NodeId SELF = NodeId.of(0);
    private static final NodeId HOME = NodeId.of(1);
    private static final int COMPLETER = 9;
    private static final int WINDOW = 130; // two posts
    private static final WordCondition CONDITION =
            new WordCondition(WordKind.LONG, 8, Comparison.EQUAL, 5);

    private final Acts acts = new Acts();
    private final NodeThreads threads = new NodeThreads(1, 4);
    private final ShippedCalls completers =
            new ShippedCalls(
                    SELF, threads, acts::begin, acts::acquire, acts.cargo, new OneProcess());
    private final RemoteCalls calls = new RemoteCalls(threads, completers, WINDOW);

    private static Bytes body(int value) {
        return new Bytes(new byte[] {(byte) value});
    }

    private void call(int thread) {
        calls.onRemoteCalled(new Event.RemoteCalled(waiter(thread), HOME, body(thread)), acts.out);
    }

    private void post(int thread, long number) {
        calls.onRemotePosted(
                new Event.RemotePosted(waiter(thread), number, HOME, body(thread)), acts.out);
    }

    private void post(int thread) {
        post(thread, Event.NO_ANSWER);
    }

    private void reply(long number, int value) {
        calls.onRemoteReply(HOME, new RemoteReply(number, body(value)), acts.out);
    }

    private void fence(int thread) {
        calls.onFenceCalled(new Event.FenceCalled(waiter(thread)), acts.out);
    }

    private void await(int thread, long limitNanos) {
        calls.onRemoteAwaited(
                new Event.RemoteAwaited(waiter(thread), HOME, CONDITION, limitNanos), acts.out);
    }

    private void over(long number, boolean holds) {
        calls.onRemoteWaitOver(new RemoteWaitOver(number, holds), acts.out);
    }

    @Test
    void call_isAnsweredByItsReply() {
        call(1);
        call(2);
        acts.expect(send(1, new RemoteRequest(1, body(1))), send(1, new RemoteRequest(2, body(2))));
        reply(2, 20);
        acts.expect(answer(2, new Outcome.Delivered(1, body(20))));
        assertEquals("Called", calls.stateOf(1));
        assertEquals("None", calls.stateOf(2));
        acts.expectViolation(() -> reply(2, 20), "remote request=2", "state=None");
    }

    @Test
    void post_continuesAtOnce_andAFullWindowKeepsTheNext() {
        post(1);
        post(2);
        acts.expect(
                send(1, new RemoteRequest(1, body(1))),
                done(1),
                send(1, new RemoteRequest(2, body(2))),
                done(2));
        post(1);
        post(3);
        acts.expect();
        reply(1, 0);
        acts.expect(send(1, new RemoteRequest(3, body(1))), done(1));
        reply(2, 0);
        acts.expect(send(1, new RemoteRequest(4, body(3))), done(3));
    }

    @Test
    void fence_waitsForThePostsBeforeIt() {
        fence(1);
        acts.expect(done(1));
        post(1);
        post(2);
        acts.quietly();
        fence(1);
        reply(1, 0);
        post(2);
        acts.expect(send(1, new RemoteRequest(3, body(2))), done(2));
        fence(3);
        reply(2, 0);
        acts.expect(done(1));
        reply(3, 0);
        acts.expect(done(3));
        assertEquals(0, calls.outstanding());
    }

    @Test
    void asynchronousRequest_isCompletedByTheCompleter_whichNeverWaits() {
        post(1, 70);
        post(1, 71);
        post(2, 72);
        post(COMPLETER, 73);
        acts.quietly();
        completers.onReplyAwaited(new Event.ReplyAwaited(waiter(COMPLETER)), acts.out);
        acts.expect();
        reply(1, 10);
        acts.expect(
                answer(COMPLETER, new Outcome.Completed(70, new Outcome.Delivered(1, body(10)))),
                send(1, new RemoteRequest(3, body(2))),
                done(2));
        reply(2, 11);
        acts.expect(); // the window opens when the completer takes it
        post(COMPLETER, 74);
        acts.expect(send(1, new RemoteRequest(4, body(COMPLETER))), done(COMPLETER));
    }

    @Test
    void wait_endsByItsReply() {
        await(1, 500);
        acts.expect(arm(1, 500), send(1, new RemoteWait(1, CONDITION)));
        acts.expectViolation(() -> over(1, false), "state=Waiting");
    }

    @Test
    void waitThatHolds_isAnswered() {
        await(1, -1);
        acts.quietly();
        over(1, true);
        acts.expect(disarm(1), done(1));
    }

    @Test
    void waitWhoseTimeIsOver_isCancelledAndItsReplyIgnored() {
        await(1, 500);
        acts.quietly();
        calls.onWaitOver(waiter(1), acts.out);
        acts.expect(
                send(1, new RemoteWaitCancel(1)),
                answer(1, new Outcome.TimedOut("the condition does not hold")));
        assertEquals("Given up", calls.stateOf(1));
        calls.onWaitOver(waiter(1), acts.out);
        acts.expect();
        over(1, true); // on its way when the time was over
        acts.expect();
        assertEquals(0, calls.underWay());
    }
}
