package io.muninn.e2e.programs;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * Data goes round the nodes, each hop under a lock of its own: what a node stored is seen by the
 * node after the next as well, which never shares a lock with it.
 */
public final class LockChain implements DsmProgram {
    private static final int LAPS_LIVE = 30;
    private static final int LENGTH = 1200; // more than two pages

    @Shared(Protocol.WRITE_SHARED)
    final LongArray data = LongArray.of(LENGTH);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray signals = LongArray.of(64 * 8);

    private final int laps;

    public LockChain() {
        this(LAPS_LIVE);
    }

    public LockChain(int laps) {
        this.laps = laps;
    }

    @Override
    public void run(DsmNode node) {
        if (node.thread() != 0) {
            return;
        }
        int nodes = node.nodes();
        int before = (node.id() + nodes - 1) % nodes;
        DsmLock from = node.lock("hop " + before);
        DsmLock to = node.lock("hop " + node.id());
        for (int lap = 0; lap < laps; lap++) {
            long turn = (long) lap * nodes + node.id();
            if (turn > 0) {
                awaitSignal(from, before, turn);
            }
            for (int i = 0; i < LENGTH; i++) {
                long expected = turn - 1 - (i + turn) % 2; // half by the node before, half earlier
                if (turn > 1 && data.get(i) != expected) {
                    throw new IllegalStateException(
                            "turn "
                                    + turn
                                    + ": word "
                                    + i
                                    + " is "
                                    + data.get(i)
                                    + ", not "
                                    + expected);
                }
                if ((i + turn) % 2 == 1) {
                    data.set(i, turn);
                }
            }
            to.lock();
            signals.set(8 * node.id(), turn + 1);
            to.unlock();
        }
    }

    private void awaitSignal(DsmLock lock, int sender, long turn) {
        while (true) {
            lock.lock();
            try {
                if (signals.get(8 * sender) == turn) {
                    return;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right(laps + " laps");
    }
}
