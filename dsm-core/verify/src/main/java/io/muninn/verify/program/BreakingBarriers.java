package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.spi.Event;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program whose barriers break: threads arrive at any time, and their waits have
 * a short limit. A thread that arrives at a broken barrier is notified at once. In between they
 * store under a lock, so that arrivals flush updates.
 */
final class BreakingBarriers {
    /** The protocol of its region. */
    static final Protocol PROTOCOL = Protocol.WRITE_SHARED;

    private static final int THREADS_MAX = 3;
    private static final int BARRIERS_MIN = 10;
    private static final int BARRIERS_MAX = 30;
    private static final int STORES_MAX = 4;
    private static final int WORK_NANOS_MAX = 300_000;
    private static final int SHORT_NANOS_MAX = 200_000;
    private static final long LONG_NANOS = 1_000_000_000;
    private static final LockId LOCK = new LockId("lock");

    private BreakingBarriers() {}

    /**
     * @param nodes at least 1
     * @return the same program for the same arguments
     */
    static Program of(long seed, int nodes, long holdNanos) {
        Random random = new Random(seed);
        int threads = 1 + random.nextInt(THREADS_MAX);
        Scripts scripts = new Scripts(nodes * threads);
        int barriers = BARRIERS_MIN + random.nextInt(BARRIERS_MAX - BARRIERS_MIN);
        for (int i = 0; i < barriers; i++) {
            boolean ofAll = random.nextInt(3) > 0;
            int parties = ofAll ? Event.ALL_PARTIES : nodes * threads;
            BarrierId barrier = new BarrierId("barrier" + i);
            int unit = scripts.beginUnit();
            for (int thread = 0; thread < nodes * threads; thread++) {
                store(random, scripts, thread);
                boolean isShort = random.nextInt(nodes * threads) == 0;
                long timeoutNanos = isShort ? random.nextInt(SHORT_NANOS_MAX) : LONG_NANOS;
                scripts.add(unit, thread, new Op.Await(barrier, parties, timeoutNanos));
            }
        }
        return new Program(nodes, threads, holdNanos, List.of(region()), List.of(), scripts.all());
    }

    private static void store(Random random, Scripts scripts, int thread) {
        int unit = scripts.beginUnit();
        if (random.nextInt(4) == 0) {
            scripts.add(unit, thread, new Op.Work(random.nextInt(WORK_NANOS_MAX)));
        }
        scripts.add(unit, thread, new Op.Acquire(LOCK, Op.FOR_EVER));
        for (int i = random.nextInt(STORES_MAX); i >= 0; i--) {
            Variable word = new Variable(new PageId(0, i), thread * Long.BYTES, Long.BYTES);
            scripts.load(unit, thread, word);
            scripts.add(unit, thread, new Op.Store(word, random.nextInt()));
        }
        scripts.add(unit, thread, new Op.Release(LOCK));
    }

    private static RegionSpec region() {
        return new RegionSpec(
                0,
                "words",
                PROTOCOL,
                0,
                STORES_MAX * RegionSpec.MACHINE_PAGE_BYTES,
                Long.BYTES,
                1,
                List.of());
    }
}
