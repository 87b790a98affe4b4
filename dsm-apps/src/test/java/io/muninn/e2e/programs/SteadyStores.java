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
 * Every thread counts up elements of its own, on two pages that all threads of all nodes share, and
 * never stops while its node flushes: a lock of the node is all that it releases. Meanwhile no
 * thread's count may be seen to go back, and at a barrier now and then each is seen in full.
 */
public final class SteadyStores implements DsmProgram {
    private static final int PAGE_ELEMENTS = 512;
    private static final int PAGES = 2;
    private static final int LAPS = 8;
    private static final int ROUNDS = 1_000_000;
    private static final int RELEASE_EVERY = 250;

    @Shared(Protocol.WRITE_SHARED)
    final LongArray counts = LongArray.of(PAGES * PAGE_ELEMENTS);

    @Override
    public void run(DsmNode node) {
        DsmLock lock = node.lock("of node " + node.id());
        DsmBarrier counted = node.barrier("counted");
        DsmBarrier seen = node.barrier("seen");
        long[] last = new long[counts.length()];
        for (int lap = 1; lap <= LAPS; lap++) {
            for (int round = 1; round <= ROUNDS; round++) {
                count(node);
                if (round % RELEASE_EVERY == 0) {
                    lock.lock();
                    lock.unlock();
                    look(node, last);
                }
            }
            counted.await();
            checkAll((long) lap * ROUNDS);
            seen.await();
        }
    }

    private void count(DsmNode node) {
        for (int i = node.position(); i < counts.length(); i += 37 * node.positions()) {
            counts.set(i, counts.get(i) + 1);
        }
    }

    private void look(DsmNode node, long[] last) {
        for (int i = 0; i < counts.length(); i++) {
            long now = counts.get(i);
            if (now < last[i]) {
                throw new IllegalStateException(
                        "node "
                                + node.id()
                                + " sees element "
                                + i
                                + " go back from "
                                + last[i]
                                + " to "
                                + now);
            }
            last[i] = now;
        }
    }

    private void checkAll(long expected) {
        for (int i = 0; i < counts.length(); i++) {
            long now = counts.get(i);
            if (now != 0 && now != expected) {
                throw new IllegalStateException(
                        "element " + i + " is " + now + ", not " + expected);
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        long sum = 0;
        for (int i = 0; i < counts.length(); i++) {
            sum += counts.get(i);
        }
        long expected = 0;
        for (int position = 0; position < root.positions(); position++) {
            for (int i = position; i < counts.length(); i += 37 * root.positions()) {
                expected += (long) LAPS * ROUNDS;
            }
        }
        return sum == expected
                ? Verdict.right("all stores were seen")
                : Verdict.wrong("counts add up to " + sum + ", not " + expected);
    }
}
