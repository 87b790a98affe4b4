package io.muninn.sync;

import static io.muninn.sync.Acts.answer;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static io.muninn.sync.FakeCargoHold.labelled;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.kernel.Counted;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.sync.SyncMessage.ShippedCall;
import io.muninn.sync.SyncMessage.ShippedRefusal;
import io.muninn.sync.SyncMessage.ShippedReply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every cell of the table, on node 2. */
class ServedObjectsTest {
    private static final NodeId SELF = NodeId.of(2);
    private static final NodeId OTHER = NodeId.of(1);
    private static final ObjectId QUEUE = new ObjectId("queue");
    private static final long FINGERPRINT = 77;
    private static final int SERVER = 9;
    private static final String TEXT = "node 2 declares it as ";

    private final Acts acts = new Acts();
    private final ServedObjects objects =
            new ServedObjects(
                    SELF,
                    new NodeThreads(1, 2),
                    acts::begin,
                    acts::acquire,
                    acts.cargo,
                    new OneProcess());

    private static Bytes body(int value) {
        return new Bytes(new byte[] {(byte) value});
    }

    private static ShippedCall call(long number) {
        return new ShippedCall(number, QUEUE, FINGERPRINT, labelled("call"), body((int) number));
    }

    private static Counted counted() {
        return new Counted(NodeCounter.CALLS_SHIPPED, 1);
    }

    private static Effect served(long number) {
        return answer(SERVER, new Outcome.Delivered(OTHER.index(), body((int) number)));
    }

    private void declare() {
        objects.onObjectDeclared(
                new Event.ObjectDeclared(QUEUE, SELF, FINGERPRINT, "Queue on node 2"), acts.out);
    }

    private void serve() {
        objects.onServeCalled(new Event.ServeCalled(waiter(SERVER), QUEUE), acts.out);
    }

    /** A call arrives, and is acquired. */
    private void arrive(long number) {
        callArrives(number);
        acquired();
    }

    private void callArrives(long number) {
        objects.onShippedCall(OTHER, call(number), acts.out);
    }

