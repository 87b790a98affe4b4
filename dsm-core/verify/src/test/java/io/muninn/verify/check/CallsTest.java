package io.muninn.verify.check;

import static io.muninn.api.Protocol.WRITE_SHARED;
import static io.muninn.verify.check.Runs.PAGE;
import static io.muninn.verify.check.Runs.assertSays;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.model.ObjectId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.sync.SyncMessage;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The checker of shipped calls: each kind of violation, and correct calls. */
class CallsTest {
    private static final ObjectId QUEUE = new ObjectId("queue");
    private static final Event OTHER = new Event.ReleaseNoticed();

    private final Arena arena = Arena.ofConfined();
    private final Calls checker = new Calls();
    private final Simulation still =
            Runs.still(arena, Runs.region(WRITE_SHARED, 8), 1, List.of(checker));
    private final SimNode root = still.nodes().getFirst();
    private final SimNode other = still.nodes().get(1);
    private final SimThread server = root.threads().getFirst();
    private final SimThread caller = other.threads().getFirst();

    @AfterEach
    void close() {
        arena.close();
    }

    private void calls(long serial) {
        checker.onCalled(caller, QUEUE, serial, false);
    }

    private void begins(long serial) {
        checker.onCallBegun(server, QUEUE, serial);
    }

    private void runs(long serial) {
        begins(serial);
        checker.onCallEnded(server, QUEUE, serial);
    }

    private void isTold(long serial, boolean isRefused) {
        checker.onReplied(caller, serial, isRefused);
    }

    private static void assertFound(String text, Runnable action) {
        assertSays(assertThrows(Violation.class, action::run), text);
    }

    @Test
    void callThatRunsAndIsAnsweredOnce_isSilent() {
        calls(1);
        runs(1);
        isTold(1, false);

        assertDoesNotThrow(() -> checker.onEnd(still));
    }

    @Test
    void twoCallsAtOnce_areFound() {
        calls(1);
        calls(2);
        begins(1);

        assertFound("while 1 runs", () -> begins(2));
    }

    @Test
    void callThatOvertakes_isFound() {
        calls(1);
        calls(2);

        assertFound("runs before 1", () -> begins(2));
    }

    @Test
    void callThatRunsTwice_isFound() {
        calls(1);
        runs(1);

        assertFound("again", () -> begins(1));
    }

    @Test
    void mistakenCallThatRuns_isFound() {
        checker.onCalled(caller, QUEUE, 1, true);

        assertFound("means something else", () -> begins(1));
    }

    @Test
    void secondReply_isFound() {
        calls(1);
        runs(1);
        isTold(1, false);

        assertFound("is answered or was not made", () -> isTold(1, false));
    }

    @Test
    void replyBeforeTheRun_isFound() {
        calls(1);

        assertFound("has not run", () -> isTold(1, false));
    }

    @Test
    void refusalOfWhatIsMeant_isFound() {
        calls(1);

        assertFound("is refused", () -> isTold(1, true));
    }

    @Test
    void callThatIsNeverAnswered_isFound() {
        calls(1);

        assertFound("never answered: [1]", () -> checker.onEnd(still));
    }

    /** The root's kernel receives the declaration of the object, but not the call. */
    @Test
    void callThatIsForgotten_isFound() {
        server.post(new Event.ObjectDeclared(QUEUE, root.id(), 1, "queue"));
        still.nodes().forEach(node -> node.threads().forEach(each -> each.start(SimThread::end)));
        still.run(Long.MAX_VALUE, 1_000);
        calls(1);
        SyncMessage call = new SyncMessage.ShippedCall(7, QUEUE, 1, Cargo.NONE, bytes(1));

        assertFound(
                "nobody will run it",
                () -> step(root, new Event.MessageArrived(other.id(), call, 0)));
    }

    private static Bytes bytes(long serial) {
        return new Bytes(ByteBuffer.allocate(Long.BYTES).putLong(serial).array());
    }

    private void step(SimNode node, Event event, Effect... effects) {
        checker.beforeStep(node, event);
        checker.afterStep(node, event, List.of(effects));
    }

    private void callLeaves(Effect... before) {
        calls(1);
        step(other, OTHER, new Effect.MakeTwin(PAGE));
        step(other, new Event.ShipCalled(caller.id(), QUEUE, root.id(), 1, bytes(1)), before);
        SyncMessage call = new SyncMessage.ShippedCall(7, QUEUE, 1, Cargo.NONE, bytes(1));
        step(other, OTHER, new Effect.Send(root.id(), call));
    }

    @Test
    void callBeforeTheFlush_isFound() {
        assertFound("call 1 leaves before a flush of", this::callLeaves);
    }

    @Test
    void callAfterTheFlush_isSilent() {
        assertDoesNotThrow(
                () -> callLeaves(new Effect.SaveDiff(PAGE, 1, false), new Effect.MakeTwin(PAGE)));
    }

    private void replyLeaves(Effect... before) {
        calls(1);
        runs(1);
        step(root, OTHER, new Effect.MakeTwin(PAGE));
        step(root, new Event.CallServed(QUEUE, bytes(1)), before);
        SyncMessage reply = new SyncMessage.ShippedReply(7, Cargo.NONE, bytes(1));
        step(root, OTHER, new Effect.Send(other.id(), reply));
    }

    @Test
    void replyBeforeTheFlush_isFound() {
        assertFound("the reply to call 1 leaves before a flush of", this::replyLeaves);
    }

    @Test
    void replyAfterTheFlush_isSilent() {
        assertDoesNotThrow(() -> replyLeaves(new Effect.SaveDiff(PAGE, 1, false)));
    }
}
