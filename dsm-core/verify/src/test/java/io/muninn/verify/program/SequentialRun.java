package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Runs a program on a single memory, one operation of a random thread after another, and finds its
 * data races by vector timestamps. A program that cannot continue has a deadlock. Every shipped
 * object has a thread of its own, which runs all calls.
 */
final class SequentialRun {
    private static final int ORDERS = 3;

    /** The progress of a thread's wait at a condition. */
    private enum Stage {
        LOOKING,
        ASLEEP,
        WOKEN,
        LATE
    }

    private record Letter(int from, int to, int tag, int[] time) {}

    private record Call(Op.Ship ship, int caller, int[] time, List<Program.Step> body) {}

    /** A shipped object. */
    private static final class Served {
        final int thread;
        final Op.Declare declaration;
        final ArrayDeque<Call> calls = new ArrayDeque<>(); // the first one runs, or runs next
        boolean isDeclared;

        Served(int thread, Op.Declare declaration) {
            this.thread = thread;
            this.declaration = declaration;
        }
    }

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
    private final Map<List<Integer>, Long> remotes = new HashMap<>(); // by home and word
    private final int threads; // the program's, and then those of objects
    private final List<List<Program.Step>> scripts; // of an object: the call that it runs
    private final Map<ObjectId, Served> objects = new LinkedHashMap<>();
    private final int[] next;
    private final int[][] times;
    private final Map<ReadWriteLockId, Set<Integer>> readers = new TreeMap<>();
    private final Map<ReadWriteLockId, Integer> writers = new TreeMap<>();
    private final Map<ReadWriteLockId, int[]> read = new TreeMap<>(); // loads before writers
    private final Map<ReadWriteLockId, int[]> written = new TreeMap<>();
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

    /** Runs the program of each seed in several orders; none may race or hang. */
    static void assertNoRace(IntFunction<Program> programs, int seeds) {
        for (int seed = 0; seed < seeds; seed++) {
            for (int order = 0; order < ORDERS; order++) {
                assertEquals(
                        Set.of(),
                        new SequentialRun(programs.apply(seed), order).run(),
                        "seed " + seed);
            }
        }
    }

    SequentialRun(Program program, long seed) {
        this.program = program;
        this.random = new Random(seed);
        scripts = new ArrayList<>(program.scripts());
        program.scripts().forEach(script -> script.forEach(this::readDeclaration));
        threads = scripts.size();
        next = new int[threads];
        times = new int[threads][threads];
        waits = new boolean[threads];
        stages = new Stage[threads];
        Arrays.fill(stages, Stage.LOOKING);
        for (int i = 0; i < threads; i++) {
            times[i][i] = 1;
        }
    }

    private void readDeclaration(Program.Step step) {
        if (step.op() instanceof Op.Declare declare && !objects.containsKey(declare.object())) {
            objects.put(declare.object(), new Served(scripts.size(), declare));
            scripts.add(List.of());
        }
    }

    /**
     * @return the variables with a data race
     */
    Set<Variable> run() {
        int stuck = 0;
        while (!isOver()) {
            int thread = random.nextInt(threads);
            List<Program.Step> script = scripts.get(thread);
            boolean goesOn =
                    next[thread] == script.size()
                            ? serve(thread)
                            : !waits[thread] && perform(thread, script.get(next[thread]).op());
            stuck = goesOn ? 0 : stuck + 1;
            if (stuck > 1_000 * threads) {
                throw new AssertionError("deadlock in\n" + program.toText());
            }
        }
        if (!letters.isEmpty() || arrived.values().stream().anyMatch(each -> !each.isEmpty())) {
            throw new AssertionError("letters " + letters + " and arrivals " + arrived + " left");
        }
        return racy;
    }

    private boolean isOver() {
        for (int i = 0; i < threads; i++) {
            if (next[i] < scripts.get(i).size()) {
                return false;
            }
        }
        return objects.values().stream().allMatch(object -> object.calls.isEmpty());
    }

