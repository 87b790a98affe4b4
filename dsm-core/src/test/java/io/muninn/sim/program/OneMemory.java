package io.muninn.sim.program;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.protocol.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Runs a program on one memory, one operation of a random thread after another, and finds its data
 * races by vector timestamps. What cannot go on is a deadlock.
 */
final class OneMemory {
    /** How far a thread has come in the wait at a condition. */
    private enum Stage {
        LOOKING,
        ASLEEP,
        WOKEN,
        LATE
    }

    private record Letter(int from, int to, int tag, int[] time) {}

    private static final class Access {
        final int[] loads; // by thread: its own time of its last load
        final int[] stores;

        Access(int threads) {
            loads = new int[threads];
            stores = new int[threads];
        }
    }

    private final Program program;
    private final Random random;
    private final int threads;
    private final int[] next;
    private final int[][] times;
    private final Map<LockId, Integer> holders = new LinkedHashMap<>();
    private final Map<LockId, int[]> releases = new LinkedHashMap<>();
    private final Map<BarrierId, List<Integer>> arrived = new LinkedHashMap<>();
    private final boolean[] waits;
    private final List<Letter> letters = new ArrayList<>();
    private final Map<ConditionId, ArrayDeque<Integer>> queues = new LinkedHashMap<>();
    private final Stage[] stages;
    private final Map<Variable, Long> values = new LinkedHashMap<>();
    private final Map<Variable, Access> accesses = new LinkedHashMap<>();
    private final Set<Variable> racy = new LinkedHashSet<>();

    OneMemory(Program program, long seed) {
        this.program = program;
        this.random = new Random(seed);
        threads = program.scripts().size();
        next = new int[threads];
        times = new int[threads][threads];
        waits = new boolean[threads];
        stages = new Stage[threads];
        Arrays.fill(stages, Stage.LOOKING);
        for (int i = 0; i < threads; i++) {
            times[i][i] = 1;
        }
    }

