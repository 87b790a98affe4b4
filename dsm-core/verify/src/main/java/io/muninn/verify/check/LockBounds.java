package io.muninn.verify.check;

import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.sync.LockManager;
import io.muninn.sync.SyncMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * While another node waits for a lock, its holder's node passes it to at most {@link
 * LockManager#LOCAL_HANDOVERS_MAX} of its own threads.
 */
final class LockBounds implements Checker {
    static final String NAME = "lock bounds";

    private final List<Map<LockId, int[]>> handovers = // by node: for locks for which others wait
            new ArrayList<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        simulation.nodes().forEach(_ -> handovers.add(new TreeMap<>()));
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        Map<LockId, int[]> of = handovers.get(node.id().index());
        if (event instanceof Event.MessageArrived(_, SyncMessage.LockRequest request, long _)
                && !isForwarded(request, effects)) {
            of.putIfAbsent(request.lock(), new int[1]);
        }
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Send(NodeId _, SyncMessage.LockGrant grant) -> of.remove(grant.lock());
                case Effect.LendLock(LockId lock, boolean held, boolean _)
                        when held && of.containsKey(lock) ->
                        count(node, lock, of.get(lock));
                default -> {} // passes no lock on
            }
        }
    }

    private static boolean isForwarded(SyncMessage.LockRequest request, List<Effect> effects) {
        return effects.stream()
                .anyMatch(effect ->
                        effect instanceof Effect.Send(NodeId _, SyncMessage.LockRequest sent)
                                && sent.lock().equals(request.lock())
                                && sent.asker().equals(request.asker()));
    }

    private void count(SimNode node, LockId lock, int[] handed) {
        handed[0]++;
        if (handed[0] > LockManager.LOCAL_HANDOVERS_MAX) {
            throw violation(
                    "node "
                            + node.id()
                            + " has handed lock '"
                            + lock
                            + "' to "
                            + handed[0]
                            + " of its own threads while another node waits");
        }
    }
}
