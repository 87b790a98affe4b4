package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * Store buffering: two threads store to one variable each and then load the other's. Between locks
 * at least one of them sees the other's store. Thread 0 of the first two nodes takes part.
 */
public final class LockedStores implements DsmProgram {
    private static final int ROUNDS_LIVE = 150;

    @Shared(Protocol.WRITE_SHARED)
    final LongArray x = LongArray.of(1);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray y = LongArray.of(1);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray seen = LongArray.of(2);

    private final int rounds;

    public LockedStores() {
        this(ROUNDS_LIVE);
    }

    public LockedStores(int rounds) {
        this.rounds = rounds;
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier round = node.barrier("round");
        for (int i = 1; i <= rounds; i++) {
            round.await();
            if (node.id() == 0 && node.thread() == 0) {
                takePart(node, x, y, i);
            } else if (node.id() == 1 && node.thread() == 0) {
                takePart(node, y, x, i);
            }
            round.await();
            if (seen.get(0) < i && seen.get(1) < i) {
                throw new IllegalStateException("round " + i + ": neither saw the other's store");
            }
        }
    }

    private void takePart(DsmNode node, LongArray mine, LongArray other, int value) {
        DsmLock lock = node.lock("both");
        lock.lock();
        mine.set(0, value);
        lock.unlock();
        lock.lock();
        seen.set(node.id(), other.get(0));
        lock.unlock();
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right(rounds + " rounds");
    }
}