    /**
     * @return the variables with a data race
     */
    Set<Variable> run() {
        ArrayDeque<Integer> stuck = new ArrayDeque<>();
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            left.add(i);
        }
        while (!left.isEmpty()) {
            int place = random.nextInt(left.size());
            int thread = left.get(place);
            List<Program.Step> script = program.scripts().get(thread);
            if (next[thread] == script.size()) {
                left.remove(place);
                stuck.clear();
            } else if (!waits[thread] && perform(thread, script.get(next[thread]).op())) {
                stuck.clear();
            } else {
                stuck.add(thread);
                if (stuck.size() > 1_000 * threads) {
                    throw new AssertionError("deadlock of " + left + " in\n" + program.toText());
                }
            }
        }
        if (!letters.isEmpty() || arrived.values().stream().anyMatch(each -> !each.isEmpty())) {
            throw new AssertionError("letters " + letters + " and arrivals " + arrived + " left");
        }
        return racy;
    }

    /**
     * @return false if the thread cannot go on
     */
    private boolean perform(int thread, Op op) {
        switch (op) {
            case Op.Load(Variable variable, int _) -> access(thread, variable, false);
            case Op.Store(Variable variable, long value) -> {
                access(thread, variable, true);
                values.put(variable, value);
            }
            case Op.Acquire(LockId lock, long timeoutNanos) -> {
                if (holders.containsKey(lock)) {
                    if (timeoutNanos < 0 || random.nextBoolean()) {
                        return false;
                    }
                    skipTo(thread, new Op.Release(lock));
                } else {
                    holders.put(lock, thread);
                    join(times[thread], releases.getOrDefault(lock, new int[threads]));
                }
            }
            case Op.Release(LockId lock) -> {
                if (holders.remove(lock) != thread) {
                    throw new AssertionError("thread " + thread + " does not hold " + lock);
                }
                releases.put(lock, leave(thread));
            }
            case Op.AwaitCondition await -> {
                return await(thread, await);
            }
            case Op.Signal(ConditionId condition, boolean all) -> signal(condition, all);
            case Op.Await(BarrierId barrier, int parties, long _) -> {
                arrive(thread, barrier, parties == Event.ALL_PARTIES ? threads : parties);
                return true;
            }
            case Op.Send(int to, int tag, long _) ->
                    letters.add(new Letter(node(thread), to, tag, leave(thread)));
            case Op.Receive(int from, int tag) -> {
                if (!receive(thread, from, tag)) {
                    return false;
                }
            }
            case Op.Work _ -> {}
        }
        next[thread]++;
        return true;
    }

    private void skipTo(int thread, Op end) {
        while (!program.scripts().get(thread).get(next[thread]).op().equals(end)) {
            next[thread]++;
        }
    }

    /** One step of a wait at a condition, with the lock held before it and after it. */
    private boolean await(int thread, Op.AwaitCondition await) {
        LockId lock = await.condition().lock();
        switch (stages[thread]) {
            case LOOKING -> {
                access(thread, await.flag(), false);
                if (values.getOrDefault(await.flag(), 0L) >= await.least()) {
                    next[thread]++;
                } else {
                    holders.remove(lock);
                    releases.put(lock, leave(thread));
                    stages[thread] = Stage.ASLEEP;
                    queues.computeIfAbsent(await.condition(), _ -> new ArrayDeque<>()).add(thread);
                }
                return true;
            }
            case ASLEEP -> {
                if (await.timeoutNanos() >= 0 && random.nextInt(4) == 0) {
                    queues.get(await.condition()).remove(thread);
                    stages[thread] = Stage.LATE;
                }
                return false;
            }
            case WOKEN, LATE -> {
                if (holders.containsKey(lock)) {
                    return false;
                }
                holders.put(lock, thread);
                join(times[thread], releases.get(lock));
                if (stages[thread] == Stage.LATE) {
                    skipTo(thread, new Op.Release(lock));
                }
                stages[thread] = Stage.LOOKING;
                return true;
            }
        }
        throw new AssertionError(stages[thread]);
    }

    private void signal(ConditionId condition, boolean all) {
        ArrayDeque<Integer> queue = queues.getOrDefault(condition, new ArrayDeque<>());
        for (int i = all ? queue.size() : Math.min(1, queue.size()); i > 0; i--) {
            stages[queue.remove()] = Stage.WOKEN;
        }
    }

    private void arrive(int thread, BarrierId barrier, int parties) {
        List<Integer> group = arrived.computeIfAbsent(barrier, _ -> new ArrayList<>());
        group.add(thread);
        waits[thread] = true;
        if (group.size() == parties) {
            int[] all = new int[threads];
            group.forEach(each -> join(all, leave(each)));
            for (int each : group) {
                join(times[each], all);
                waits[each] = false;
                next[each]++;
            }
            group.clear();
        }
    }

    private boolean receive(int thread, int from, int tag) {
        for (Iterator<Letter> each = letters.iterator(); each.hasNext(); ) {
            Letter letter = each.next();
            boolean fits = letter.to() == node(thread) && letter.tag() == tag;
            if (fits && (from == Event.ANY_NODE || from == letter.from())) {
                each.remove();
                join(times[thread], letter.time());
                return true;
            }
        }
        return false;
    }

    private void access(int thread, Variable variable, boolean isStore) {
        Access before = accesses.computeIfAbsent(variable, _ -> new Access(threads));
        for (int i = 0; i < threads; i++) {
            int last = isStore ? Math.max(before.loads[i], before.stores[i]) : before.stores[i];
            if (i != thread && last > times[thread][i]) {
                racy.add(variable);
            }
        }
        (isStore ? before.stores : before.loads)[thread] = times[thread][thread];
    }

    /** What others may know from now on. */
    private int[] leave(int thread) {
        int[] known = times[thread].clone();
        times[thread][thread]++;
        return known;
    }

    private static void join(int[] time, int[] other) {
        for (int i = 0; i < time.length; i++) {
            time[i] = Math.max(time[i], other[i]);
        }
    }

    private int node(int thread) {
        return thread / program.threads();
    }
}
