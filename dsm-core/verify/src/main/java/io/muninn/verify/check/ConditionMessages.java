package io.muninn.verify.check;

import io.muninn.model.NodeId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.sync.SyncMessage;
import io.muninn.wire.WireMessage;
import java.util.List;

/**
 * Counts the messages in transit about each thread's stay at a condition. Messages from the root to
 * itself are not counted.
 */
final class ConditionMessages {
    private static final int NONE = -1;

    private int[][] underway = {}; // by node and thread

    void onStart(Simulation simulation) {
        underway = new int[simulation.cluster().nodes()][simulation.cluster().threads()];
    }

    /** True while a message about a thread of a node other than the root is in transit. */
    boolean isUnderway(int node, int thread) {
        return underway[node][thread] > 0;
    }

    void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.MessageArrived(NodeId from, WireMessage message, long _)) {
            count(from, node.id(), message, -1);
        }
    }

    void afterStep(SimNode node, List<Effect> effects) {
        for (int i = 0; i < effects.size(); i++) {
            if (effects.get(i) instanceof Effect.Send(NodeId to, WireMessage message)) {
                count(node.id(), to, message, 1);
            }
        }
    }

    private void count(NodeId from, NodeId to, WireMessage message, int change) {
        int thread =
                switch (message) {
                    case SyncMessage.ConditionWait wait -> wait.thread();
                    case SyncMessage.ConditionQueued queued -> queued.thread();
                    case SyncMessage.ConditionSignal signal -> signal.thread();
                    case SyncMessage.ConditionSignalled signalled -> signalled.thread();
                    case SyncMessage.ConditionWake wake -> wake.thread();
                    case SyncMessage.ConditionCancel cancel -> cancel.thread();
                    case SyncMessage.ConditionCancelled cancelled -> cancelled.thread();
                    default -> NONE;
                };
        if (thread != NONE) {
            underway[from.isRoot() ? to.index() : from.index()][thread] += change;
        }
    }
}
