package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;

/**
 * Never ends by itself: faults, locks and barriers in turn, so that a loss meets nodes in all of
 * them. Each node says when it is under way.
 */
public final class Endless implements DsmProgram {
    /** What each node prints once. */
    public static final String UNDER_WAY = "under way";

    private static final int ROUNDS_BEFORE = 3;
    private static final int PAGE = 4096 / Long.BYTES;
    private static final int PAGES = 4; // every node may be the home of one

    @Shared private final LongArray conventional = LongArray.of(64);

    @Shared(Protocol.WRITE_SHARED)
    private final LongArray shared = LongArray.of(PAGES * PAGE);

    @Override
    public void run(DsmNode node) {
        DsmLock lock = node.lock("turn");
        DsmBarrier barrier = node.barrier("round");
        for (long round = 0; ; round++) {
            conventional.set(node.position(), round);
            for (int page = 0; page < PAGES; page++) {
                shared.set(page * PAGE + node.position(), round);
            }
            lock.lock();
            try {
                conventional.set(63, conventional.get(63) + 1);
            } finally {
                lock.unlock();
            }
            barrier.await();
            if (round == ROUNDS_BEFORE && node.thread() == 0) {
                System.out.println(UNDER_WAY);
            }
        }
    }
}
