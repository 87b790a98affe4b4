package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import io.muninn.verify.program.RandomLayout.Word;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Writes a random program from a seed. The program has no data race, except for its racy words. So
 * a load of another word must return the same value on any node as in one memory.
 *
 * <p>A guarded word is accessed under its lock. A phase is the part of a program between two
 * barriers of all threads. In each phase a phased word has one owner, the only thread that accesses
 * it, or is only loaded. A letter or a barrier of some threads passes it to another owner. All
 * threads store to a racy word, each time another value; it is as wide as a granule. The root
 * stores to constants during its initialization.
 *
 * <p><b>Well-formed.</b> The operations of all threads are generated in one order, in which each
 * could be performed without a wait. So no thread waits for ever. Locks nest in ascending order,
 * and a thread in a critical section waits for nothing but locks. A letter's tag belongs to one
 * sending and one receiving thread.
 *
 * <p>Each program draws its own weights: some consist of critical sections only, some of letters,
 * some access few words repeatedly.
 *
 * <p><b>Many nodes.</b> On more nodes than a live run has, every thread also takes a lock, and
 * accesses words under it, in each phase. Locks and pages increase with the nodes, so that most
 * pages are shared by some of the nodes.
 */
public final class RandomProgram {
    static final int NODES_MIN = 3;
    static final int NODES_MAX = 6;
    private static final int THREADS_MAX = 4;
    private static final int LOCKS_MAX = 4;
    private static final int PHASES_MAX = 4;
    private static final int THREADS_OF_MANY = 2; // at most, on each of many nodes
    private static final int PHASES_OF_MANY = 2;
    private static final int ACCESSES_MIN = 70;
    private static final int ACCESSES_MAX = 700;
    private static final int WORK_NANOS_MAX = 200_000;
    private static final int TIMEOUT_NANOS_MAX = 400_000;
    private static final int RACY_STORES_MAX = Byte.MAX_VALUE;
    private static final BarrierId PHASE_END = new BarrierId("phase");

    /**
     * The parameters of a program.
     *
     * @param protocols the protocols that its regions may have, at least one
     * @param nodes number of nodes of the cluster, at least 2
     * @param holdNanos the hold time
     * @param siblings whether nodes have several processes, and so several threads
     */
    public record Shape(List<Protocol> protocols, int nodes, long holdNanos, boolean siblings) {
        /** For nodes of one process. */
        public Shape(List<Protocol> protocols, int nodes, long holdNanos) {
            this(protocols, nodes, holdNanos, false);
        }

        public Shape {
            protocols = List.copyOf(protocols);
            if (protocols.isEmpty()) {
                throw new IllegalArgumentException("a program without a protocol");
            }
            if (nodes < 2) {
                throw new IllegalArgumentException(nodes + " nodes share nothing");
            }
        }

        boolean areMany() {
            return nodes > NodeId.LIVE_MAX;
        }
    }

    /** The parts of which a program consists. */
    private enum Part {
        SECTION,
        TOUCH_PHASED,
        TAKE_BACK,
        LETTER,
        PAIR_BARRIER,
        GROUP_BARRIER,
        TOUCH_RACY,
        LOAD_CONSTANT,
        WORK
    }

    private static final int[] WEIGHTS = {0, 1, 3, 3, 8};

    private final Random random;
    private final Shape shape;
    private final int nodes;
    private final int threads;
    private final int processes; // of each node; letters name them
    private final int everyThread;
    private final List<LockId> locks = new ArrayList<>();
    private final RandomLayout layout;
    private final Scripts scripts;
    private final List<Op.Store> initial = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final int hotOneIn;
    private long lastValue;
    private long lastSerial;

    private RandomProgram(Random random, Shape shape, NodeThreads ofNode) {
        this.random = random;
        this.shape = shape;
        nodes = shape.nodes();
        threads = ofNode.count();
        processes = ofNode.processes();
        everyThread = nodes * threads;
        int scale = Math.max(1, nodes / NodeId.LIVE_MAX);
        int lockCount = scale * (1 + random.nextInt(LOCKS_MAX));
        for (int i = 0; i < lockCount; i++) {
            locks.add(new LockId("lock" + i));
        }
        layout = new RandomLayout(random, shape.protocols(), lockCount, scale);
        scripts = new Scripts(everyThread);
        hotOneIn = 1 + random.nextInt(4);
        drawWeights();
    }

    private static NodeThreads threads(long seed, Random random, Shape shape) {
        int threadsMin = shape.siblings() ? 2 : 1;
        int threadsMax = shape.areMany() ? THREADS_OF_MANY : THREADS_MAX;
        int threads = threadsMin + random.nextInt(threadsMax - threadsMin + 1);
        int processes = shape.siblings() ? processes(seed, threads) : 1;
        return new NodeThreads(processes, threads / processes);
    }

    /** A number of processes, more than one, that divides the number of threads of a node. */
    private static int processes(long seed, int threads) {
        List<Integer> divisors =
                IntStream.rangeClosed(2, threads)
                        .filter(count -> threads % count == 0)
                        .boxed()
                        .toList();
        return divisors.get(Math.floorMod(seed, divisors.size()));
    }

