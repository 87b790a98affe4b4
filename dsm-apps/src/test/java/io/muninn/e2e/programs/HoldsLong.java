package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.time.Duration;

/** Node 0 holds a lock for a long time, for which all others wait, and then at a barrier. */
public final class HoldsLong implements DsmProgram {
    private static final Duration HOLD = Duration.ofSeconds(30);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray turns = LongArray.of(1);

    @Override
    public void run(DsmNode node) {
        DsmBarrier barrier = node.barrier("held");
        DsmLock lock = node.lock("turn");
        if (node.id() == 0) {
            lock.lock();
        }
        barrier.await();
        if (node.id() == 0) {
            work();
        } else {
            lock.lock();
        }
        turns.set(0, turns.get(0) + 1);
        lock.unlock();
        barrier.await();
    }

    private static void work() {
        try {
            Thread.sleep(HOLD); // as if it computed
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("nobody interrupts it", interrupted);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        long all = turns.get(0);
        return all == root.nodes()
                ? Verdict.right(all + " turns")
                : Verdict.wrong(all + " turns, not " + root.nodes());
    }
}
