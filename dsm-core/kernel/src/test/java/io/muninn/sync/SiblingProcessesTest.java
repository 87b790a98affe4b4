package io.muninn.sync;

import static io.muninn.sync.Acts.answer;
import static io.muninn.sync.Acts.disarm;
import static io.muninn.sync.Acts.done;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.sync.SyncMessage.Letter;
import io.muninn.sync.SyncMessage.ShippedCall;
import io.muninn.wire.MalformedMessageException;
import org.junit.jupiter.api.Test;

/**
 * Letters and shipped calls of a node with two processes of one thread. Node 1 has the processes
 * that programs name 2 and 3.
 */
class SiblingProcessesTest {
    private static final int TAG = 7;
    private static final NodeId SELF = NodeId.of(1);
    private static final NodeThreads THREADS = new NodeThreads(2, 1);
    private static final Bytes BODY = new Bytes(new byte[] {5});
    private static final ObjectId OBJECT = new ObjectId("counter");

    private final Acts acts = new Acts();
    private final TwoProcesses views = new TwoProcesses();
    private final ProgramMessages box =
            new ProgramMessages(SELF, THREADS, acts::begin, acts::acquire, acts.cargo, views);
    private final ServedObjects objects =
            new ServedObjects(SELF, THREADS, acts::begin, acts::acquire, acts.cargo, views);
    private final ShippedCalls calls =
            new ShippedCalls(SELF, THREADS, acts::begin, acts::acquire, acts.cargo, views);

    private void receive(int thread, int from) {
        box.onReceiveCalled(new Event.ReceiveCalled(waiter(thread), from, TAG, -1), acts.out);
    }

    private void sendFrom(int thread, int to) {
        box.onReleasePerformed(
                new GatedRelease.Letter(waiter(thread), NodeId.of(to), TAG, BODY), acts.out);
    }

    private static Cargo between(int from, int to) {
        return Cargo.NONE.with(
                Cargo.PROCESSES_CODE, new Bytes(new byte[] {(byte) from, (byte) to}));
    }

    @Test
    void numbersOfThreads_areThoseOfTheirProcesses() {
        NodeThreads four = new NodeThreads(3, 4);

        assertEquals(12, four.count());
        assertEquals(MappingId.of(1), four.processOf(7));
        assertEquals(MappingId.of(2), four.processOf(four.further(2, 5)));
        assertEquals(NodeId.of(5), four.seen(SELF, MappingId.of(2)));
        assertEquals(SELF, four.nodeOf(NodeId.of(5)));
        assertEquals(MappingId.of(2), four.processOf(NodeId.of(5)));
        assertThrows(IllegalArgumentException.class, () -> new NodeThreads(17, 1));
    }

    @Test
    void letterToASibling_isNotForTheSenderItself() {
        receive(0, Event.ANY_NODE);
        receive(1, 2);
        acts.quietly();

        sendFrom(0, 3);

        acts.expect(done(0), disarm(1), answer(1, new Outcome.Delivered(2, BODY)));
    }

    @Test
    void letterOfASibling_isAcquiredWithItsView() {
        views.acquires(MappingId.FIRST, 4);
        sendFrom(0, 3);
        acts.quietly();

        receive(1, Event.ANY_NODE);
        acts.expect(disarm(1));
        GatedAcquire.Letter acquire = new GatedAcquire.Letter(waiter(1), NodeId.of(2), BODY);
        views.expectBegun(acquire, TwoProcesses.seen(4));
        box.onAcquirePerformed(acquire, acts.out);

        acts.expect(answer(1, new Outcome.Delivered(2, BODY)));
    }

    @Test
    void letterOfASiblingThatHasSeenNoMore_isDeliveredAtOnce() {
        views.acquires(MappingId.FIRST, 3);
        views.acquires(MappingId.of(1), 4);
        sendFrom(0, 3);
        acts.quietly();

        receive(1, Event.ANY_NODE);

        acts.expect(disarm(1), answer(1, new Outcome.Delivered(2, BODY)));
    }

    @Test
    void callBetweenProcessesThatHaveSeenTheSame_needsNoAcquire() {
        views.acquires(MappingId.FIRST, 4);
        views.acquires(MappingId.of(1), 4);
        objects.onObjectDeclared(
                new Event.ObjectDeclared(OBJECT, NodeId.of(3), 11, "Counter on node 3"), acts.out);
        objects.onServeCalled(new Event.ServeCalled(waiter(3), OBJECT), acts.out);
        calls.onShipCalled(
                new Event.ShipCalled(waiter(0), OBJECT, NodeId.of(3), 11, BODY), acts.out);
        acts.quietly();

        objects.onShippedCall(SELF, new ShippedCall(1, OBJECT, 11, Cargo.NONE, BODY), acts.out);
        calls.onShippedReply(SELF, new SyncMessage.ShippedReply(1, Cargo.NONE, BODY), acts.out);

        acts.expect(
                answer(3, new Outcome.Delivered(1, BODY)),
                answer(0, new Outcome.Delivered(1, BODY)));
    }