    private void drawWeights() {
        for (Part part : Part.values()) {
            int weight = WEIGHTS[random.nextInt(WEIGHTS.length)];
            parts.addAll(Collections.nCopies(weight, part));
        }
        parts.add(Part.SECTION);
        parts.add(Part.TOUCH_PHASED);
        parts.add(Part.LOAD_CONSTANT);
    }

    /**
     * @return the same program for the same seed and shape
     */
    public static Program of(long seed, Shape shape) {
        Random random = new Random(seed);
        return new RandomProgram(random, shape, threads(seed, random, shape)).write();
    }

    /** As {@link #of(long, Shape)}, for nodes with these threads. */
    static Program of(long seed, Shape shape, NodeThreads threads) {
        return new RandomProgram(new Random(seed), shape, threads).write();
    }

    private Program write() {
        initialize();
        int phases = 1 + random.nextInt(shape.areMany() ? PHASES_OF_MANY : PHASES_MAX);
        long accesses = RandomDelays.logUniform(random, ACCESSES_MIN, ACCESSES_MAX);
        for (int i = 1; i <= phases; i++) {
            drawOwners();
            writeParts(
                    shape.areMany() ? writeSections() + accesses / phases : accesses * i / phases);
            awaitAll();
        }
        layout.phased().forEach(word -> load(random.nextInt(everyThread), word));
        awaitAll();
        Program written =
                new Program(
                        nodes,
                        threads,
                        shape.holdNanos(),
                        layout.regions(),
                        initial,
                        scripts.all());
        return processes > 1 ? written.withProcesses(processes) : written;
    }

    private void initialize() {
        layout.constants().forEach(word -> initialize(word, ++lastValue));
        for (int i = 0; i < locks.size(); i++) {
            layout.guardedBy(i).forEach(this::initializeSome);
        }
        layout.phased().forEach(this::initializeSome);
    }

    private void initializeSome(Word word) {
        if (random.nextInt(4) == 0) {
            initialize(word, ++lastValue);
        }
    }

    private void initialize(Word word, long value) {
        word.value = word.variable.cut(value);
        initial.add(new Op.Store(word.variable, word.value));
    }

    private void awaitAll() {
        int unit = scripts.beginUnit();
        for (int thread = 0; thread < everyThread; thread++) {
            scripts.add(unit, thread, new Op.Await(PHASE_END, Event.ALL_PARTIES));
        }
    }

    private void drawOwners() {
        for (Word word : layout.phased()) {
            int owner = random.nextInt(everyThread + everyThread / 2);
            word.owner = owner < everyThread ? owner : RandomLayout.NOBODY;
        }
    }

    /** Every thread takes a lock, in any order; returns the number of accesses so far. */
    private long writeSections() {
        List<Integer> order = new ArrayList<>(IntStream.range(0, everyThread).boxed().toList());
        Collections.shuffle(order, random);
        order.forEach(thread -> writeSection(thread, 0, locks.size()));
        return scripts.accesses();
    }

    private void writeParts(long accesses) {
        while (scripts.accesses() < accesses) {
            writePart(parts.get(random.nextInt(parts.size())));
        }
    }

    private void writePart(Part part) {
        int thread = random.nextInt(everyThread);
        switch (part) {
            case SECTION -> writeSection(thread, 0, locks.size());
            case TOUCH_PHASED -> touchPhased(thread);
            case TAKE_BACK -> takeBackPhased();
            case LETTER -> handOverByLetter(thread, random.nextInt(everyThread));
            case PAIR_BARRIER -> handOverByBarrier(2);
            case GROUP_BARRIER -> handOverByBarrier(2 + random.nextInt(everyThread - 1));
            case TOUCH_RACY -> touchRacy(thread);
            case LOAD_CONSTANT -> loadConstant(thread);
            case WORK -> work(scripts.beginUnit(), thread);
        }
    }

    // --- sections --------------------------------------------------------------------------------

    /**
     * Writes a critical section. Some contain another section; some are skipped after a time-out of
     * the lock.
     *
     * @param from the first lock that it may take
     * @param to the lock after the last one that it may take
     */
    private void writeSection(int thread, int from, int to) {
        int lock = from + random.nextInt(to - from);
        int unit = scripts.beginUnit();
        boolean nested = lock + 1 < to && random.nextInt(4) == 0;
        boolean timed = !nested && random.nextInt(5) == 0;
        long timeoutNanos = timed ? random.nextInt(TIMEOUT_NANOS_MAX) : Op.FOR_EVER;
        scripts.add(unit, thread, new Op.Acquire(locks.get(lock), timeoutNanos));
        for (int touches = random.nextInt(5); touches >= 0; touches--) {
            touchGuarded(unit, thread, lock);
        }
        if (nested) {
            writeSection(thread, lock + 1, to);
            touchGuarded(unit, thread, lock);
        }
        scripts.add(unit, thread, new Op.Release(locks.get(lock)));
    }

