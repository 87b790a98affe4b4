package io.muninn.verify.check;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The happened-before order, as a vector timestamp for each thread: the last interval of every
 * thread that happened before the thread's current operation. Checks nothing itself.
 *
 * <p>An interval of a thread ends when other threads may learn of it: at a release, an arrival, a
 * send, a call or a reply, and when a thread of another node refreshes. The happened-before order
 * consists of program order; a release before a later acquire of the lock, of a reader-writer lock
 * that of a writer; an arrival before the departures of its generation; a send before the receipt
 * of the letter; a call before its run, and its run before the receipt of the reply; all operations
 * of other nodes at the call of a refresh before the end of the refresh; and the root's
 * initialization before all else. If more threads use a barrier than it has parties, the generation
 * is unknown, and the barrier orders nothing.
 *
 * <p><b>Order.</b> It is notified before the checkers that use it. A returned timestamp does not
 * change.
 */
final class VectorTimestamps implements Observer {
    private static final int[] NOTHING = {};

    private final Map<LockId, int[]> released = new TreeMap<>();
    private final Map<ReadWriteLockId, int[]> written = new TreeMap<>();
    private final Map<Long, int[]> letters = new TreeMap<>();
    private final Map<Long, int[]> calls = new TreeMap<>();
    private final Map<Long, int[]> replies = new TreeMap<>();
    private final Map<Integer, int[]> refreshes = new TreeMap<>(); // in progress, by thread
    private final Generations generations = new Generations();
    private int[][] known = {}; // by position of thread
    private int[][] arrived = {}; // the timestamp of each thread when it arrived at its barrier

    @Override
    public void onStart(Simulation simulation) {
        int threads = simulation.positions();
        known = new int[threads][threads];
        arrived = new int[threads][];
        for (int i = 0; i < threads; i++) {
            known[i][i] = 1;
        }
    }

    /** The current timestamp of a thread, by position of thread; must not be changed. */
    int[] known(int thread) {
        return known[thread];
    }

    /** The current interval of a thread, from 1. */
    int interval(int thread) {
        return known[thread][thread];
    }

    int threads() {
        return known.length;
    }

    @Override
    public void onInitialized(SimThread root) {
        for (SimThread initializer : root.node().threads()) {
            int[] before = endInterval(initializer.position());
            for (int i = 0; i < known.length; i++) {
                learn(i, before);
            }
        }
    }

    @Override
    public void onAcquired(SimThread thread, LockId lock) {
        learn(thread.position(), released.getOrDefault(lock, NOTHING));
    }

    @Override
    public void onRelease(SimThread thread, LockId lock) {
        released.put(lock, endInterval(thread.position()));
    }

    @Override
    public void onPermitted(SimThread thread, ReadWriteLockId lock, boolean toWrite) {
        learn(thread.position(), written.getOrDefault(lock, NOTHING));
    }

    @Override
    public void onPermissionEnded(SimThread thread, ReadWriteLockId lock, boolean toWrite) {
        if (toWrite) {
            written.put(lock, endInterval(thread.position()));
        }
    }

    @Override
    public void onSend(SimThread thread, long serial) {
        letters.put(serial, endInterval(thread.position()));
    }

    @Override
    public void onReceived(SimThread thread, long serial) {
        int[] sent = letters.remove(serial);
        learn(thread.position(), sent == null ? NOTHING : sent);
    }

    @Override
    public void onCalled(SimThread caller, ObjectId object, long serial, boolean isMistaken) {
        calls.put(serial, endInterval(caller.position()));
    }

    @Override
    public void onCallBegun(SimThread server, ObjectId object, long serial) {
        learn(server.position(), calls.getOrDefault(serial, NOTHING));
    }

    @Override
    public void onCallEnded(SimThread server, ObjectId object, long serial) {
        replies.put(serial, endInterval(server.position()));
    }

    @Override
    public void onReplied(SimThread thread, long serial, boolean isRefused) {
        calls.remove(serial);
        int[] run = replies.remove(serial);
        learn(thread.position(), run == null ? NOTHING : run);
    }

    @Override
    public void onArrive(SimThread thread, BarrierId barrier, int parties) {
        arrived[thread.position()] = endInterval(thread.position());
        generations.arrive(thread, barrier, parties);
    }

    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        generations
                .depart(thread, barrier)
                .filter(generation -> !generation.isOfStrangers())
                .ifPresent(generation -> {
                    if (generation.known.length == 0) {
                        generation.known = new int[known.length];
                        for (SimThread member : generation.members) {
                            join(generation.known, arrived[member.position()]);
                        }
                    }
                    learn(thread.position(), generation.known);
                });
    }

    @Override
    public void onBarrierLeft(SimThread thread, BarrierId barrier) {
        if (thread.node().simulation().lost().isEmpty()) {
            generations.leave(thread, barrier);
        }
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.RefreshCalled(WaiterId waiter)) {
            int[] done = new int[known.length];
            for (SimNode other : node.simulation().nodes()) {
                if (other != node) {
                    other.threads().forEach(thread -> endInterval(thread, done));
                    other.ownThreads().forEach(thread -> endInterval(thread, done));
                }
            }
            refreshes.put(node.thread(waiter.thread()).position(), done);
        }
    }

    private void endInterval(SimThread thread, int[] joined) {
        if (thread.position() < known.length) { // else it is not tracked
            join(joined, endInterval(thread.position()));
        }
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.ResumeWaiter(WaiterId waiter, Outcome outcome)) {
                int thread = node.thread(waiter.thread()).position();
                int[] done = refreshes.remove(thread);
                if (done != null && outcome instanceof Outcome.Done) {
                    learn(thread, done);
                }
            }
        }
    }

    /** Ends the current interval of a thread; returns its timestamp, including this interval. */
    private int[] endInterval(int thread) {
        int[] before = known[thread];
        int[] after = before.clone();
        after[thread]++;
        known[thread] = after;
        return before;
    }

    private void learn(int thread, int[] what) {
        for (int i = 0; i < what.length; i++) {
            if (what[i] > known[thread][i]) {
                int[] joined = known[thread].clone();
                join(joined, what);
                known[thread] = joined;
                return;
            }
        }
    }

    private static void join(int[] into, int[] from) {
        for (int i = 0; i < into.length; i++) {
            into[i] = Math.max(into[i], from[i]);
        }
    }

    @Override
    public String toString() {
        return Arrays.deepToString(known);
    }
}
