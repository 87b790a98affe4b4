package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.RemoteLongs;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;

/**
 * Compares function shipping with data shipping: all nodes take tasks from one queue and put them
 * back.
 *
 * <pre>
 * ship-B-N   the queue is an object of the root's; N nodes call it; tasks of B bytes
 * data-B-N   the queue is in shared memory, protected by a lock
 * </pre>
 *
 * <p>A sample is the time of a round, divided by the tasks that all nodes took and put back in it.
 * Also runs {@link QueueTimes}.
 */
final class Shipping implements Section {
    private static final int SLOTS = 32;
    private static final int ROUNDS = 9;
    private static final int TASKS_MIN = 3;

    /** Samples per task of a round on one node. */
    private static final int TASKS_SHARE = 100;

    private final int[] sizes;
    private final RemoteLongs remotes;

    /**
     * @param remotes for {@link QueueTimes}
     */
    Shipping(int[] sizes, RemoteLongs remotes) {
        this.remotes = remotes;
        this.sizes = sizes.clone();
    }

    @Override
    public String name() {
        return "shipping";
    }

    @Override
    public int nodesMin() {
        return 1;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        int tasks = Math.max(TASKS_MIN, effort.samples() / TASKS_SHARE);
        for (int bytes : sizes) {
            String ship = "ship-" + bytes + "-" + node.nodes();
            if (recorder.wants(ship)) {
                measure(node, effort.series(ship, ROUNDS), tasks, shipped(node, bytes), recorder);
            }
            String data = "data-" + bytes + "-" + node.nodes();
            if (recorder.wants(data)) {
                measure(node, effort.series(data, ROUNDS), tasks, shared(node, bytes), recorder);
            }
        }
        new QueueTimes(node, remotes, effort, recorder).run();
    }

    private static Runnable shipped(DsmNode node, int bytes) {
        TaskStore store =
                node.shipped(
                        "store-" + bytes, TaskStore.class, () -> new HeapTaskStore(SLOTS, bytes));
        return () -> store.put(store.take());
    }

    private static Runnable shared(DsmNode node, int bytes) {
        SharedTaskRing ring = new SharedTaskRing(node, SLOTS, bytes);
        byte[] task = new byte[bytes];
        return () -> {
            if (ring.take(task)) {
                ring.put(task);
            }
        };
    }

    private static void measure(
            DsmNode node, Series series, int tasks, Runnable turn, Recorder recorder) {
        DsmBarrier barrier = node.barrier("rounds");
        Rounds rounds = new Rounds(node, 1, series);
        while (rounds.next()) {
            barrier.await();
            long begin = System.nanoTime();
            for (int i = 0; i < tasks; i++) {
                turn.run();
            }
            barrier.await();
            long nanos = System.nanoTime() - begin;
            series.add(nanos / ((long) tasks * node.nodes()));
        }
        if (node.isRoot()) {
            recorder.add(series);
        }
    }
}
