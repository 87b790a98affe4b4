package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Times of a queue of short tasks. All nodes draw task numbers from it.
 *
 * <pre>
 * queue-lock-N    the next number is in migratory memory, protected by a lock; N nodes
 * queue-ship-N    it is an object of the root's, and nodes call it
 * queue-apart-N   each node has its own tasks, and nothing is shared
 * </pre>
 *
 * <p>A sample is the time of a round, divided by the tasks that all nodes performed in it.
 */
final class QueueTimes {
    private static final int ROUNDS = 9;

    /** Samples per task of a round: 5000 samples make 2000 tasks. */
    private static final double TASKS_SHARE = 2.5;

    private static final long TASK_NANOS = TimeUnit.MICROSECONDS.toNanos(30);

    private final DsmNode node;
    private final Effort effort;
    private final Recorder recorder;
    private final int tasks;

    QueueTimes(DsmNode node, Effort effort, Recorder recorder) {
        this.node = node;
        this.effort = effort;
        this.recorder = recorder;
        tasks = (int) (effort.samples() / TASKS_SHARE);
    }

    /** The object of the root that nodes call. */
    interface Numbers {
        /** The next number, which is one above the previous one. */
        long next();
    }

    /** Measures. Called on every node, by its one thread. */
    void run() {
        String lock = "queue-lock-" + node.nodes();
        if (recorder.wants(lock)) {
            measure(lock, locked());
        }
        String ship = "queue-ship-" + node.nodes();
        if (recorder.wants(ship)) {
            AtomicLong drawn = new AtomicLong(); // only the root's is used
            measure(
                    ship,
                    node.shipped("numbers", Numbers.class, () -> drawn::getAndIncrement)::next);
        }
        String apart = "queue-apart-" + node.nodes();
        if (recorder.wants(apart)) {
            measure(apart, apart());
        }
    }

    private LongSupplier locked() {
        DsmLock lock = node.lock("numbers");
        LongArray next = node.allocate("next-number", LongArray.of(1), Protocol.MIGRATORY);
        return () -> {
            lock.lock();
            try {
                long number = next.get(0);
                next.set(0, number + 1);
                return number;
            } finally {
                lock.unlock();
            }
        };
    }

    /** The numbers of this node: those whose remainder by the number of nodes is the node's id. */
    private LongSupplier apart() {
        AtomicLong turns = new AtomicLong();
        return () -> turns.getAndIncrement() * node.nodes() + node.id();
    }

    /**
     * A round uses the numbers of its tasks, and after them one for each node, by which the node
     * detects the end of the round.
     */
    private void measure(String name, LongSupplier numbers) {
        Series series = effort.series(name, ROUNDS);
        DsmBarrier barrier = node.barrier("queues");
        Rounds rounds = new Rounds(node, 1, series);
        long end = 0;
        while (rounds.next()) {
            long last = end + tasks;
            barrier.await();
            long begin = System.nanoTime();
            while (numbers.getAsLong() < last) {
                perform();
            }
            barrier.await();
            series.add((System.nanoTime() - begin) / tasks);
            end = last + node.nodes();
        }
        if (node.isRoot()) {
            recorder.add(series);
        }
    }

    private static void perform() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TASK_NANOS) {
            Thread.onSpinWait();
        }
    }
}
