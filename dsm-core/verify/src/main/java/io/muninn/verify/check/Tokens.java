package io.muninn.verify.check;

import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.sim.LockWord;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.sync.SyncMessage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A lock's token is in one place: at one node, according to the state of its lock, or in one grant
 * in transit. The word of a lock in shared memory is not ABSENT on the node that lends the token to
 * its threads, and ABSENT on all others. At most one thread holds a lock.
 *
 * <p>When a node is lost, its tokens may be lost, but a token is never in two places.
 */
final class Tokens implements Checker {
    static final String NAME = "tokens";

    private final Map<LockId, int[]> grants = new TreeMap<>(); // number in transit
    private final Map<LockId, SimThread> holders = new TreeMap<>();
    private final TreeSet<LockId> touched = new TreeSet<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onAcquired(SimThread thread, LockId lock) {
        SimThread holder = holders.put(lock, thread);
        if (holder != null && !holder.node().isDead()) {
            throw violation(
                    thread + " has acquired lock '" + lock + "', which " + holder + " holds");
        }
        checkHeld(thread, lock, "acquired");
    }

    @Override
    public void onRelease(SimThread thread, LockId lock) {
        SimThread holder = holders.remove(lock);
        if (holder != thread) {
            throw violation(thread + " releases lock '" + lock + "', which " + holder + " holds");
        }
        checkHeld(thread, lock, "releases");
    }

    private void checkHeld(SimThread thread, LockId lock, String what) {
        LockWord word = thread.node().lockWord(lock);
        if (word != LockWord.HELD && word != LockWord.WANTED) {
            throw violation(
                    thread + " " + what + " lock '" + lock + "', but its word says " + word);
        }
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.MessageArrived(_, SyncMessage.LockGrant grant, long _)) {
            grantsOf(grant.lock())[0]--;
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        switch (event) {
            case Event.AcquireCalled call -> touched.add(call.lock());
            case Event.ReleaseCalled(_, LockId lock) -> touched.add(lock);
            case Event.MessageArrived(_, SyncMessage.LockRequest request, long _) ->
                    touched.add(request.lock());
            case Event.MessageArrived(_, SyncMessage.LockGrant grant, long _) ->
                    touched.add(grant.lock());
            default -> {} // its effects name its locks
        }
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Send(NodeId _, SyncMessage.LockGrant grant) -> {
                    grantsOf(grant.lock())[0]++;
                    touched.add(grant.lock());
                }
                case Effect.LendLock(LockId lock, boolean _, boolean _) -> touched.add(lock);
                case Effect.ReclaimLock(LockId lock) -> touched.add(lock);
                default -> {} // about no lock
            }
        }
        if (!touched.isEmpty()) {
            touched.forEach(lock -> check(node.simulation(), lock));
            touched.clear();
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        grants.keySet().forEach(lock -> check(simulation, lock));
    }

    private int[] grantsOf(LockId lock) {
        return grants.computeIfAbsent(lock, _ -> new int[1]);
    }

    private void check(Simulation simulation, LockId lock) {
        boolean isWhole = simulation.lost().isEmpty();
        int tokens = isWhole ? grantsOf(lock)[0] : 0;
        for (SimNode node : simulation.nodes()) {
            if (!node.isDead()) {
                String state = node.view().lockState(lock);
                tokens += state.equals("Away") || state.equals("Asked") ? 0 : 1;
                checkWord(node, lock, state);
            }
        }
        if (tokens > 1 || tokens == 0 && isWhole) {
            throw violation(
                    "lock '" + lock + "' has " + tokens + " tokens: " + where(simulation, lock));
        }
    }

    private void checkWord(SimNode node, LockId lock, String state) {
        LockWord word = node.lockWord(lock);
        boolean isRight =
                switch (state) {
                    case "Lent" -> word == LockWord.FREE || word == LockWord.HELD;
                    // ABSENT when its holder has released and the call is in transit
                    case "Wanted" -> word == LockWord.WANTED || word == LockWord.ABSENT;
                    default -> word == LockWord.ABSENT;
                };
        if (!isRight) {
            throw violation(
                    "node "
                            + node.id()
                            + " lock '"
                            + lock
                            + "': its word says "
                            + word
                            + ", but it is "
                            + state);
        }
    }

    private String where(Simulation simulation, LockId lock) {
        StringBuilder text = new StringBuilder();
        for (SimNode node : simulation.nodes()) {
            text.append(node.isDead() ? "dead node " : "node ").append(node.id()).append(' ');
            text.append(node.view().lockState(lock)).append(", ");
        }
        return text.append(grantsOf(lock)[0]).append(" grants under way").toString();
    }
}
