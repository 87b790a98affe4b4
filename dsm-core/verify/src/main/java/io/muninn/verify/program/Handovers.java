package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.sim.delay.RandomDelays;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program, free of data races, in which threads of some nodes pass a lock among
 * themselves for as long as they may, while others wait for it, or at a condition of it for the
 * value of a counter; some of these waits have a short limit, or are interrupted.
 *
 * <p><b>Well-formed.</b> Every wait at a condition has a time limit, so no thread waits for ever.
 */
final class Handovers {
    private static final int THREADS_MIN = 2;
    private static final int THREADS_MAX = 4;
    private static final int BUSY_MIN = 8;
    private static final int BUSY_MAX = 24;
    private static final int IDLE_MAX = 12;
    private static final int TIMED_ONE_IN = 4;
    private static final int TIMEOUT_NANOS_MAX = 4_000_000;
    private static final int WORK_NANOS_MAX = 200_000;
    private static final int PAGES = 1;
    private static final int WORDS = 4;
    private static final LockId LOCK = new LockId("lock");
    private static final ConditionId COUNTED = new ConditionId(LOCK, ConditionId.numbered(0));

    private final Random random;
    private final int nodes;
    private final int threads;
    private final int busy; // number of such nodes
    private final Scripts scripts;
    private final SharedWords words;
    private final List<Variable> shared;
    private final Variable number;
    private long lastValue;
    private long lastNumber;

    private Handovers(long seed, List<Protocol> protocols, int nodes) {
        random = new Random(seed);
        this.nodes = nodes;
        threads = THREADS_MIN + random.nextInt(THREADS_MAX - THREADS_MIN + 1);
        busy = 1 + random.nextInt(Math.min(2, nodes - 1));
        scripts = new Scripts(nodes * threads);
        words = new SharedWords(random, protocols, PAGES);
        shared = random.ints(WORDS).mapToObj(_ -> words.next()).toList();
        number = words.next();
    }

    /**
     * @param protocols at least one of them permits stores
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, List<Protocol> protocols, int nodes, long holdNanos) {
        return new Handovers(seed, protocols, nodes).write(holdNanos);
    }

    private Program write(long holdNanos) {
        for (int round = 0; round < BUSY_MAX; round++) {
            for (int thread = 0; thread < nodes * threads; thread++) {
                boolean isBusy = thread / threads < busy;
                if (isBusy) {
                    if (round < BUSY_MIN || random.nextInt(3) > 0) {
                        touch(thread);
                    }
                } else if (random.nextInt(BUSY_MAX) < IDLE_MAX) {
                    idle(thread);
                }
            }
        }
        return new Program(nodes, threads, holdNanos, words.regions(), List.of(), scripts.all());
    }

    private void idle(int thread) {
        switch (random.nextInt(6)) {
            case 0, 1 -> waitForNumber(thread);
            case 2, 3 -> {
                int unit = scripts.beginUnit();
                work(unit, thread);
                int other = busy * threads + random.nextInt((nodes - busy) * threads);
                scripts.add(unit, thread, new Op.Interrupt(other));
            }
            default -> touch(thread);
        }
    }

    private void touch(int thread) {
        int unit = scripts.beginUnit();
        boolean isBusy = thread / threads < busy;
        if (!isBusy) {
            work(unit, thread);
        }
        long timeoutNanos = random.nextInt(TIMED_ONE_IN) == 0 ? timeoutNanos() : Op.FOR_EVER;
        scripts.add(unit, thread, new Op.Acquire(LOCK, timeoutNanos));
        Variable word = shared.get(random.nextInt(WORDS));
        scripts.load(unit, thread, word);
        if (random.nextInt(3) == 0) {
            scripts.add(unit, thread, new Op.Store(word, ++lastValue));
        }
        if (isBusy && random.nextInt(4) == 0) {
            scripts.add(unit, thread, new Op.Store(number, ++lastNumber));
            scripts.add(unit, thread, new Op.Signal(COUNTED, random.nextInt(4) == 0));
        }
        scripts.add(unit, thread, new Op.Release(LOCK));
    }

    private void waitForNumber(int thread) {
        int unit = scripts.beginUnit();
        long least = lastNumber + random.nextInt(3);
        scripts.add(unit, thread, new Op.Acquire(LOCK, Op.FOR_EVER));
        scripts.add(unit, thread, new Op.AwaitCondition(COUNTED, number, least, timeoutNanos()));
        scripts.load(unit, thread, shared.getFirst());
        scripts.add(unit, thread, new Op.Release(LOCK));
    }

    private void work(int unit, int thread) {
        long nanos = RandomDelays.logUniform(random, 1, WORK_NANOS_MAX);
        scripts.add(unit, thread, new Op.Work(nanos));
    }

    private long timeoutNanos() {
        return RandomDelays.logUniform(random, 1, TIMEOUT_NANOS_MAX);
    }
}
