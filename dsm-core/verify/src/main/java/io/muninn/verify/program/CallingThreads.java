package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.sim.delay.RandomDelays;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Generates a random program, free of data races, whose threads call shipped objects. A word
 * belongs to an object, and only its calls access it, or to a lock, or to a thread, which lends it
 * to an object. Threads begin with the declarations of their nodes, some of them late, when others
 * may have called the object already.
 *
 * <ul>
 *   <li>Synchronous and posted calls; some contain critical sections, and calls of objects that
 *       come later in the order of all objects.
 *   <li>A thread stores to a word of its own and lends it to an object: posted calls access the
 *       word, and then a synchronous call, after which the word is the thread's again.
 *   <li>A thread lends a word by a call and sends a letter to another thread; that one calls the
 *       object, too, and the word is its own from then on.
 *   <li>Calls with another interface or of another node, which are refused.
 *   <li>Critical sections outside of calls.
 * </ul>
 *
 * <p><b>Well-formed.</b> As in {@link RandomProgram}, no operation would wait if all were performed
 * in the order of generation. Calls run in another order, so no operation in a call waits for a
 * later one: objects are declared before anything else, nested calls follow the order of objects,
 * and no call receives a letter; no section contains a call.
 */
final class CallingThreads {
    private static final int THREADS_MAX = 3;
    private static final int OBJECTS_MAX = 4;
    private static final int LOCKS_MAX = 2;
    private static final int ROUNDS_MIN = 25;
    private static final int ROUNDS_MAX = 80;
    private static final int POSTS_MAX = 3;
    private static final int TOUCHES_MAX = 4;
    private static final int DATA_WORDS = 5; // of each object, and of each lock
    private static final int OWN_WORDS = 2; // of each thread, to begin with
    private static final int PAGES = 8;
    private static final int WORK_NANOS_MAX = 200_000;
    private static final int LATE_NANOS_MAX = 3_000_000;
    private static final long FINGERPRINT = 1;
    private static final long ANOTHER_FINGERPRINT = 2;

    private final Random random;
    private final int nodes;
    private final int threads;
    private final int everyThread;
    private final long holdNanos;
    private final Scripts scripts;
    private final SharedWords words;
    private final List<ObjectId> objects = new ArrayList<>();
    private final int[] homes; // by object: the node that serves it
    private final List<LockId> locks = new ArrayList<>();
    private final List<List<Variable>> ofObjects = new ArrayList<>();
    private final List<List<Variable>> ofLocks = new ArrayList<>();
    private final List<List<Variable>> ofThreads = new ArrayList<>();
    private long lastValue;
    private long lastCall;
    private long lastLetter;

    private CallingThreads(long seed, List<Protocol> protocols, int nodes, long holdNanos) {
        random = new Random(seed);
        this.nodes = nodes;
        this.holdNanos = holdNanos;
        threads = 1 + random.nextInt(THREADS_MAX);
        everyThread = nodes * threads;
        scripts = new Scripts(everyThread);
        words = new SharedWords(random, protocols, PAGES);
        int objectCount = 1 + random.nextInt(OBJECTS_MAX);
        homes = new int[objectCount];
        for (int i = 0; i < objectCount; i++) {
            objects.add(new ObjectId("object" + i));
            homes[i] = random.nextInt(nodes);
            ofObjects.add(newWords(DATA_WORDS));
        }
        int lockCount = 1 + random.nextInt(LOCKS_MAX);
        for (int i = 0; i < lockCount; i++) {
            locks.add(new LockId("lock" + i));
            ofLocks.add(newWords(DATA_WORDS));
        }
        for (int i = 0; i < everyThread; i++) {
            ofThreads.add(newWords(OWN_WORDS));
        }
    }

    /**
     * @param protocols at least one of them permits stores
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, List<Protocol> protocols, int nodes, long holdNanos) {
        return new CallingThreads(seed, protocols, nodes, holdNanos).write();
    }

    private Program write() {
        for (int i = 0; i < objects.size(); i++) {
            declare(i);
        }
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        for (int i = 0; i < rounds; i++) {
            int thread = random.nextInt(everyThread);
            switch (random.nextInt(9)) {
                case 0, 1, 2, 3 -> callSome(thread);
                case 4, 5 -> lend(thread);
                case 6 -> handOn(thread);
                case 7 -> callByMistake(thread);
                default -> touchInSection(scripts.beginUnit(), thread);
            }
        }
        return new Program(nodes, threads, holdNanos, words.regions(), List.of(), scripts.all());
    }

    // --- operations of threads -------------------------------------------------------------------

    private void callSome(int thread) {
        int object = someObject();
        int unit = scripts.beginUnit();
        long serial = beginCall(unit, thread, object, random.nextBoolean());
        touchInCall(unit, thread, object);
        endCall(unit, thread, object, serial);
    }

    /** Lends a word to an object by calls; the reply of the last one returns it. */
    private void lend(int thread) {
        if (ofThreads.get(thread).isEmpty()) {
            return;
        }
        int object = someObject();
        Variable word = any(ofThreads.get(thread));
        int unit = scripts.beginUnit();
        store(unit, thread, word);
        for (int posts = random.nextInt(POSTS_MAX); posts > 0; posts--) {
            callWith(unit, thread, object, true, word);
        }
        callWith(unit, thread, object, false, word);
        scripts.load(unit, thread, word);
    }

