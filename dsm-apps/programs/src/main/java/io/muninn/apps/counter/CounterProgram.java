package io.muninn.apps.counter;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * Every thread of every node increments one shared word under one lock. No increment may be lost:
 * the final value verifies both the lock and the migration of the page.
 */
public final class CounterProgram implements DsmProgram {
    private static final int VALUE = 0;

    /** Id + 1 of the node that last held the lock; 0 initially. */
    private static final int LAST_NODE = 1;

    /** Number of acquires by the node that last held the lock. */
    private static final int SAME_NODE = 2;

    @Shared(Protocol.MIGRATORY)
    private final LongArray counter = LongArray.of(3);

    private final int increments;

    /**
     * @param increments number of increments of every thread, 0 or more
     */
    public CounterProgram(int increments) {
        this.increments = increments;
    }

    @Override
    public void run(DsmNode node) {
        DsmLock lock = node.lock("counter");
        for (int i = 0; i < increments; i++) {
            lock.lock();
            try {
                increment(node.id());
            } finally {
                lock.unlock();
            }
            node.work(1);
        }
    }

    private void increment(int node) {
        counter.set(VALUE, counter.get(VALUE) + 1);
        if (counter.get(LAST_NODE) == node + 1) {
            counter.set(SAME_NODE, counter.get(SAME_NODE) + 1);
        }
        counter.set(LAST_NODE, node + 1);
    }

    @Override
    public Verdict verify(DsmNode root) {
        DsmLock lock = root.lock("counter");
        lock.lock();
        try {
            long expected = (long) root.positions() * increments;
            long value = counter.get(VALUE);
            String text =
                    "counter is "
                            + value
                            + "; the lock was taken again by its last node "
                            + counter.get(SAME_NODE)
                            + " times";
            return value == expected
                    ? Verdict.right(text)
                    : Verdict.wrong(text + "; expected " + expected);
        } finally {
            lock.unlock();
        }
    }
}
