package io.muninn.sync;

import static io.muninn.sync.Acts.send;
import static io.muninn.sync.FakeCargoHold.stamped;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.ReadWriteMessage.ReadWriteCancel;
import io.muninn.sync.ReadWriteMessage.ReadWriteGrant;
import io.muninn.sync.ReadWriteMessage.ReadWriteRecall;
import io.muninn.sync.ReadWriteMessage.ReadWriteRequest;
import io.muninn.sync.ReadWriteMessage.ReadWriteReturn;
import org.junit.jupiter.api.Test;

/** Every cell of the table of {@link ReadWriteManager}; requests have the number of their node. */
class ReadWriteManagerTest {
    private static final ReadWriteLockId LOCK = new ReadWriteLockId("table");
    private static final VectorTimestamp NOTHING = VectorTimestamp.zero(4);

    private final Acts acts = new Acts();
    private final ReadWriteManager manager = new ReadWriteManager(acts.cargo);

    private void read(int node) {
        request(node, node, false);
    }

    private void write(int node) {
        request(node, node, true);
    }

    private void request(int node, long number, boolean toWrite) {
        manager.onRequest(NodeId.of(node), new ReadWriteRequest(LOCK, number, toWrite), acts.out);
    }

    private void giveBack(int node, long number) {
        manager.onReturn(
                NodeId.of(node), new ReadWriteReturn(LOCK, number, false, Cargo.NONE), acts.out);
    }

    private void written(int node, boolean keepsReading, long interval) {
        Cargo cargo = stamped(NOTHING.with(NodeId.of(node), interval), "written");
        manager.onReturn(
                NodeId.of(node), new ReadWriteReturn(LOCK, node, keepsReading, cargo), acts.out);
    }

    private void cancel(int node) {
        manager.onCancel(NodeId.of(node), new ReadWriteCancel(LOCK, node), acts.out);
    }

    private static Effect grant(int node, boolean toWrite, VectorTimestamp upTo) {
        return grant(node, node, toWrite, upTo);
    }

    private static Effect grant(int node, long number, boolean toWrite, VectorTimestamp upTo) {
        return send(
                node,
                new ReadWriteGrant(LOCK, number, toWrite, stamped(upTo, "relayed to " + node)));
    }

    private static Effect recall(int node) {
        return send(node, new ReadWriteRecall(LOCK, node));
    }

    private void expectState(String state) {
        assertEquals(state, manager.stateOf(LOCK));
    }

    @Test
    void freeLock_isGrantedAtOnce() {
        expectState("Free");
        read(1);
        read(2);
        acts.expect(grant(1, false, NOTHING), grant(2, false, NOTHING));
        expectState("Shared");
        giveBack(1, 1);
        expectState("Shared");
        giveBack(2, 2);
        expectState("Free");
        write(3);
        acts.expect(grant(3, true, NOTHING));
        expectState("Exclusive");
    }

    @Test
    void writer_waitsForEveryReaderThatItRecalls() {
        read(1);
        read(2);
        acts.quietly();

        write(3);
        acts.expect(recall(1), recall(2));
        expectState("Recalling");
        read(0);
        acts.expect();
        giveBack(2, 2);
        acts.expect();
        giveBack(1, 1);

        acts.expect(grant(3, true, NOTHING));
        expectState("Exclusive");
    }

    @Test
    void writerOfAReadingNode_isNotRecalledFromItself() {
        read(1);
        read(2);
        acts.quietly();

        request(1, 9, true);

        acts.expect(recall(2));
        giveBack(2, 2);
        acts.expect();
        giveBack(1, 1);
        acts.expect(grant(1, 9, true, NOTHING));
    }

    @Test
    void consecutiveReaders_areGrantedTogetherWithTheCargoOfTheWriter() {
        write(3);
        read(1);
        read(2);
        write(0);
        acts.quietly();

        written(3, false, 7);

        VectorTimestamp seen = NOTHING.with(NodeId.of(3), 7);
        acts.expect(grant(1, false, seen), grant(2, false, seen), recall(1), recall(2));
    }

    @Test
    void downgrade_letsReadersInAndKeepsTheNode() {
        write(3);
        read(1);
        acts.quietly();

        written(3, true, 7);

        acts.expect(grant(1, false, NOTHING.with(NodeId.of(3), 7)));
        expectState("Shared");
        write(2);
        acts.expect(recall(1), recall(3));
    }

    @Test
    void downgradeBeforeAnotherWriter_isRecalled() {
        write(3);
        write(1);
        acts.quietly();

        written(3, true, 7);

        acts.expect(recall(3));
        expectState("Recalling");
    }

    @Test
    void writerThatGivesUp_letsReadersIn_andRenewsRecalledPermission() {
        read(1);
        write(3);
        read(2);
        request(1, 5, false);
        acts.quietly();
        assertTrue(manager.isQueued(LOCK, NodeId.of(3), 3));

        cancel(3);

        assertFalse(manager.isQueued(LOCK, NodeId.of(3), 3));
        acts.expect(grant(2, false, NOTHING), grant(1, 5, false, NOTHING));
        giveBack(1, 1); // it crossed the grant
        expectState("Shared");
        giveBack(1, 5);
        giveBack(2, 2);
        expectState("Free");
    }

    @Test
    void cancellationOfAGrantedRequest_isIgnored() {
        cancel(1);
        read(1);
        acts.quietly();
        cancel(1);
        acts.expect();
        expectState("Shared");
        giveBack(1, 1);

        write(1);
        read(2);
        acts.quietly();
        cancel(2);
        acts.expect();
        written(1, false, 3);
        expectState("Free");
    }

    @Test
    void returnOfWhatIsNotGranted_isImpossible() {
        acts.expectViolation(() -> giveBack(1, 1), "Free", "node=1");
        read(1);
        acts.expectViolation(() -> giveBack(1, 2), "Shared", "number=2");
        acts.expectViolation(() -> giveBack(2, 2), "Shared", "node=2");
        acts.expectViolation(() -> written(1, true, 2), "Shared", "keepsReading=true");
    }
}
