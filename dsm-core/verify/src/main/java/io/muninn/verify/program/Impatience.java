package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.RandomDelays;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program whose waits have a limit of 0, or a short one. Its threads take locks,
 * await signals that no thread sends, receive letters that may have arrived, and arrive at
 * barriers, of which most break.
 */
final class Impatience {
    static final Protocol PROTOCOL = Protocol.MIGRATORY;

    private static final int THREADS_MAX = 3;
    private static final int ROUNDS_MIN = 20;
    private static final int ROUNDS_MAX = 60;
    private static final int SHORT_NANOS_MAX = 200_000;
    private static final int WORK_NANOS_MAX = 100_000;
    private static final int TAG = 7;
    private static final LockId LOCK = new LockId("lock");

    private final Random random;
    private final int nodes;
    private final int threads;
    private final Scripts scripts;
    private long lastLetter;

    private Impatience(long seed, int nodes) {
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
        return new Impatience(seed, nodes).write(holdNanos);
    }

    private Program write(long holdNanos) {
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        for (int i = 0; i < rounds; i++) {
            int thread = random.nextInt(nodes * threads);
            int unit = scripts.beginUnit();
            if (random.nextInt(3) == 0) {
                long nanos = RandomDelays.logUniform(random, 1, WORK_NANOS_MAX);
                scripts.add(unit, thread, new Op.Work(nanos));
            }
            switch (random.nextInt(5)) {
                case 0, 1 -> touchInSection(unit, thread);
                case 2 -> awaitSignal(unit, thread);
                case 3 -> correspond(unit, thread);
                default -> meet(unit, new BarrierId("barrier" + i));
            }
        }
        return new Program(nodes, threads, holdNanos, List.of(region()), List.of(), scripts.all());
    }

    private void touchInSection(int unit, int thread) {
        scripts.add(unit, thread, new Op.Acquire(LOCK, limitNanos()));
        scripts.load(unit, thread, word(0));
        scripts.add(unit, thread, new Op.Store(word(0), random.nextInt()));
        scripts.add(unit, thread, new Op.Release(LOCK));
    }

    private void awaitSignal(int unit, int thread) {
        ConditionId condition = new ConditionId(LOCK, ConditionId.numbered(0));
        scripts.add(unit, thread, new Op.Acquire(LOCK, Op.FOR_EVER));
        scripts.add(unit, thread, new Op.AwaitCondition(condition, word(1), 1, limitNanos()));
        scripts.add(unit, thread, new Op.Release(LOCK));
    }

    private void correspond(int unit, int thread) {
        int to = random.nextInt(nodes * threads);
        scripts.add(unit, thread, new Op.Send(to / threads, TAG, ++lastLetter));
        scripts.add(unit, to, new Op.Receive(thread / threads, TAG, limitNanos()));
    }

    private void meet(int unit, BarrierId barrier) {
        for (int thread = 0; thread < nodes * threads; thread++) {
            if (random.nextBoolean()) {
                scripts.add(unit, thread, new Op.Await(barrier, nodes * threads, limitNanos()));
            }
        }
    }

    private long limitNanos() {
        return random.nextInt(3) > 0 ? 0 : RandomDelays.logUniform(random, 1, SHORT_NANOS_MAX);
    }

    private static Variable word(int index) {
        return new Variable(new PageId(0, 0), index * Long.BYTES, Long.BYTES);
    }

    private static RegionSpec region() {
        return new RegionSpec(
                0, "words", PROTOCOL, 0, RegionSpec.MACHINE_PAGE_BYTES, Long.BYTES, 1, List.of());
    }
}