    /** Passes a word from a thread to an object and, after a letter, to another thread. */
    private void handOn(int from) {
        int to = random.nextInt(everyThread);
        if (from == to || ofThreads.get(from).isEmpty()) {
            return;
        }
        int object = someObject();
        Variable word = any(ofThreads.get(from));
        int unit = scripts.beginUnit();
        int tag = from * everyThread + to;
        store(unit, from, word);
        callWith(unit, from, object, false, word);
        scripts.add(unit, from, new Op.Send(to / threads, tag, ++lastLetter));
        scripts.add(unit, to, new Op.Receive(from / threads, tag));
        callWith(unit, to, object, false, word);
        scripts.load(unit, to, word);
        ofThreads.get(from).remove(word);
        ofThreads.get(to).add(word);
    }

    private void callByMistake(int thread) {
        int object = someObject();
        int unit = scripts.beginUnit();
        int to = random.nextBoolean() ? homes[object] : random.nextInt(nodes);
        long serial = ++lastCall;
        scripts.add(
                unit,
                thread,
                new Op.Ship(
                        objects.get(object),
                        to,
                        ANOTHER_FINGERPRINT,
                        serial,
                        random.nextBoolean()));
        endCall(unit, thread, object, serial);
    }

    private void touchInSection(int unit, int thread) {
        int lock = random.nextInt(locks.size());
        scripts.add(unit, thread, new Op.Acquire(locks.get(lock), Op.FOR_EVER));
        touch(unit, thread, ofLocks.get(lock));
        scripts.add(unit, thread, new Op.Release(locks.get(lock)));
    }

    // --- calls -----------------------------------------------------------------------------------

    private void callWith(int unit, int thread, int object, boolean isPosted, Variable word) {
        long serial = beginCall(unit, thread, object, isPosted);
        scripts.load(unit, thread, word);
        touch(unit, thread, ofObjects.get(object));
        store(unit, thread, word);
        endCall(unit, thread, object, serial);
    }

    private void touchInCall(int unit, int thread, int object) {
        touch(unit, thread, ofObjects.get(object));
        switch (random.nextInt(5)) {
            case 0 -> touchInSection(unit, thread);
            case 1 -> callLater(unit, thread, object);
            case 2 -> workSometimes(unit, thread, WORK_NANOS_MAX);
            default -> {} // a short call
        }
        touch(unit, thread, ofObjects.get(object));
    }

    /** Within a call, calls an object that comes later in the order of all objects. */
    private void callLater(int unit, int thread, int object) {
        int later = object + 1 + random.nextInt(OBJECTS_MAX);
        if (later < objects.size()) {
            long serial = beginCall(unit, thread, later, random.nextInt(3) == 0);
            touchInCall(unit, thread, later);
            endCall(unit, thread, later, serial);
        }
    }

    private long beginCall(int unit, int thread, int object, boolean isPosted) {
        long serial = ++lastCall;
        scripts.add(
                unit,
                thread,
                new Op.Ship(objects.get(object), homes[object], FINGERPRINT, serial, isPosted));
        return serial;
    }

    private void endCall(int unit, int thread, int object, long serial) {
        scripts.add(unit, thread, new Op.Return(objects.get(object), serial));
    }

    private void declare(int object) {
        for (int node = 0; node < nodes; node++) {
            int thread = node * threads + random.nextInt(threads);
            int unit = scripts.beginUnit();
            workSometimes(unit, thread, LATE_NANOS_MAX);
            scripts.add(
                    unit, thread, new Op.Declare(objects.get(object), homes[object], FINGERPRINT));
        }
    }

    private int someObject() {
        return random.nextInt(objects.size());
    }

    // --- words -----------------------------------------------------------------------------------

    private void workSometimes(int unit, int thread, int nanosMax) {
        if (random.nextBoolean()) {
            scripts.add(unit, thread, new Op.Work(RandomDelays.logUniform(random, 1, nanosMax)));
        }
    }

    private void touch(int unit, int thread, List<Variable> words) {
        for (int i = random.nextInt(TOUCHES_MAX); i > 0; i--) {
            Variable word = any(words);
            if (random.nextBoolean()) {
                scripts.load(unit, thread, word);
            } else {
                store(unit, thread, word);
            }
        }
    }

    private void store(int unit, int thread, Variable word) {
        scripts.add(unit, thread, new Op.Store(word, ++lastValue));
    }

    private Variable any(List<Variable> words) {
        return words.get(random.nextInt(words.size()));
    }

    private List<Variable> newWords(int count) {
        return new ArrayList<>(IntStream.range(0, count).mapToObj(_ -> words.next()).toList());
    }
}
