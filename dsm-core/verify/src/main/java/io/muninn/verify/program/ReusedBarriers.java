package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program whose barriers are completed several times, and break in the end.
 *
 * <ul>
 *   <li>Threads arrive at a barrier of some parties, each any number of times, and their waits have
 *       limits: time-outs cross departures, of the same wait and of the previous one.
 *   <li>Every thread waits at one of two barriers that cannot be completed. Either all wait without
 *       a limit, and all are notified; or a wait at each barrier has a limit, and no thread is
 *       notified before. Then a thread may gather the parties of a broken barrier, except in
 *       programs of the default protocol, so that known seeds keep their programs.
 *   <li>Critical sections in between, so that arrivals flush updates.
 * </ul>
 */
final class ReusedBarriers {
    /** The default protocol of its region. */
    static final Protocol PROTOCOL = Protocol.WRITE_SHARED;

    private static final int THREADS_MAX = 3;
    private static final int ROUNDS_MIN = 4;
    private static final int ROUNDS_MAX = 20;
    private static final int VISITS_MAX = 4;
    private static final int FEW_MAX = 4;
    private static final int SHORT_ONE_IN_MAX = 8;
    private static final int WORK_NANOS_MAX = 200_000;
    private static final int SHORT_NANOS_MAX = 400_000;
    private static final int LONG_NANOS = 4_000_000;
    private static final LockId LOCK = new LockId("lock");

    private final Random random;
    private final int nodes;
    private final int threads;
    private final Scripts scripts;

    private ReusedBarriers(long seed, int nodes) {
        random = new Random(seed);
        this.nodes = nodes;
        threads = 1 + random.nextInt(THREADS_MAX);
        scripts = new Scripts(nodes * threads);
    }

    /**
     * @param protocol of its region
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, Protocol protocol, int nodes, long holdNanos) {
        return new ReusedBarriers(seed, nodes).write(protocol, holdNanos);
    }

    private Program write(Protocol protocol, long holdNanos) {
        boolean gathers = protocol != PROTOCOL;
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        for (int i = 0; i < rounds; i++) {
            switch (random.nextInt(6)) {
                case 0 -> standStill(i, false, gathers && i % 2 == 0);
                case 1 -> standStill(i, true, gathers && i % 2 == 0);
                default -> comeAndGo(new BarrierId("barrier" + i));
            }
        }
        return new Program(
                nodes, threads, holdNanos, List.of(region(protocol)), List.of(), scripts.all());
    }

    private void comeAndGo(BarrierId barrier) {
        int everyThread = nodes * threads;
        boolean ofAll = random.nextInt(3) == 0;
        int few = Math.min(everyThread, 1 + random.nextInt(FEW_MAX));
        int parties = ofAll ? Event.ALL_PARTIES : few;
        int shortOneIn = 1 + random.nextInt(SHORT_ONE_IN_MAX);
        for (int thread = 0; thread < everyThread; thread++) {
            for (int visits = random.nextInt(VISITS_MAX + 1); visits > 0; visits--) {
                int unit = store(thread);
                boolean isShort = random.nextInt(shortOneIn) == 0;
                long timeoutNanos =
                        isShort ? RandomDelays.logUniform(random, 1, SHORT_NANOS_MAX) : LONG_NANOS;
                scripts.add(unit, thread, new Op.Await(barrier, parties, timeoutNanos));
            }
        }
    }

    private void standStill(int round, boolean isTimed, boolean isGathered) {
        int everyThread = nodes * threads;
        BarrierId[] barriers = {new BarrierId("all" + round), new BarrierId("some" + round)};
        int[] parties = {Event.ALL_PARTIES, everyThread};
        int first = random.nextInt(everyThread); // at least one arrives at each barrier
        int second = (first + 1 + random.nextInt(everyThread - 1)) % everyThread;
        int unit = scripts.beginUnit();
        for (int thread = 0; thread < everyThread; thread++) {
            int at = thread == first ? 0 : thread == second ? 1 : random.nextInt(2);
            work(unit, thread);
            boolean mayLeave = isTimed && (thread == first || thread == second);
            long timeoutNanos =
                    mayLeave ? LONG_NANOS + random.nextInt(LONG_NANOS) : Op.UNTIL_BROKEN;
            scripts.add(unit, thread, new Op.Await(barriers[at], parties[at], timeoutNanos));
        }
        if (isGathered) {
            scripts.add(unit, first, new Op.Gather(barriers[0], parties[0], true));
        }
    }

    private int store(int thread) {
        int unit = scripts.beginUnit();
        work(unit, thread);
        if (random.nextInt(3) == 0) {
            Variable word = new Variable(new PageId(0, 0), thread * Long.BYTES, Long.BYTES);
            scripts.add(unit, thread, new Op.Acquire(LOCK, Op.FOR_EVER));
            scripts.add(unit, thread, new Op.Store(word, random.nextInt()));
            scripts.add(unit, thread, new Op.Release(LOCK));
        }
        return unit;
    }

    private void work(int unit, int thread) {
        if (random.nextBoolean()) {
            long nanos = RandomDelays.logUniform(random, 1, WORK_NANOS_MAX);
            scripts.add(unit, thread, new Op.Work(nanos));
        }
    }

    private static RegionSpec region(Protocol protocol) {
        return new RegionSpec(
                0, "words", protocol, 0, RegionSpec.MACHINE_PAGE_BYTES, Long.BYTES, 1, List.of());
    }
}
