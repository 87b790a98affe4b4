package io.muninn.sync;

import static io.muninn.sync.Acts.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Effect;
import io.muninn.sync.SyncMessage.ConditionCancel;
import io.muninn.sync.SyncMessage.ConditionCancelled;
import io.muninn.sync.SyncMessage.ConditionQueued;
import io.muninn.sync.SyncMessage.ConditionSignal;
import io.muninn.sync.SyncMessage.ConditionSignalled;
import io.muninn.sync.SyncMessage.ConditionWait;
import io.muninn.sync.SyncMessage.ConditionWake;
import org.junit.jupiter.api.Test;

/** Every cell of the table of {@link ConditionManager}. Node 3 signals. */
class ConditionManagerTest {
    private static final LockId LOCK = new LockId("buffer");
    private static final ConditionId FULL = new ConditionId(LOCK, "full");
    private static final ConditionId EMPTY = new ConditionId(LOCK, "empty");
    private static final int SIGNALLER = 7;

    private final Acts acts = new Acts();
    private final ConditionManager manager = new ConditionManager();

    private void await(int node, int thread) {
        manager.onConditionWait(NodeId.of(node), new ConditionWait(FULL, thread), acts.out);
    }

    private void signal(ConditionId condition, boolean all) {
        ConditionSignal signal = new ConditionSignal(condition, SIGNALLER, all);
        manager.onConditionSignal(NodeId.of(3), signal, acts.out);
    }

    private void cancel(int node, int thread) {
        manager.onConditionCancel(NodeId.of(node), new ConditionCancel(FULL, thread), acts.out);
    }

    private static Effect wake(int node, int thread) {
        return send(node, new ConditionWake(FULL, thread));
    }

    private static Effect signalled(ConditionId condition) {
        return send(3, new ConditionSignalled(condition, SIGNALLER));
    }

    @Test
    void wait_isQueuedAndAnswered() {
        assertEquals("Empty", manager.stateOf(FULL));

        await(1, 4);

        acts.expect(send(1, new ConditionQueued(FULL, 4)));
        assertEquals("Some", manager.stateOf(FULL));
        assertTrue(manager.isQueued(FULL, NodeId.of(1), 4));
        assertFalse(manager.isQueued(FULL, NodeId.of(1), 5));
        assertFalse(manager.isQueued(EMPTY, NodeId.of(1), 4));
    }

    @Test
    void signalWhenNobodyWaits_isAnsweredAndNotRemembered() {
        signal(FULL, false);
        acts.expect(signalled(FULL));

        await(1, 4);

        acts.expect(send(1, new ConditionQueued(FULL, 4)));
    }

    @Test
    void signal_wakesTheOldestBeforeItIsAnswered() {
        await(1, 4);
        await(2, 0);
        await(1, 5);
        acts.quietly();

        signal(FULL, false);
        acts.expect(wake(1, 4), signalled(FULL));
        signal(FULL, false);
        acts.expect(wake(2, 0), signalled(FULL));
        signal(FULL, false);
        acts.expect(wake(1, 5), signalled(FULL));
        signal(FULL, false);
        acts.expect(signalled(FULL));
        assertEquals("Empty", manager.stateOf(FULL));
    }

    @Test
    void signalForAll_wakesAllInTheirOrder() {
        await(2, 0);
        await(1, 4);
        acts.quietly();

        signal(FULL, true);

        acts.expect(wake(2, 0), wake(1, 4), signalled(FULL));
        assertEquals("Empty", manager.stateOf(FULL));
    }

    @Test
    void signalOfAnotherCondition_wakesNobody() {
        await(1, 4);
        acts.quietly();

        signal(EMPTY, true);

        acts.expect(signalled(EMPTY));
    }

    @Test
    void cancelledWaiter_isPassedOver() {
        await(1, 4);
        await(2, 0);
        acts.quietly();

        cancel(1, 4);
        acts.expect(send(1, new ConditionCancelled(FULL, 4)));
        signal(FULL, false);

        acts.expect(wake(2, 0), signalled(FULL));
    }

    @Test
    void lastWaiterThatIsCancelled_leavesTheQueueEmpty() {
        await(1, 4);

        cancel(1, 4);

        assertEquals("Empty", manager.stateOf(FULL));
    }

    @Test
    void cancellationOfAChosenWaiter_isNotAnswered() {
        await(1, 4);
        signal(FULL, false);
        acts.quietly();

        cancel(1, 4);
        acts.expect();
        await(2, 0);
        acts.quietly();
        cancel(1, 4);

        acts.expect();
    }
}