    /**
     * @return false if the thread cannot continue
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
            case Op.Await(BarrierId barrier, int parties, long _, var _) -> {
                arrive(thread, barrier, parties == Event.ALL_PARTIES ? threads : parties);
                return true;
            }
            case Op.Gather gather -> throw new AssertionError(gather + " is not run here");
            case Op.Send(int to, int tag, long _, int _) ->
                    letters.add(new Letter(node(thread), to, tag, leave(thread)));
            case Op.Receive(int from, int tag, long _) -> {
                if (!receive(thread, from, tag)) {
                    return false;
                }
            }
            case Op.Permitting about -> {
                if (!perform(thread, about)) {
                    return false;
                }
            }
            case Op.Work _, Op.Interrupt _, Op.Refresh _, Op.Prefetch _, Op.Advise _ -> {}
            case Op.Remote about -> {
                if (!perform(about)) {
                    return false;
                }
            }
            case Op.Declare(ObjectId object, int node, long _) ->
                    objects.get(object).isDeclared |= node == node(thread);
            case Op.Ship ship -> {
                call(thread, ship);
                return true;
            }
            case Op.Return _ -> throw new AssertionError("a call without a beginning");
        }
        next[thread]++;
        return true;
    }

    /** Remote words have sums; only waits depend on them. */
    private boolean perform(Op.Remote op) {
        switch (op) {
            case Op.RemoteAdd(int home, int word, long amount, boolean _) ->
                    remotes.merge(List.of(home, word), amount, Long::sum);
            case Op.RemoteUntil(int home, int word, long least, long timeoutNanos) -> {
                boolean isMet = remotes.getOrDefault(List.of(home, word), 0L) >= least;
                return isMet || timeoutNanos >= 0 && random.nextBoolean();
            }
            case Op.RemoteLoad _, Op.RemoteExchange _, Op.RemoteCompare _, Op.RemoteFence _ -> {}
        }
        return true;
    }

    private boolean perform(int thread, Op.Permitting op) {
        Set<Integer> reading = readers.computeIfAbsent(op.lock(), _ -> new TreeSet<>());
        switch (op) {
            case Op.Enter(ReadWriteLockId lock, boolean toWrite, long timeoutNanos) -> {
                if (writers.containsKey(lock) || toWrite && !reading.isEmpty()) {
                    if (timeoutNanos < 0 || random.nextBoolean()) {
                        return false;
                    }
                    List<Program.Step> script = scripts.get(thread);
                    while (!(script.get(next[thread]).op() instanceof Op.Leave end
                            && end.lock().equals(lock))) {
                        next[thread]++;
                    }
                } else {
                    join(times[thread], written.getOrDefault(lock, new int[threads]));
                    if (toWrite) {
                        join(times[thread], read.getOrDefault(lock, new int[threads]));
                        writers.put(lock, thread);
                    } else {
                        reading.add(thread);
                    }
                }
            }
            case Op.Downgrade(ReadWriteLockId lock) -> {
                endWriting(thread, lock);
                reading.add(thread);
            }
            case Op.Leave(ReadWriteLockId lock, boolean toWrite) -> {
                if (toWrite) {
                    endWriting(thread, lock);
                } else if (reading.remove(thread)) {
                    join(read.computeIfAbsent(lock, _ -> new int[threads]), leave(thread));
                } else {
                    throw new AssertionError("thread " + thread + " does not read under " + lock);
                }
            }
        }
        return true;
    }

    private void endWriting(int thread, ReadWriteLockId lock) {
        if (writers.remove(lock) != thread) {
            throw new AssertionError("thread " + thread + " does not write under " + lock);
        }
        written.put(lock, leave(thread));
    }

    private void skipTo(int thread, Op end) {
        while (!scripts.get(thread).get(next[thread]).op().equals(end)) {
            next[thread]++;
        }
    }

    private void call(int thread, Op.Ship ship) {
        Served object = objects.get(ship.object());
        int begin = next[thread] + 1;
        skipTo(thread, new Op.Return(ship.object(), ship.serial()));
        List<Program.Step> body = scripts.get(thread).subList(begin, next[thread]);
        next[thread]++;
        if (ship.fingerprint() == object.declaration.fingerprint()) {
            waits[thread] = !ship.isPosted();
            object.calls.add(new Call(ship, thread, leave(thread), body));
        }
    }

    /**
     * A thread has no operation left: the thread of an object ends a call, and begins the next.
     *
     * @return false if there is none
     */
    private boolean serve(int thread) {
        for (Served object : objects.values()) {
            if (object.thread == thread && object.isDeclared && !object.calls.isEmpty()) {
                Call first = object.calls.element();
                if (scripts.get(thread) == first.body()) {
                    object.calls.remove();
                    int[] time = leave(thread);
                    if (!first.ship().isPosted()) {
                        join(times[first.caller()], time);
                        waits[first.caller()] = false;
                    }
                    scripts.set(thread, List.of());
                } else {
                    join(times[thread], first.time());
                    scripts.set(thread, first.body());
                }
                next[thread] = 0;
                return true;
            }
        }
        return false;
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

    /** Ends an interval of a thread; returns the timestamp that others may receive. */
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