    private void acquired() {
        objects.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Call.class), acts.out);
    }

    private void replied(int value) {
        objects.onCallServed(new Event.CallServed(QUEUE, body(value)), acts.out);
    }

    /** Declared, and its server waits. */
    private void idle() {
        declare();
        serve();
        acts.quietly();
    }

    private void expectState(String state) {
        assertEquals(state, objects.stateOf(QUEUE));
    }

    @Test
    void callBeforeTheDeclaration_waitsForItAndForTheServer() {
        arrive(1);
        expectState("Undeclared");
        acts.expect(counted());

        declare();
        expectState("Due");
        acts.expect();

        serve();
        expectState("Serving");
        acts.expect(served(1));
    }

    @Test
    void serverBeforeTheDeclaration_isKept() {
        serve();
        expectState("Undeclared");
        arrive(1);
        acts.quietly();

        declare();

        expectState("Serving");
        acts.expect(served(1));
    }

    @Test
    void call_acquiresWhatItBringsAndIsServed() {
        idle();

        arrive(1);

        acts.expect(counted(), served(1));
        assertEquals(List.of("call"), acts.cargo.unloaded);
        expectState("Serving");
    }

    @Test
    void call_isNotServedBeforeItIsAcquired() {
        idle();

        callArrives(1);

        expectState("Acquiring");
        acts.expect(counted());
        acquired();
        expectState("Serving");
        acts.expect(served(1));
    }

    @Test
    void callAcquiredBeforeAnEarlierOne_isServedBehindIt() {
        idle();
        callArrives(1);
        callArrives(2);
        GatedAcquire.Call first = acts.takeAcquire(GatedAcquire.Call.class);
        acts.quietly();

        acquired();
        expectState("Acquiring");
        acts.expect();
        objects.onAcquirePerformed(first, acts.out);

        acts.expect(served(1));
        replied(5);
        expectState("Due");
    }

    @Test
    void serverWhoseNextCallIsNotAcquired_isKept() {
        declare();
        callArrives(1);
        serve();
        expectState("Acquiring");
        acts.quietly();

        acquired();

        acts.expect(served(1));
    }

    @Test
    void callRefusedBeforeItIsAcquired_isForgotten() {
        callArrives(1);
        objects.onObjectDeclared(
                new Event.ObjectDeclared(QUEUE, OTHER, FINGERPRINT + 1, "other"), acts.out);
        expectState("Elsewhere");
        acts.quietly();

        acquired();

        expectState("Elsewhere");
        acts.expect();
    }

    @Test
    void reply_leavesWhenItsReleaseIsPerformed() {
        idle();
        arrive(1);
        acts.quietly();

        replied(5);
        GatedRelease.Reply leaving = new GatedRelease.Reply(OTHER, 1, body(5));
        acts.expectBegun(leaving);
        acts.expect();
        expectState("Idle");
        objects.onReleasePerformed(leaving, acts.out);

        acts.expect(send(1, new ShippedReply(1, labelled("cargo for 1"), body(5))));
    }

    @Test
    void calls_areServedOneAtATimeInTheOrderTheyCame() {
        idle();

        arrive(1);
        arrive(2);
        arrive(3);
        acts.expect(counted(), served(1), counted(), counted());
        replied(0);
        expectState("Due");
        acts.expect();
        serve();
        acts.expect(served(2));
        replied(0);
        serve();
        acts.expect(served(3));
        replied(0);
        serve();
        acts.expect();
        expectState("Idle");
    }

    @Test
    void callWhoseServerHasNotAsked_isDue() {
        declare();
        acts.quietly();
        arrive(1);
        expectState("Due");
        arrive(2);
        acts.expect(counted(), counted());

        serve();

        acts.expect(served(1));
    }

    @Test
    void callOfTheOwnNode_needsNoRelease() {
        idle();

        objects.onShippedCall(
                SELF, new ShippedCall(4, QUEUE, FINGERPRINT, Cargo.NONE, body(4)), acts.out);
        acts.expect(answer(SERVER, new Outcome.Delivered(2, body(4))));
        replied(6);

        acts.expectBegun();
        acts.expect(send(2, new ShippedReply(4, Cargo.NONE, body(6))));
        assertEquals(List.of(), acts.cargo.unloaded);
    }

    @Test
    void callThatMeansAnotherObject_isRefusedAndToldWhatItIs() {
        idle();

        ShippedCall wrong = new ShippedCall(8, QUEUE, FINGERPRINT + 1, Cargo.NONE, body(1));
        objects.onShippedCall(OTHER, wrong, acts.out);

        acts.expect(counted(), send(1, new ShippedRefusal(8, TEXT + "Queue on node 2")));
        expectState("Idle");
    }

    @Test
    void objectOfAnotherNode_refusesWhoWaitsAndWhoComes() {
        arrive(1);
        acts.quietly();

        objects.onObjectDeclared(
                new Event.ObjectDeclared(QUEUE, OTHER, FINGERPRINT + 1, "Queue on node 1"),
                acts.out);
        acts.expect(send(1, new ShippedRefusal(1, TEXT + "Queue on node 1")));
        expectState("Elsewhere");
        callArrives(2);

        acts.expect(counted(), send(1, new ShippedRefusal(2, TEXT + "Queue on node 1")));
    }

    @Test
    void endOfTheProgramHere_refusesCallsOfWhatItHasNotDeclared() {
        arrive(1);
        objects.onThreadsEnded(1, acts.out);
        acts.quietly();
        String reason = "the program has ended on node 2 without asking for it";

        objects.onThreadsEnded(1, acts.out);
        acts.expect(send(1, new ShippedRefusal(1, reason)));
        callArrives(2);
        acts.expect(counted(), send(1, new ShippedRefusal(2, reason)));
        declare(); // the root may still do so in verify
        serve();
        arrive(3);

        acts.expect(counted(), served(3));
    }

    @Test
    void sameDeclarationOfASibling_isIgnored() {
        ServedObjects ofSiblings = ofSiblings();
        ofSiblings.onObjectDeclared(declared(FINGERPRINT), acts.out);
        ofSiblings.onServeCalled(new Event.ServeCalled(waiter(SERVER), QUEUE), acts.out);

        ofSiblings.onObjectDeclared(declared(FINGERPRINT), acts.out);

        acts.expect();
        assertEquals("Idle", ofSiblings.stateOf(QUEUE));
        assertEquals(1, ofSiblings.servedHere());
    }

    @Test
    void otherDeclarationOfASibling_failsTheRun() {
        ServedObjects ofSiblings = ofSiblings();
        ofSiblings.onObjectDeclared(declared(FINGERPRINT), acts.out);

        ofSiblings.onObjectDeclared(declared(FINGERPRINT + 1), acts.out);

        acts.expect(
                new Effect.FailRun(
                        "object queue: node 2 declares it as Queue, and another of its processes as"
                                + " Queue"));
    }

    private ServedObjects ofSiblings() {
        return new ServedObjects(
                SELF,
                new NodeThreads(2, 1),
                acts::begin,
                acts::acquire,
                acts.cargo,
                new OneProcess());
    }

    /** The first process of this node serves the object. */
    private static Event.ObjectDeclared declared(long fingerprint) {
        NodeId process = NodeId.of(2 * SELF.index());
        return new Event.ObjectDeclared(QUEUE, process, fingerprint, "Queue");
    }

    @Test
    void impossibleCells_areViolations() {
        acts.expectViolation(() -> replied(1), "queue", "UNDECLARED");
        idle();
        acts.expectViolation(this::declare, "queue", "IDLE");
        acts.expectViolation(this::serve, "queue", "IDLE");
        acts.expectViolation(() -> replied(1), "queue", "IDLE");
        arrive(1);
        acts.expectViolation(this::declare, "queue", "SERVING");
        acts.expectViolation(this::serve, "queue", "SERVING");
        arrive(2);
        replied(1);
        acts.expectViolation(() -> replied(1), "queue", "DUE");
        ObjectId elsewhere = new ObjectId("elsewhere");
        objects.onObjectDeclared(
                new Event.ObjectDeclared(elsewhere, OTHER, 1, "Queue on node 1"), acts.out);
        acts.expectViolation(
                () -> objects.onServeCalled(new Event.ServeCalled(waiter(1), elsewhere), acts.out),
                "ELSEWHERE");
    }
}
