package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.sim.delay.RandomDelays;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Generates a random program, free of data races, whose threads wait at conditions: all loads and
 * stores are under locks. A thread waits for an element that shows the progress of another one.
 *
 * <ul>
 *   <li>One thread sets a flag, and wakes all threads that wait for it.
 *   <li>One thread sets a flag, and wakes one other; a thread that finds it set wakes the next.
 *       Some waits have a short limit, and their threads leave without waking another: if a signal
 *       is lost with them, the others wait for ever.
 *   <li>One thread counts and signals, another waits for each number with a short limit: signals
 *       cross time-outs.
 *   <li>One thread fills a bounded buffer that another empties.
 *   <li>Critical sections without a wait, in between.
 * </ul>
 *
 * <p><b>Well-formed.</b> As in {@link RandomProgram}, no operation would wait if all were performed
 * in the order of generation. A thread that sets a flag never times out, so no thread waits for
 * ever.
 */
final class WaitingThreads {
    private static final int THREADS_MAX = 3;
    private static final int LOCKS_MAX = 3;
    private static final int ROUNDS_MIN = 10;
    private static final int ROUNDS_MAX = 30;
    private static final int ITEMS_MAX = 12;
    private static final int ROOM_MAX = 3;
    private static final int TOUCHES_MAX = 4;
    private static final int DATA_WORDS = 6; // of each lock
    private static final int PAGES = 16;
    private static final int WORK_NANOS_MAX = 200_000;
    private static final int TIMEOUT_NANOS_MIN = 10_000;
    private static final int TIMEOUT_NANOS_MAX = 4_000_000;
    private static final int COUNT_NANOS_MAX = 1_000_000;

    private final Random random;
    private final int nodes;
    private final int threads;
    private final long holdNanos;
    private final Scripts scripts;
    private final SharedWords words;
    private final List<LockId> locks = new ArrayList<>();
    private final List<List<Variable>> data = new ArrayList<>(); // by lock
    private int conditions;
    private long lastValue;

    private WaitingThreads(long seed, List<Protocol> protocols, int nodes, long holdNanos) {
        random = new Random(seed);
        this.nodes = nodes;
        this.holdNanos = holdNanos;
        threads = 1 + random.nextInt(THREADS_MAX);
        scripts = new Scripts(nodes * threads);
        words = new SharedWords(random, protocols, PAGES);
        int lockCount = 1 + random.nextInt(LOCKS_MAX);
        for (int i = 0; i < lockCount; i++) {
            locks.add(new LockId("lock" + i));
            data.add(IntStream.range(0, DATA_WORDS).mapToObj(_ -> words.next()).toList());
        }
    }

    /**
     * @param protocols at least one of them permits stores
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, List<Protocol> protocols, int nodes, long holdNanos) {
        return new WaitingThreads(seed, protocols, nodes, holdNanos).write();
    }

    private Program write() {
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        for (int i = 0; i < rounds; i++) {
            int lock = random.nextInt(locks.size());
            switch (random.nextInt(6)) {
                case 0 -> setFlag(lock, true);
                case 1 -> setFlag(lock, false);
                case 2 -> fillAndEmpty(lock);
                case 3, 4 -> count(lock);
                default -> touchInSection(lock);
            }
        }
        return new Program(nodes, threads, holdNanos, words.regions(), List.of(), scripts.all());
    }

    /**
     * @param wakesAll whether all are woken at once, or each wakes the next
     */
    private void setFlag(int lock, boolean wakesAll) {
        Variable flag = words.next();
        ConditionId condition = newCondition(lock);
        List<Integer> group = someThreads(2 + random.nextInt(nodes * threads - 1));
        int unit = scripts.beginUnit();
        int setter = group.getFirst();
        acquire(unit, setter, lock);
        touch(unit, setter, lock);
        scripts.add(unit, setter, new Op.Store(flag, 1));
        scripts.add(unit, setter, new Op.Signal(condition, wakesAll));
        touch(unit, setter, lock);
        release(unit, setter, lock);
        for (int waiter : group.subList(1, group.size())) {
            boolean isTimed = random.nextInt(3) == 0;
            long timeoutNanos =
                    isTimed
                            ? RandomDelays.logUniform(random, TIMEOUT_NANOS_MIN, TIMEOUT_NANOS_MAX)
                            : Op.FOR_EVER;
            acquire(unit, waiter, lock);
            scripts.add(unit, waiter, new Op.AwaitCondition(condition, flag, 1, timeoutNanos));
            touch(unit, waiter, lock);
            if (!wakesAll) {
                scripts.add(unit, waiter, new Op.Signal(condition, false));
            }
            release(unit, waiter, lock);
        }
    }

