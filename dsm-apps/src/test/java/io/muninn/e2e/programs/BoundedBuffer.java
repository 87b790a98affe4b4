package io.muninn.e2e.programs;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;

/**
 * A bounded buffer as every textbook has it. Of all threads in order of position, every other one
 * fills it, and the rest empty it. Every third wait has a time limit, and looks again.
 */
public final class BoundedBuffer implements DsmProgram {
    private static final int ROOM = 4;
    private static final int ITEMS = 60; // of each filler

    /** Places, then: items put in so far, items taken out so far. */
    @Shared(Protocol.WRITE_SHARED)
    final LongArray buffer = LongArray.of(ROOM + 2);

    /** What became of each item: how often it was taken. */
    @Shared(Protocol.MIGRATORY)
    final LongArray taken = LongArray.of(64 * ITEMS);

    private final AtomicInteger waits = new AtomicInteger(); // of this node's threads

    @Override
    public void run(DsmNode node) throws InterruptedException {
        DsmLock lock = node.lock("buffer");
        Condition notFull = lock.newCondition("not full");
        Condition notEmpty = lock.newCondition("not empty");
        if (node.position() % 2 == 0) {
            int first = node.position() / 2 * ITEMS;
            for (int i = 0; i < ITEMS; i++) {
                put(first + i, lock, notFull, notEmpty);
            }
        } else {
            while (take(items(node), lock, notFull, notEmpty)) {}
        }
    }

    private static int items(DsmNode node) {
        return (node.positions() + 1) / 2 * ITEMS;
    }

    private void put(int item, DsmLock lock, Condition notFull, Condition notEmpty)
            throws InterruptedException {
        lock.lock();
        try {
            while (buffer.get(ROOM) - buffer.get(ROOM + 1) == ROOM) {
                await(notFull);
            }
            long in = buffer.get(ROOM);
            buffer.set((int) (in % ROOM), item);
            buffer.set(ROOM, in + 1);
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    private boolean take(int all, DsmLock lock, Condition notFull, Condition notEmpty)
            throws InterruptedException {
        lock.lock();
        try {
            while (buffer.get(ROOM) == buffer.get(ROOM + 1) && buffer.get(ROOM + 1) < all) {
                await(notEmpty);
            }
            long out = buffer.get(ROOM + 1);
            if (out == all) {
                return false;
            }
            int item = (int) buffer.get((int) (out % ROOM));
            taken.set(item, taken.get(item) + 1);
            buffer.set(ROOM + 1, out + 1);
            notFull.signal();
            if (out + 1 == all) {
                notEmpty.signalAll();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void await(Condition condition) throws InterruptedException {
        if (waits.incrementAndGet() % 3 == 0) {
            condition.await(500, TimeUnit.MICROSECONDS);
        } else {
            condition.await();
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        for (int i = 0; i < items(root); i++) {
            if (taken.get(i) != 1) {
                return Verdict.wrong("item " + i + " was taken " + taken.get(i) + " times");
            }
        }
        return Verdict.right(items(root) + " items were taken");
    }
}
