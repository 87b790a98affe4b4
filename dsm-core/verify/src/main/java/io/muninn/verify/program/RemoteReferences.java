package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program whose threads update, load and await remote words, from their homes
 * and from elsewhere, and synchronize between: by locks, barriers, letters and fences. Under the
 * locks they also store to pages, so that releases have several parts.
 *
 * <p><b>Well-formed.</b> A wait without limit is for words that its own unit stores to, in threads
 * that wait for earlier units only. So no thread waits for ever.
 */
final class RemoteReferences {
    /** Words of a home: the first are used by all units, each later one by one wait. */
    static final int WORDS = 512;

    private static final int COMMON_WORDS = 3;
    private static final int THREADS_MAX = 3;
    private static final int ROUNDS_MIN = 20;
    private static final int ROUNDS_MAX = 90;
    private static final int BURST_MAX = 5;
    private static final int PAGES = 2;
    private static final int PAUSE_NANOS_MAX = 60_000;
    private static final int LIMIT_NANOS_MAX = 300_000;

    private final Random random;
    private final int nodes;
    private final int threads;
    private final Scripts scripts;
    private final SharedWords pages;
    private final Variable stored;
    private final List<LockId> locks = List.of(new LockId("l0"), new LockId("l1"));
    private int lastWord = COMMON_WORDS;
    private long lastValue;

    private RemoteReferences(long seed, List<Protocol> protocols, int nodes) {
        random = new Random(seed);
        this.nodes = nodes;
        threads = 1 + random.nextInt(THREADS_MAX);
        scripts = new Scripts(nodes * threads);
        pages = new SharedWords(random, protocols, PAGES);
        stored = pages.next();
    }

    /**
     * @param protocols at least one of them permits stores
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, List<Protocol> protocols, int nodes, long holdNanos) {
        return new RemoteReferences(seed, protocols, nodes).write(holdNanos);
    }

    private Program write(long holdNanos) {
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        for (int i = 0; i < rounds; i++) {
            int unit = scripts.beginUnit();
            int thread = random.nextInt(nodes * threads);
            switch (random.nextInt(10)) {
                case 0, 1 -> writeWait(unit, thread);
                case 2, 3 -> writeSection(unit, thread);
                case 4 -> writeBarrier(unit, i);
                case 5 -> writeLetter(unit, thread, i);
                default -> writeBurst(unit, thread);
            }
        }
        return new Program(nodes, threads, holdNanos, pages.regions(), List.of(), scripts.all());
    }

    private void writeBurst(int unit, int thread) {
        for (int i = random.nextInt(BURST_MAX); i >= 0; i--) {
            pause(unit, thread);
            scripts.add(unit, thread, operation());
        }
    }

    private Op operation() {
        int home = random.nextInt(nodes);
        int word = random.nextInt(COMMON_WORDS);
        return switch (random.nextInt(9)) {
            case 0 -> new Op.RemoteLoad(home, word);
            case 1 -> new Op.RemoteExchange(home, word, ++lastValue);
            case 2, 3 -> new Op.RemoteCompare(home, word, ++lastValue);
            case 4 -> new Op.RemoteFence();
            case 5 -> new Op.RemoteAdd(home, word, ++lastValue, true);
            case 6 ->
                    new Op.RemoteUntil(
                            home,
                            word,
                            random.nextInt(100),
                            RandomDelays.logUniform(random, 1, LIMIT_NANOS_MAX));
            default -> new Op.RemoteAdd(home, word, ++lastValue, false);
        };
    }

    private Op post() {
        int home = random.nextInt(nodes);
        return new Op.RemoteAdd(home, random.nextInt(COMMON_WORDS), ++lastValue, false);
    }

    /** Some threads add to a word, and one waits until all have. */
    private void writeWait(int unit, int waiter) {
        if (lastWord == WORDS - 1) {
            return;
        }
        int word = lastWord++;
        int home = random.nextInt(nodes);
        int adders = 1 + random.nextInt(3);
        for (int i = 0; i < adders; i++) {
            int thread = random.nextInt(nodes * threads);
            pause(unit, thread);
            scripts.add(unit, thread, new Op.RemoteAdd(home, word, 1, random.nextInt(3) == 0));
        }
        if (random.nextInt(4) == 0) {
            scripts.add(
                    unit,
                    waiter,
                    new Op.RemoteUntil(
                            home,
                            word,
                            adders,
                            RandomDelays.logUniform(random, 1, LIMIT_NANOS_MAX)));
        }
        scripts.add(unit, waiter, new Op.RemoteUntil(home, word, adders, Op.FOR_EVER));
    }

    private void writeSection(int unit, int thread) {
        LockId lock = locks.get(random.nextInt(locks.size()));
        scripts.add(unit, thread, new Op.Acquire(lock, Op.FOR_EVER));
        if (lock.equals(locks.getFirst())) {
            scripts.add(unit, thread, new Op.Store(stored, ++lastValue));
        }
        for (int i = random.nextInt(3); i >= 0; i--) {
            scripts.add(unit, thread, post());
        }
        scripts.add(unit, thread, new Op.Release(lock));
    }

    private void writeBarrier(int unit, int round) {
        BarrierId barrier = new BarrierId("b" + round % 3);
        for (int thread = 0; thread < nodes * threads; thread++) {
            if (random.nextBoolean()) {
                scripts.add(unit, thread, post());
            }
            scripts.add(unit, thread, new Op.Await(barrier, Event.ALL_PARTIES));
        }
    }

    private void writeLetter(int unit, int thread, int round) {
        int to = random.nextInt(nodes * threads);
        if (to / threads == thread / threads) {
            writeBurst(unit, thread);
            return;
        }
        scripts.add(unit, thread, post());
        scripts.add(unit, thread, new Op.Send(to / threads, round, ++lastValue));
        scripts.add(unit, to, new Op.Receive(Event.ANY_NODE, round));
    }

    private void pause(int unit, int thread) {
        if (random.nextInt(4) == 0) {
            long nanos = RandomDelays.logUniform(random, 1, PAUSE_NANOS_MAX);
            scripts.add(unit, thread, new Op.Work(nanos));
        }
    }
}
