package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.coherence.writeshared.WriteSharedMessages;
import io.muninn.kernel.NodeKernel;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.verify.check.Checker;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A random program without data races but of loads after a refresh, run under {@link LazyNotices}:
 * words that threads hand to each other by locks, letters, barriers of two, and calls, also by way
 * of a third, with barriers that break and threads that refresh in between. All words are in pages
 * that all nodes store to. Whatever is acquired is loaded.
 */
public final class LazyRun {
    private static final int PAGES = 2;
    private static final int WORDS = 12;
    private static final int LOCK_WORDS = 3; // one of so many belongs to a lock
    private static final int NODES_MIN = 3;
    private static final int NODES_MAX = 5;
    private static final int THREADS_MAX = 2;
    private static final int STEPS = 60;
    private static final int REFRESHES_ONE_IN = 6;
    private static final int WORK_NANOS_MAX = 50_000;
    private static final long HOLD_NANOS = 100_000;
    private static final long SHORT_NANOS = 30_000;
    private static final long FINGERPRINT = 3;

    /** Lazy data that is kept: less than a notice, or up to a few of them with their diffs. */
    private static final int LAZY_BYTES_SHIFT_MIN = 4;

    private static final int LAZY_BYTES_SHIFT_MAX = 9;

    /** Checkers that look at no state of a page, and let an acquire take time. */
    private static final Set<String> NAMES =
            Set.of("release consistency", "barrier falls", "lazy bounds");

    private final Random random;
    private final Random refreshes; // drawn apart: old seeds keep the rest of their programs
    private final int nodes;
    private final int threads;
    private final Scripts scripts;
    private final int[] owners = new int[WORDS]; // thread that may load and store; -1: the lock's
    private long lastName;

    private LazyRun(long seed) {
        random = new Random(seed);
        refreshes = new Random(~seed);
        nodes = NODES_MIN + random.nextInt(NODES_MAX - NODES_MIN + 1);
        threads = 1 + random.nextInt(THREADS_MAX);
        scripts = new Scripts(nodes * threads);
        for (int word = 0; word < WORDS; word++) {
            owners[word] = word % LOCK_WORDS == 0 ? -1 : random.nextInt(nodes * threads);
        }
    }

    /**
     * Runs the program of a seed. No node keeps so much that it is collected.
     *
     * @throws io.muninn.sim.Violation if a promise did not hold
     */
    public static void run(long seed) {
        run(seed, new LazyRun(seed).write(), List.of());
    }

    /**
     * Runs the program of a seed with collections whenever a node keeps a little.
     *
     * @return number of collections
     * @throws io.muninn.sim.Violation if a promise did not hold
     */
    public static long runCollecting(long seed) {
        Random random = new Random(seed + 2);
        int shift =
                LAZY_BYTES_SHIFT_MIN + random.nextInt(LAZY_BYTES_SHIFT_MAX - LAZY_BYTES_SHIFT_MIN);
        return collect(seed, new LazyRun(seed).write(), 1L << shift).collections();
    }

    /**
     * Runs sections under locks, and nothing else.
     *
     * @param sections of all threads together
     * @param bytesMax lazy data above which it is collected
     * @return what the checker of lazy data has seen
     * @throws io.muninn.sim.Violation if a promise did not hold
     */
    static LazyDiffs runLocks(long seed, int sections, long bytesMax) {
        LazyRun run = new LazyRun(seed);
        for (int i = 0; i < sections; i++) {
            run.useUnderLock(LOCK_WORDS * run.random.nextInt(WORDS / LOCK_WORDS));
        }
        return collect(seed, run.program(), bytesMax);
    }

    private static LazyDiffs collect(long seed, Program program, long bytesMax) {
        LazyDiffs diffs = new LazyDiffs();
        run(seed, program.withUpdates(program.updates().withLazyBytes(bytesMax)), List.of(diffs));
        return diffs;
    }

    /**
     * @param more checkers beside the usual ones
     */
    private static void run(long seed, Program program, List<Observer> more) {
        List<Observer> observers = new ArrayList<>(more);
        Checkers.all().stream().filter(LazyRun::isOf).forEach(observers::add);
        RandomDelays delays =
                new RandomDelays(new Random(seed), new Random(seed + 1), program.nodes());
        ProgramRun.run(
                program,
                delays,
                _ -> {},
                observers,
                Long.MAX_VALUE / 2,
                false,
                config ->
                        new NodeKernel(
                                config,
                                Map.of(
                                        Protocol.WRITE_SHARED,
                                        context ->
                                                new ProtocolKind.BoundProtocol<>(
                                                        WriteSharedMessages.Msg.class,
                                                        new LazyNotices(context)))));
    }

