package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Times single operations between two nodes of one thread, for the costs of a link: a fault that
 * fetches a page, a lock that the other node held last, a barrier, and a barrier with the diff of a
 * whole page in each direction. Node 0 prints the median of each in microseconds.
 */
public final class LinkTimes implements DsmProgram {
    private static final int PAGE = 4096 / Long.BYTES;
    private static final int ROUNDS = 1_500;
    private static final int WARM_UP = 1_500;

    @Shared(Protocol.CONVENTIONAL)
    private final LongArray fetched = LongArray.of(PAGE);

    @Shared(Protocol.WRITE_SHARED)
    private final LongArray shared = LongArray.of(2 * PAGE);

    /** An operation and what comes before it. */
    private interface Step {
        void run(int round);
    }

    public LinkTimes(List<String> options) {
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("no options");
        }
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier barrier = node.barrier("round");
        DsmLock lock = node.lock("turn");
        int self = node.position();
        time(
                node,
                "fault",
                barrier,
                round -> {
                    if (self == 1) {
                        fetched.set(round % PAGE, round);
                    }
                },
                round -> {
                    if (self == 0 && fetched.get(round % PAGE) != round) {
                        throw new IllegalStateException("round " + round + " is not there");
                    }
                });
        time(
                node,
                "lock",
                barrier,
                _ -> {
                    if (self == 1) {
                        lock.lock();
                        lock.unlock();
                    }
                },
                _ -> {
                    if (self == 0) {
                        lock.lock();
                        lock.unlock();
                    }
                });
        time(node, "barrier", barrier, _ -> {}, _ -> barrier.await());
        time(
                node,
                "barrier with diffs",
                barrier,
                round -> {
                    for (int i = 0; i < PAGE; i++) {
                        shared.set(self * PAGE + i, shared.get((1 - self) * PAGE + i) + round + i);
                    }
                },
                _ -> barrier.await());
    }

    private static void time(
            DsmNode node, String name, DsmBarrier barrier, Step before, Step operation) {
        long[] nanos = new long[ROUNDS];
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            before.run(round);
            if (!name.startsWith("barrier")) {
                barrier.await();
            }
            long start = System.nanoTime();
            operation.run(round);
            nanos[Math.max(0, round - WARM_UP)] = System.nanoTime() - start;
            if (!name.startsWith("barrier")) {
                barrier.await();
            }
        }
        if (node.position() == 0) {
            Arrays.sort(nanos);
            System.out.printf(Locale.ROOT, "%s %.1f us%n", name, nanos[ROUNDS / 2] / 1_000.0);
        }
    }
}
