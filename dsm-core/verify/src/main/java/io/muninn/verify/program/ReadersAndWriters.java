package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.model.LockId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.delay.RandomDelays;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Generates a random program, free of data races, whose threads load and store under reader-writer
 * locks: sections that load, sections that load and store, and downgrades. Some waits have a limit,
 * and some of these are interrupted. Some sections contain a section of a plain lock, or of another
 * reader-writer lock. Some are long, so that others wait meanwhile.
 *
 * <p><b>Well-formed.</b> Locks nest in ascending order, plain locks after reader-writer locks, and
 * a thread in a section waits for nothing but locks. So no thread waits for ever.
 */
final class ReadersAndWriters {
    private static final int THREADS_MAX = 4;
    private static final int LOCKS_MAX = 3;
    private static final int ROUNDS_MIN = 20;
    private static final int ROUNDS_MAX = 90;
    private static final int TOUCHES_MAX = 3;
    private static final int WORDS = 6; // of each lock
    private static final int PAGES = 4;
    private static final int SHORT_NANOS_MAX = 20_000;
    private static final int LONG_NANOS_MAX = 400_000;
    private static final LockId PLAIN = new LockId("plain");

    private final Random random;
    private final int nodes;
    private final int threads;
    private final Scripts scripts;
    private final SharedWords words;
    private final List<ReadWriteLockId> locks = new ArrayList<>();
    private final List<List<Variable>> data = new ArrayList<>(); // by lock, that of PLAIN last
    private final int readersIn; // one in so many sections stores
    private long lastValue;

    private ReadersAndWriters(long seed, List<Protocol> protocols, int nodes) {
        random = new Random(seed);
        this.nodes = nodes;
        threads = 1 + random.nextInt(THREADS_MAX);
        scripts = new Scripts(nodes * threads);
        words = new SharedWords(random, protocols, PAGES);
        readersIn = 2 + random.nextInt(3);
        int lockCount = 1 + random.nextInt(LOCKS_MAX);
        for (int i = 0; i <= lockCount; i++) {
            data.add(IntStream.range(0, WORDS).mapToObj(_ -> words.next()).toList());
        }
        for (int i = 0; i < lockCount; i++) {
            locks.add(new ReadWriteLockId("table" + i));
        }
    }

    /**
     * @param protocols at least one of them permits stores
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, List<Protocol> protocols, int nodes, long holdNanos) {
        return new ReadersAndWriters(seed, protocols, nodes).write(holdNanos);
    }

    private Program write(long holdNanos) {
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        for (int i = 0; i < rounds; i++) {
            int thread = random.nextInt(nodes * threads);
            int unit = scripts.beginUnit();
            if (random.nextInt(3) == 0) {
                scripts.add(unit, thread, new Op.Interrupt(random.nextInt(nodes * threads)));
            }
            writeSection(unit, thread, 0);
        }
        return new Program(nodes, threads, holdNanos, words.regions(), List.of(), scripts.all());
    }

    /**
     * @param from the first lock that it may take
     */
    private void writeSection(int unit, int thread, int from) {
        int at = from + random.nextInt(locks.size() - from);
        ReadWriteLockId lock = locks.get(at);
        boolean stores = random.nextInt(readersIn) == 0;
        boolean isNested = random.nextInt(8) == 0;
        boolean isTimed = !isNested && random.nextInt(4) == 0;
        pause(unit, thread, SHORT_NANOS_MAX);
        scripts.add(unit, thread, new Op.Enter(lock, stores, isTimed ? limitNanos() : Op.FOR_EVER));
        touch(unit, thread, data.get(at), stores);
        boolean isDowngraded = stores && random.nextInt(3) == 0;
        if (isDowngraded) {
            scripts.add(unit, thread, new Op.Downgrade(lock));
            touch(unit, thread, data.get(at), false);
        }
        if (isNested && at + 1 < locks.size()) {
            writeSection(unit, thread, at + 1);
        } else if (isNested) {
            scripts.add(unit, thread, new Op.Acquire(PLAIN, Op.FOR_EVER));
            touch(unit, thread, data.getLast(), true);
            scripts.add(unit, thread, new Op.Release(PLAIN));
        }
        pause(unit, thread, LONG_NANOS_MAX);
        scripts.add(unit, thread, new Op.Leave(lock, stores && !isDowngraded));
    }

    private void touch(int unit, int thread, List<Variable> of, boolean stores) {
        for (int i = random.nextInt(TOUCHES_MAX); i >= 0; i--) {
            Variable word = of.get(random.nextInt(WORDS));
            if (stores && random.nextInt(3) > 0) {
                scripts.add(unit, thread, new Op.Store(word, ++lastValue));
            } else {
                scripts.load(unit, thread, word);
            }
        }
    }

    private void pause(int unit, int thread, int mostNanos) {
        if (random.nextInt(3) == 0) {
            long nanos = RandomDelays.logUniform(random, 1, mostNanos);
            scripts.add(unit, thread, new Op.Work(nanos));
        }
    }

    private long limitNanos() {
        return random.nextInt(4) == 0 ? 0 : RandomDelays.logUniform(random, 1, LONG_NANOS_MAX);
    }
}