    private static boolean isOf(Observer observer) {
        return !(observer instanceof Checker checker) || NAMES.contains(checker.name());
    }

    private Program write() {
        for (int node = 0; node < nodes; node++) {
            for (int home = 0; home < nodes; home++) {
                scripts.add(
                        scripts.beginUnit(),
                        node * threads,
                        new Op.Declare(object(home), home, FINGERPRINT));
            }
        }
        for (int i = 0; i < STEPS; i++) {
            if (refreshes.nextInt(REFRESHES_ONE_IN) == 0) {
                refresh(refreshes.nextInt(nodes * threads));
            }
            int word = random.nextInt(WORDS);
            if (owners[word] < 0) {
                useUnderLock(word);
                continue;
            }
            switch (random.nextInt(6)) {
                case 0 -> handByLetters(word);
                case 1 -> handByBarrier(word);
                case 2 -> call(word);
                case 3 -> breakBarrier(owners[word]);
                default -> use(scripts.beginUnit(), owners[word], word);
            }
        }
        return program();
    }

    private Program program() {
        RegionSpec region =
                new RegionSpec(
                        0,
                        "shared",
                        Protocol.WRITE_SHARED,
                        0,
                        (long) PAGES * RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        List.of());
        return new Program(nodes, threads, HOLD_NANOS, List.of(region), List.of(), scripts.all());
    }

    private static Variable word(int word) {
        return new Variable(new PageId(0, word % PAGES), word * Long.BYTES, Long.BYTES);
    }

    private static ObjectId object(int home) {
        return new ObjectId("object" + home);
    }

    /** A thread loads a word, and mostly stores to it. */
    private void use(int unit, int thread, int word) {
        scripts.add(unit, thread, new Op.Work(random.nextInt(WORK_NANOS_MAX)));
        scripts.load(unit, thread, word(word));
        if (random.nextInt(4) > 0) {
            scripts.add(unit, thread, new Op.Store(word(word), ++lastName));
        }
    }

    /** A thread refreshes, and looks at what others may be storing to. */
    private void refresh(int thread) {
        int unit = scripts.beginUnit();
        scripts.add(unit, thread, new Op.Refresh());
        for (int word = 0; word < WORDS; word++) {
            scripts.load(unit, thread, word(word));
        }
    }

    private void useUnderLock(int word) {
        int unit = scripts.beginUnit();
        int thread = random.nextInt(nodes * threads);
        LockId lock = new LockId("lock" + word);
        scripts.add(unit, thread, new Op.Acquire(lock, Op.FOR_EVER));
        use(unit, thread, word);
        scripts.add(unit, thread, new Op.Release(lock));
    }

    /** The owner, perhaps by way of a thread that does not look, gives a word to another. */
    private void handByLetters(int word) {
        int unit = scripts.beginUnit();
        int from = owners[word];
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            int to = random.nextInt(nodes * threads);
            int tag = (int) ++lastName;
            scripts.add(unit, from, new Op.Send(to / threads, tag, ++lastName));
            scripts.add(unit, to, new Op.Receive(from / threads, tag));
            from = to;
        }
        owners[word] = from;
        use(unit, from, word);
    }

    private void handByBarrier(int word) {
        int unit = scripts.beginUnit();
        int from = owners[word];
        int to = (from + 1 + random.nextInt(nodes * threads - 1)) % (nodes * threads);
        BarrierId barrier = new BarrierId("two" + ++lastName);
        scripts.add(unit, from, new Op.Await(barrier, 2));
        scripts.add(unit, to, new Op.Await(barrier, 2));
        owners[word] = to;
        use(unit, to, word);
    }

    /** The owner lends a word to a thread that serves an object. */
    private void call(int word) {
        int unit = scripts.beginUnit();
        int caller = owners[word];
        int home = random.nextInt(nodes);
        long serial = ++lastName;
        scripts.add(unit, caller, new Op.Ship(object(home), home, FINGERPRINT, serial, false));
        use(unit, caller, word);
        scripts.add(unit, caller, new Op.Return(object(home), serial));
        use(unit, caller, word);
    }

    /** One or two threads wait, not for ever, for one that never comes. */
    private void breakBarrier(int thread) {
        BarrierId barrier = new BarrierId("broken" + ++lastName);
        int unit = scripts.beginUnit();
        scripts.add(unit, thread, new Op.Await(barrier, 3, SHORT_NANOS));
        if (random.nextBoolean()) {
            int other = (thread + 1) % (nodes * threads);
            scripts.add(unit, other, new Op.Await(barrier, 3, SHORT_NANOS));
        }
    }
}
