package io.muninn.sim.check;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happens before what: the order of each thread, and from a release of a lock to the next
 * acquire, from the arrivals at a barrier to its departures, from a send to the receipt, from the
 * root's initialization to everything. Kept as vector timestamps.
 *
 * <p>It checks barriers on the way: nobody departs before all have arrived.
 */
final class HappensBefore implements Observer {
    static final String BARRIERS = "barriers";

    /** Threads that meet; the next ones to come meet anew. */
    private static final class Meeting {
        final int parties;
        int arrived;
        int departed;
        int[] clock;

        Meeting(int parties, int threads) {
            this.parties = parties;
            this.clock = new int[threads];
        }
    }

    private int threads;
    private int[][] seen = new int[0][]; // by thread: what of each other happened before now
    private int[] own = new int[0]; // by thread: its stores and releases so far
    private final Map<String, int[]> locks = new TreeMap<>(); // by name: its last release
    private final Map<Long, int[]> letters = new TreeMap<>(); // by serial: its send
    private final Map<String, Meeting> open = new TreeMap<>(); // by the barrier's name
    private @Nullable Meeting[] waiting = new Meeting[0]; // by thread
    private boolean firstDepartureOfAll;

    @Override
    public void onStart(Simulation simulation) {
        threads = simulation.allThreads();
        seen = new int[threads][threads];
        own = new int[threads];
        waiting = new Meeting[threads];
    }

    @Override
    public void onInitialized(SimThread root) {
        int[] initial = release(root);
        for (int i = 0; i < threads; i++) {
            join(i, initial);
        }
    }

    @Override
    public void onRelease(SimThread thread, LockId lock) {
        locks.put(lock.name(), release(thread));
    }

    @Override
    public void onAcquired(SimThread thread, LockId lock) {
        int[] released = locks.get(lock.name());
        if (released != null) {
            join(thread.position(), released);
        }
    }

    @Override
    public void onSend(SimThread thread, long serial) {
        letters.put(serial, release(thread));
    }

    @Override
    public void onReceived(SimThread thread, long serial) {
        int[] sent = letters.get(serial);
        if (sent == null) {
            throw new Violation("letters", thread + " receives letter " + serial + ", never sent");
        }
        join(thread.position(), sent);
    }

    @Override
    public void onArrive(SimThread thread, BarrierId barrier, int parties) {
        Meeting meeting = open.computeIfAbsent(barrier.name(), _ -> new Meeting(parties, threads));
        meeting.clock = max(meeting.clock, release(thread));
        meeting.arrived++;
        waiting[thread.position()] = meeting;
        if (meeting.arrived == parties) {
            open.remove(barrier.name());
        }
    }

    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        Meeting meeting = waiting[thread.position()];
        if (meeting == null || meeting.arrived < meeting.parties) {
            String came = meeting == null ? "nobody" : meeting.arrived + " of " + meeting.parties;
            throw new Violation(
                    BARRIERS, thread + " departs from '" + barrier + "', to which came " + came);
        }
        join(thread.position(), meeting.clock);
        waiting[thread.position()] = null;
        firstDepartureOfAll = meeting.departed == 0 && meeting.parties == threads;
        meeting.departed++;
    }

    /** True if the last departure was the first one from a barrier of all threads. */
    boolean isFirstDepartureOfAll() {
        return firstDepartureOfAll;
    }

    /** Threads of the cluster. */
    int threads() {
        return threads;
    }

    /** Counts a store of a thread; its number among the thread's own. */
    int count(int thread) {
        return ++own[thread];
    }

    /** What of each thread happened before now on this one; never changed, but replaced. */
    int[] seen(int thread) {
        return seen[thread];
    }

    private int[] release(SimThread thread) {
        int position = thread.position();
        int[] clock = Arrays.copyOf(seen[position], threads);
        clock[position] = ++own[position];
        return clock;
    }

    private void join(int thread, int[] clock) {
        seen[thread] = max(seen[thread], clock);
    }

    private static int[] max(int[] one, int[] other) {
        int[] both = Arrays.copyOf(one, one.length);
        for (int i = 0; i < both.length; i++) {
            both[i] = Math.max(both[i], other[i]);
        }
        return both;
    }
}