    private void fillAndEmpty(int lock) {
        List<Integer> pair = someThreads(2);
        ConditionId notEmpty = newCondition(lock);
        ConditionId notFull = newCondition(lock);
        Variable filled = words.next();
        Variable emptied = words.next();
        int room = 1 + random.nextInt(ROOM_MAX);
        List<Variable> places = IntStream.range(0, room).mapToObj(_ -> words.next()).toList();
        int unit = scripts.beginUnit();
        int items = 2 + random.nextInt(ITEMS_MAX);
        for (int i = 1; i <= items; i++) {
            Variable place = places.get(i % room);
            int filler = pair.getFirst();
            acquire(unit, filler, lock);
            scripts.add(
                    unit, filler, new Op.AwaitCondition(notFull, emptied, i - room, Op.FOR_EVER));
            scripts.add(unit, filler, new Op.Store(place, ++lastValue));
            scripts.add(unit, filler, new Op.Store(filled, i));
            scripts.add(unit, filler, new Op.Signal(notEmpty, false));
            release(unit, filler, lock);
            int emptier = pair.getLast();
            acquire(unit, emptier, lock);
            scripts.add(unit, emptier, new Op.AwaitCondition(notEmpty, filled, i, Op.FOR_EVER));
            scripts.load(unit, emptier, place);
            scripts.add(unit, emptier, new Op.Store(emptied, i));
            scripts.add(unit, emptier, new Op.Signal(notFull, false));
            release(unit, emptier, lock);
        }
    }

    private void count(int lock) {
        List<Integer> pair = someThreads(2);
        ConditionId condition = newCondition(lock);
        Variable number = words.next();
        int unit = scripts.beginUnit();
        int numbers = ITEMS_MAX + random.nextInt(ITEMS_MAX);
        for (int i = 1; i <= numbers; i++) {
            int counter = pair.getFirst();
            acquire(unit, counter, lock);
            scripts.add(unit, counter, new Op.Store(number, i));
            scripts.add(unit, counter, new Op.Signal(condition, false));
            release(unit, counter, lock);
            int waiter = pair.getLast();
            acquire(unit, waiter, lock);
            long timeoutNanos = RandomDelays.logUniform(random, TIMEOUT_NANOS_MIN, COUNT_NANOS_MAX);
            scripts.add(unit, waiter, new Op.AwaitCondition(condition, number, i, timeoutNanos));
            release(unit, waiter, lock);
        }
    }

    private void touchInSection(int lock) {
        int thread = random.nextInt(nodes * threads);
        int unit = scripts.beginUnit();
        acquire(unit, thread, lock);
        touch(unit, thread, lock);
        release(unit, thread, lock);
    }

    private void acquire(int unit, int thread, int lock) {
        if (random.nextInt(3) == 0) {
            scripts.add(unit, thread, new Op.Work(random.nextInt(WORK_NANOS_MAX)));
        }
        scripts.add(unit, thread, new Op.Acquire(locks.get(lock), Op.FOR_EVER));
    }

    private void release(int unit, int thread, int lock) {
        scripts.add(unit, thread, new Op.Release(locks.get(lock)));
    }

    private void touch(int unit, int thread, int lock) {
        for (int i = random.nextInt(TOUCHES_MAX); i > 0; i--) {
            Variable word = data.get(lock).get(random.nextInt(DATA_WORDS));
            if (random.nextBoolean()) {
                scripts.load(unit, thread, word);
            } else {
                scripts.add(unit, thread, new Op.Store(word, ++lastValue));
            }
        }
    }

    private List<Integer> someThreads(int count) {
        List<Integer> all = new ArrayList<>(IntStream.range(0, nodes * threads).boxed().toList());
        Collections.shuffle(all, random);
        return all.subList(0, count);
    }

    private ConditionId newCondition(int lock) {
        return new ConditionId(locks.get(lock), ConditionId.numbered(conditions++));
    }
}
