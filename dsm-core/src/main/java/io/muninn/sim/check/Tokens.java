package io.muninn.sim.check;

import io.muninn.model.LockId;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Event;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.sync.SyncMessage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Every lock has exactly one token, on a node or on its way, and at most one thread holds it. */
final class Tokens implements Observer {
    static final String NAME = "tokens";

    private final Touched touched = new Touched();
    private final Map<String, SimThread> holders = new TreeMap<>(); // by the lock's name

    @Override
    public void onAcquired(SimThread thread, LockId lock) {
        SimThread before = holders.put(lock.name(), thread);
        if (before != null) {
            throw violation(lock, before + " holds it, and so does " + thread);
        }
    }

    @Override
    public void onRelease(SimThread thread, LockId lock) {
        if (holders.remove(lock.name()) != thread) {
            throw violation(lock, thread + " releases it and does not hold it");
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        if (node.simulation().lost().isPresent()) {
            return;
        }
        touched.look(event, effects);
        for (LockId lock : touched.locks()) {
            check(node.simulation(), lock);
        }
    }

    private static void check(Simulation simulation, LockId lock) {
        int tokens = 0;
        int words = 0;
        StringBuilder where = new StringBuilder();
        for (SimNode node : simulation.nodes()) {
            String state = node.lockState(lock);
            boolean has = !state.equals("Away") && !state.equals("Asked");
            boolean lent = node.lockWord(lock) != SimNode.LockWord.ABSENT;
            tokens += has ? 1 : 0;
            words += lent ? 1 : 0;
            where.append(" node ").append(node.id()).append(' ').append(state);
            where.append(lent ? " " + node.lockWord(lock) : "").append(';');
            if (lent && !has) {
                throw violation(lock, "lent without a token:" + where);
            }
        }
        int grants = grants(simulation, lock);
        if (tokens + grants != 1 || words > 1) {
            throw violation(lock, tokens + " tokens and " + grants + " grants:" + where);
        }
    }

    private static int grants(Simulation simulation, LockId lock) {
        int[] grants = new int[1];
        simulation.forEachUnderway((_, _, message) -> {
            if (message instanceof SyncMessage.LockGrant grant && grant.lock().equals(lock)) {
                grants[0]++;
            }
        });
        return grants[0];
    }

    private static Violation violation(LockId lock, String text) {
        return new Violation(NAME, "lock '" + lock + "': " + text);
    }
}
