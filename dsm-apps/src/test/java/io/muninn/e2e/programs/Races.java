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
 * All nodes store to elements 7 and 100 to 124 of an array between two barriers, which is wrong; to
 * elements of their own, and to element 40 under a lock, which is right. Before that two nodes
 * store to one element of another array: one of them holds its page alone at that time.
 */
public final class Races implements DsmProgram {
    @Shared(Protocol.WRITE_SHARED)
    final LongArray words = LongArray.of(500);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray alone = LongArray.of(500);

    @Override
    public void run(DsmNode node) {
        DsmBarrier step = node.barrier("step");
        DsmLock lock = node.lock("forty");
        if (words.get(node.id()) != 0) {
            throw new IllegalStateException("words are zeros");
        }
        if (node.id() < 2) {
            alone.set(3, 80 + node.id());
        }
        step.await();
        words.set(7, 70 + node.id());
        for (int i = 100; i < 125; i++) {
            words.set(i, 1_000L * i + node.id());
        }
        words.set(20 + node.id(), 1);
        lock.lock();
        words.set(40, words.get(40) + 1);
        lock.unlock();
        step.await();
        words.set(20 + (node.id() + 1) % node.nodes(), 2);
        step.await();
    }

    @Override
    public Verdict verify(DsmNode root) {
        return words.get(40) == root.nodes() ? Verdict.right("40") : Verdict.wrong("40");
    }
}