    @Test
    void callOfASibling_isServedWhenTheObjectsProcessHasSeenTheCallers() {
        objects.onObjectDeclared(
                new Event.ObjectDeclared(OBJECT, NodeId.of(3), 11, "Counter on node 3"), acts.out);
        objects.onServeCalled(new Event.ServeCalled(waiter(3), OBJECT), acts.out);
        views.acquires(MappingId.FIRST, 4);

        objects.onShippedCall(SELF, new ShippedCall(1, OBJECT, 11, Cargo.NONE, BODY), acts.out);
        acts.expect();
        GatedAcquire.Call acquire = new GatedAcquire.Call(SELF, OBJECT, 1);
        views.expectBegun(acquire, TwoProcesses.seen(4));
        objects.onAcquirePerformed(acquire, acts.out);

        acts.expect(answer(3, new Outcome.Delivered(1, BODY)));
    }

    @Test
    void letterOfAnotherNode_isForTheProcessThatItNames() {
        receive(0, Event.ANY_NODE);
        receive(1, 1);

        box.onLetter(NodeId.ROOT, new Letter(TAG, between(1, 1), BODY), acts.out);
        box.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Letter.class), acts.out);

        acts.expect(disarm(1), answer(1, new Outcome.Delivered(1, BODY)));
    }

    @Test
    void letterToAProcess_leavesForItsNodeAndNamesBoth() {
        sendFrom(1, 0);

        Cargo along = FakeCargoHold.labelled("cargo for 0");
        Cargo named = along.with(Cargo.PROCESSES_CODE, new Bytes(new byte[] {1, 0}));
        acts.expect(send(0, new Letter(TAG, named, BODY)), done(1));
    }

    @Test
    void letterBetweenUnknownProcesses_isMalformed() {
        assertThrows(
                MalformedMessageException.class,
                () -> box.onLetter(NodeId.ROOT, new Letter(TAG, between(0, 2), BODY), acts.out));
        assertThrows(
                MalformedMessageException.class,
                () -> box.onLetter(NodeId.ROOT, new Letter(TAG, Cargo.NONE, BODY), acts.out));
    }

    @Test
    void objectThatASiblingDeclares_isKnownAlready() {
        Event.ObjectDeclared declared =
                new Event.ObjectDeclared(OBJECT, NodeId.of(3), 11, "Counter on node 3");
        objects.onObjectDeclared(declared, acts.out);
        objects.onObjectDeclared(declared, acts.out);

        assertEquals("Idle", objects.stateOf(OBJECT));
        acts.expect();
    }

    @Test
    void objectThatASiblingDeclaresOtherwise_failsTheRun() {
        objects.onObjectDeclared(
                new Event.ObjectDeclared(OBJECT, NodeId.of(3), 11, "Counter on node 3"), acts.out);
        objects.onObjectDeclared(
                new Event.ObjectDeclared(OBJECT, NodeId.of(3), 12, "Timer on node 3"), acts.out);

        String text = acts.out.take().toString();
        assertEquals(
                true, text.contains("Counter on node 3") && text.contains("Timer on node 3"), text);
    }

    @Test
    void callOfASiblingsObject_staysOnTheNode() {
        calls.onShipCalled(
                new Event.ShipCalled(waiter(0), OBJECT, NodeId.of(3), 11, BODY), acts.out);

        acts.expect(send(1, new ShippedCall(1, OBJECT, 11, Cargo.NONE, BODY)));
    }

    @Test
    void postedCalls_areCompletedByTheProcessThatMadeThem() {
        calls.onReplyAwaited(new Event.ReplyAwaited(waiter(2)), acts.out); // of process 0
        calls.onReplyAwaited(new Event.ReplyAwaited(waiter(3)), acts.out); // of process 1

        calls.onPostCalled(
                new Event.PostCalled(waiter(1), 9, OBJECT, NodeId.of(2), 11, BODY), acts.out);
        acts.quietly();
        views.acquires(MappingId.FIRST, 4);
        calls.onShippedReply(SELF, new SyncMessage.ShippedReply(1, Cargo.NONE, BODY), acts.out);
        GatedAcquire.Reply acquire = new GatedAcquire.Reply(SELF, 1, BODY);
        views.expectBegun(acquire, TwoProcesses.seen(4));
        calls.onAcquirePerformed(acquire, acts.out);

        acts.expect(answer(3, new Outcome.Completed(9, new Outcome.Delivered(1, BODY))));
        assertEquals(2, calls.completers());
    }
}
