package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * Many intervals, which end with a lock or with a barrier. In each a node stores to a page that all
 * store to and to a page of its own, which nobody asks for. The root says when a quarter of them is
 * over and when all are, and stays until it is told to end by a file.
 */
public final class ManyIntervals implements DsmProgram {
    /** What the root prints after a quarter of the intervals. */
    public static final String QUARTER = "quarter";

    /** What it prints after the last. */
    public static final String DONE = "done";

    private static final int NODES_MAX = 8;
    private static final int PAGE = 4096 / Long.BYTES;
    private static final int READ_EVERY = 16;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Shared private final LongArray counts = LongArray.of(NODES_MAX);

    @Shared private final LongArray own = LongArray.of(NODES_MAX * PAGE);

    private final boolean locks;
    private final int each;
    private final Path end;

    public ManyIntervals(String[] options) {
        locks = options[0].equals("locks");
        each = Integer.parseInt(options[1]);
        end = Path.of(options[2]);
    }

    @Override
    public void run(DsmNode node) {
        Lock lock = node.lock("interval");
        for (int i = 1; i <= each; i++) {
            if (locks) {
                lock.lock();
            }
            add(own, node.id() * PAGE);
            add(counts, locks ? 0 : node.id());
            if (locks) {
                lock.unlock();
            } else {
                node.barrier("interval").await();
                check(node, i);
            }
            if (node.isRoot() && i == each / 4) {
                System.out.println(QUARTER);
            }
        }
        node.barrier("all").await();
        if (node.isRoot()) {
            System.out.println(DONE);
            while (!Files.exists(end)) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        node.barrier("end").await();
    }

    private static void add(LongArray words, int index) {
        words.set(index, words.get(index) + 1);
    }

    /** Others may have stored in the next interval already. */
    private void check(DsmNode node, int interval) {
        for (int i = 0; i < node.nodes() && interval % READ_EVERY == 0; i++) {
            long count = counts.get(i);
            if (count != interval && count != interval + 1) {
                throw new IllegalStateException(
                        "interval " + interval + ": node " + i + " has counted " + count);
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        long sum = 0;
        for (int i = 0; i < NODES_MAX; i++) {
            sum += counts.get(i);
        }
        long expected = (long) each * root.nodes();
        return sum == expected
                ? Verdict.right(expected + " intervals")
                : Verdict.wrong(sum + " instead of " + expected + " intervals");
    }
}
