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
 * Writes a random program whose barriers fall several times, and break in the end.
 *
 * <ul>
 *   <li>Threads come to a barrier of some parties, each as often as it likes, and do not wait for
 *       ever: time-outs meet departures, those of their own wait and those of the one before.
 *   <li>Every thread waits at one of two barriers of which none can fall: without a limit, and all
 *       are told; or each barrier has somebody who does not wait for ever, and no one is told
 *       before. Then one may gather the parties of a barrier that has broken: not in programs of
 *       the usual protocol, so that old seeds keep theirs.
 *   <li>Sections in between, so that there is something to flush.
 * </ul>
 */
final class ReusedBarriers {
    /** The usual protocol of its region. */
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
        int first = random.nextInt(everyThread); // one comes to each barrier, at least
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
