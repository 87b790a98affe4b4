package io.muninn.sync;

import static io.muninn.sync.Acts.answer;
import static io.muninn.sync.Acts.arm;
import static io.muninn.sync.Acts.disarm;
import static io.muninn.sync.Acts.done;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Comparison;
import io.muninn.api.Op;
import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.remote.WordKind;
import io.muninn.kernel.Counted;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.sync.RemoteMessage.RemoteReply;
import io.muninn.sync.RemoteMessage.RemoteRequest;
import io.muninn.sync.RemoteMessage.RemoteWait;
import io.muninn.sync.RemoteMessage.RemoteWaitCancel;
import io.muninn.sync.RemoteMessage.RemoteWaitOver;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
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

    /** The effects since the last call, without counts, are exactly these. */
    private void expect(Effect... effects) {
        List<Object> all = new ArrayList<>(acts.out.take());
        all.removeIf(each -> each instanceof Counted);
        assertEquals(List.of(effects), all);
    }

    @Test
    void operations_areCounted() {
        RemoteOperations operations = new RemoteOperations();
        operations.get(WordKind.LONG, 8);
        Bytes one = new Bytes(operations.take());
        calls.onRemoteCalled(new Event.RemoteCalled(waiter(1), HOME, one), acts.out);
        acts.expect(
                new Counted(NodeCounter.REMOTE_SINGLE, 1),
                new Counted(NodeCounter.REMOTE_BYTES, one.length()),
                send(1, new RemoteRequest(1, one)));
        reply(1, 20);
        acts.expect(
                new Counted(NodeCounter.REMOTE_BYTES, 1),
                answer(1, new Outcome.Delivered(1, body(20))));

        operations.update(WordKind.LONG, 8, Op.SUM, 3);
        operations.setWords(WordKind.INT, 16, MemorySegment.ofArray(new int[] {1, 2, 3}));
        operations.update(WordKind.LONG, 0, Op.SUM, 4);
        Bytes three = new Bytes(operations.take());
        calls.onRemotePosted(
                new Event.RemotePosted(waiter(1), Event.NO_ANSWER, HOME, three), acts.out);
        acts.expect(
                new Counted(NodeCounter.REMOTE_AGGREGATED, 3),
                new Counted(NodeCounter.REMOTE_BYTES, three.length()),
                send(1, new RemoteRequest(2, three)),
                done(1));
    }

    @Test
    void call_isAnsweredByItsReply() {
        call(1);
        call(2);
        expect(send(1, new RemoteRequest(1, body(1))), send(1, new RemoteRequest(2, body(2))));
        reply(2, 20);
        expect(answer(2, new Outcome.Delivered(1, body(20))));
        assertEquals("Called", calls.stateOf(1));
        assertEquals("None", calls.stateOf(2));
        acts.expectViolation(() -> reply(2, 20), "remote request=2", "state=None");
    }

    @Test
    void post_continuesAtOnce_andAFullWindowKeepsTheNext() {
        post(1);
        post(2);
        expect(
                send(1, new RemoteRequest(1, body(1))),
                done(1),
                send(1, new RemoteRequest(2, body(2))),
                done(2));
        post(1);
        post(3);
        expect();
        reply(1, 0);
        expect(send(1, new RemoteRequest(3, body(1))), done(1));
        reply(2, 0);
        expect(send(1, new RemoteRequest(4, body(3))), done(3));
    }

    @Test
    void fence_waitsForThePostsBeforeIt() {
        fence(1);
        expect(done(1));
        post(1);
        post(2);
        acts.quietly();
        fence(1);
        reply(1, 0);
        post(2);
        expect(send(1, new RemoteRequest(3, body(2))), done(2));
        fence(3);
        reply(2, 0);
        expect(done(1));
        reply(3, 0);
        expect(done(3));
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
        expect();
        reply(1, 10);
        expect(
                answer(COMPLETER, new Outcome.Completed(70, new Outcome.Delivered(1, body(10)))),
                send(1, new RemoteRequest(3, body(2))),
                done(2));
        reply(2, 11);
        expect(); // the window opens when the completer takes it
        post(COMPLETER, 74);
        expect(send(1, new RemoteRequest(4, body(COMPLETER))), done(COMPLETER));
    }

    @Test
    void fence_waitsForAsynchronousRequests() {
        post(1, 70);
        acts.quietly();
        completers.onReplyAwaited(new Event.ReplyAwaited(waiter(COMPLETER)), acts.out);
        fence(2);
        expect();
        reply(1, 10);
        expect(
                answer(COMPLETER, new Outcome.Completed(70, new Outcome.Delivered(1, body(10)))),
                done(2));
    }

    @Test
    void waitWithoutTime_endsByItsTimer() {
        await(1, 0);
        expect(arm(1, 0), send(1, new RemoteWait(1, CONDITION)));
    }

    @Test
    void wait_endsByItsReply() {
        await(1, 500);
        expect(arm(1, 500), send(1, new RemoteWait(1, CONDITION)));
        acts.expectViolation(() -> over(1, false), "state=Waiting");
    }

    @Test
    void waitThatHolds_isAnswered() {
        await(1, -1);
        acts.quietly();
        over(1, true);
        expect(disarm(1), done(1));
    }

    @Test
    void waitWhoseTimeIsOver_isCancelledAndItsReplyIgnored() {
        await(1, 500);
        acts.quietly();
        calls.onWaitOver(waiter(1), acts.out);
        expect(
                send(1, new RemoteWaitCancel(1)),
                answer(1, new Outcome.TimedOut("the condition does not hold")));
        assertEquals("Given up", calls.stateOf(1));
        calls.onWaitOver(waiter(1), acts.out);
        expect();
        over(1, true); // on its way when the time was over
        expect();
        assertEquals(0, calls.underWay());
    }
}