    private void touchGuarded(int unit, int thread, int lock) {
        if (layout.guardedBy(lock).isEmpty()) {
            return;
        }
        Word word = any(layout.guardedBy(lock));
        Variable variable = word.variable;
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> scripts.load(unit, thread, variable);
            case 3 -> { // the last of three stores repeats the first
                long value = anyValue(word);
                scripts.add(unit, thread, new Op.Store(variable, value));
                scripts.add(unit, thread, new Op.Store(variable, variable.cut(++lastValue)));
                work(unit, thread);
                scripts.add(unit, thread, new Op.Store(variable, value));
            }
            default -> scripts.add(unit, thread, new Op.Store(variable, anyValue(word)));
        }
    }

    // --- words of one thread ---------------------------------------------------------------------

    private void touchPhased(int thread) {
        if (layout.phased().isEmpty()) {
            return;
        }
        Word word = any(layout.phased());
        if (word.owner == RandomLayout.NOBODY) {
            load(thread, word);
        } else {
            touch(scripts.beginUnit(), word.owner, word);
        }
    }

    private void touch(int unit, int thread, Word word) {
        if (random.nextBoolean()) {
            store(unit, thread, word, anyValue(word));
        } else {
            scripts.load(unit, thread, word.variable);
        }
    }

    /**
     * Writes two stores, of which the second restores the value. A node that fetches the page
     * between them must receive the second one, too.
     */
    private void takeBackPhased() {
        List<Word> owned =
                layout.phased().stream().filter(each -> each.owner != RandomLayout.NOBODY).toList();
        if (owned.isEmpty()) {
            return;
        }
        Word word = any(owned);
        int unit = scripts.beginUnit();
        long before = word.value;
        store(unit, word.owner, word, word.variable.cut(++lastValue));
        work(unit, word.owner);
        if (random.nextBoolean()) {
            loadConstant(word.owner);
        }
        store(unit, word.owner, word, before);
    }

    private void handOverByLetter(int from, int to) {
        List<Word> owned = ownedBy(List.of(from));
        if (from == to || owned.isEmpty()) {
            return;
        }
        int unit = scripts.beginUnit();
        Word word = any(owned);
        int tag = from * everyThread + to;
        int perProcess = threads / processes;
        int sender = random.nextBoolean() ? from / perProcess : Event.ANY_NODE;
        store(unit, from, word, anyValue(word));
        scripts.add(unit, from, new Op.Send(to / perProcess, tag, ++lastSerial));
        scripts.add(unit, to, new Op.Receive(sender, tag));
        word.owner = to;
        touch(unit, to, word);
    }

    /** A barrier of some threads passes their words to other owners among them. */
    private void handOverByBarrier(int parties) {
        List<Integer> group = new ArrayList<>(IntStream.range(0, everyThread).boxed().toList());
        Collections.shuffle(group, random);
        group = new ArrayList<>(group.subList(0, parties));
        List<Word> owned = ownedBy(group);
        if (owned.isEmpty()) {
            return;
        }
        int unit = scripts.beginUnit();
        Word word = any(owned);
        store(unit, word.owner, word, anyValue(word));
        Collections.sort(group);
        BarrierId barrier = GroupBarrier.of("group", group);
        for (int thread : group) {
            scripts.add(unit, thread, new Op.Await(barrier, parties));
        }
        for (Word each : owned) {
            each.owner = any(group);
        }
        touch(unit, word.owner, word);
    }

    private List<Word> ownedBy(List<Integer> group) {
        return layout.phased().stream().filter(each -> group.contains(each.owner)).toList();
    }

    // --- everything else -------------------------------------------------------------------------

    private void touchRacy(int thread) {
        if (layout.racy().isEmpty()) {
            return;
        }
        Word word = any(layout.racy());
        int unit = scripts.beginUnit();
        if (random.nextBoolean() && word.stores < RACY_STORES_MAX) {
            word.stores++;
            scripts.add(unit, thread, new Op.Store(word.variable, word.stores));
        } else {
            scripts.load(unit, thread, word.variable);
        }
    }

    private void loadConstant(int thread) {
        if (!layout.constants().isEmpty()) {
            load(thread, any(layout.constants()));
        }
    }

    private void work(int unit, int thread) {
        scripts.add(unit, thread, new Op.Work(RandomDelays.logUniform(random, 1, WORK_NANOS_MAX)));
    }

    private void load(int thread, Word word) {
        scripts.load(scripts.beginUnit(), thread, word.variable);
    }

    private void store(int unit, int thread, Word word, long value) {
        word.value = value;
        scripts.add(unit, thread, new Op.Store(word.variable, value));
    }

    /** Often returns the present value: a store that changes nothing is not in the diff. */
    private long anyValue(Word word) {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> word.value;
            default -> word.variable.cut(++lastValue);
        };
    }

    /** In many programs most accesses are to a few words. */
    private <T> T any(List<T> items) {
        boolean hot = random.nextInt(hotOneIn) > 0;
        return items.get(random.nextInt(hot ? Math.min(3, items.size()) : items.size()));
    }
}
