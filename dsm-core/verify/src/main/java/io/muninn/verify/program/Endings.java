package io.muninn.verify.program;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import io.muninn.spi.ReservedBarriers;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program for the barriers that Muninn itself uses. Threads allocate variables
 * together, call objects that no node declares, and end.
 *
 * <ul>
 *   <li>All threads allocate the same variables in the same order. In some programs the last
 *       allocation differs between threads, and every thread is notified of that.
 *   <li>A call of an object that is never declared is refused when the program has ended on the
 *       node that the caller assumes to serve it, whether the call arrives before or after the end.
 *       Nodes call only nodes with lower numbers, so no two wait for each other's end.
 *   <li>The program ends on all threads together, or on the nodes.
 * </ul>
 */
final class Endings {
    static final Protocol PROTOCOL = Protocol.WRITE_SHARED;

    private static final int THREADS_MAX = 3;
    private static final int ALLOCATIONS_MAX = 4;
    private static final int CALLS_MAX = 3;
    private static final int STORES_MAX = 3;
    private static final int WORK_NANOS_MAX = 300_000;
    private static final long FINGERPRINT = 1;
    private static final String TYPE = "long[8]";
    private static final LockId LOCK = new LockId("lock");
    private static final ObjectId DECLARED = new ObjectId("declared");
    private static final ObjectId UNDECLARED = new ObjectId("undeclared");

    private final Random random;
    private final int nodes;
    private final int threads;
    private final Scripts scripts;
    private long lastCall;

    private Endings(long seed, int nodes) {
        random = new Random(seed);
        this.nodes = nodes;
        threads = 1 + random.nextInt(THREADS_MAX);
        scripts = new Scripts(nodes * threads);
    }

    /**
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, int nodes, long holdNanos) {
        return new Endings(seed, nodes).write(holdNanos);
    }

    private Program write(long holdNanos) {
        int home = random.nextInt(nodes);
        for (int node = 0; node < nodes; node++) {
            int unit = scripts.beginUnit();
            scripts.add(unit, node * threads, new Op.Declare(DECLARED, home, FINGERPRINT));
        }
        int allocations = random.nextInt(ALLOCATIONS_MAX);
        for (int i = 0; i < allocations; i++) {
            allocate(i, -1);
        }
        if (random.nextInt(3) == 0) {
            allocate(allocations, random.nextInt(nodes * threads));
        }
        int unit = scripts.beginUnit(); // the end answers the calls
        boolean isOfThreads = random.nextBoolean();
        for (int thread = 0; thread < nodes * threads; thread++) {
            call(unit, thread);
            store(unit, thread);
            if (isOfThreads) {
                endThread(unit, thread);
            } else {
                endNode(unit, thread);
            }
        }
        return new Program(nodes, threads, holdNanos, List.of(region()), List.of(), scripts.all());
    }

    /**
     * @param other a thread that allocates another variable than the rest; negative for none
     */
    private void allocate(int ordinal, int other) {
        int unit = scripts.beginUnit();
        long limit = other < 0 ? Op.FOR_EVER : Op.UNTIL_BROKEN;
        for (int thread = 0; thread < nodes * threads; thread++) {
            store(unit, thread);
            String name = thread == other ? "other" : "variable";
            BarrierId barrier =
                    ReservedBarriers.allocation(ordinal, name, TYPE, PROTOCOL, Home.BANDED);
            scripts.add(unit, thread, new Op.Await(barrier, Event.ALL_PARTIES, limit));
        }
    }

    private void call(int unit, int thread) {
        for (int i = random.nextInt(CALLS_MAX); i > 0 && thread >= threads; i--) {
            work(unit, thread);
            int to = random.nextInt(thread / threads);
            Op.Ship call =
                    new Op.Ship(UNDECLARED, to, FINGERPRINT, ++lastCall, random.nextBoolean());
            scripts.add(unit, thread, call);
            scripts.add(unit, thread, new Op.Return(UNDECLARED, call.serial()));
        }
    }

    private void endThread(int unit, int thread) {
        scripts.add(unit, thread, new Op.Await(ReservedBarriers.END, Event.ALL_PARTIES));
    }

    private void endNode(int unit, int thread) {
        BarrierId barrier = new BarrierId("node" + thread / threads);
        scripts.add(unit, thread, new Op.Await(barrier, threads));
        if (thread % threads == 0) {
            scripts.add(unit, thread, new Op.Await(ReservedBarriers.FINISH, nodes));
        }
    }

    /** Adds a store, so that there is an update to flush. */
    private void store(int unit, int thread) {
        work(unit, thread);
        scripts.add(unit, thread, new Op.Acquire(LOCK, Op.FOR_EVER));
        for (int i = random.nextInt(STORES_MAX); i > 0; i--) {
            Variable word = new Variable(new PageId(0, 0), thread * Long.BYTES, Long.BYTES);
            scripts.add(unit, thread, new Op.Store(word, random.nextInt()));
        }
        scripts.add(unit, thread, new Op.Release(LOCK));
    }

    private void work(int unit, int thread) {
        if (random.nextBoolean()) {
            long nanos = RandomDelays.logUniform(random, 1, WORK_NANOS_MAX);
            scripts.add(unit, thread, new Op.Work(nanos));
        }
    }

    private static RegionSpec region() {
        return new RegionSpec(
                0, "words", PROTOCOL, 0, RegionSpec.MACHINE_PAGE_BYTES, Long.BYTES, 1, List.of());
    }
}
