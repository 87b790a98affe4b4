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
 * What a queue of short tasks takes whose next number all nodes draw.
 *
 * <pre>
 * queue-lock-N    the next number is in migratory memory, under a lock; N nodes
 * queue-ship-N    it is an object of the root's, and nodes call it
 * queue-apart-N   each node has its own tasks, and nothing is shared
 * </pre>
 *
 * <p>A sample is a whole round: its time by the tasks that all nodes together performed in it.
 */
final class QueueTimes {
    private static final int ROUNDS = 9;

    /** Of samples, so many are one task of a round: of 5000 samples 2000 tasks. */
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

    /** What can be called at the root. */
    interface Numbers {
        /** A number that nobody has drawn, one above the last. */
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
            AtomicLong drawn = new AtomicLong(); // the root's counts
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

    /** This node's share of all numbers: every one that leaves the node's id over. */
    private LongSupplier apart() {
        AtomicLong turns = new AtomicLong();
        return () -> turns.getAndIncrement() * node.nodes() + node.id();
    }

    /**
     * Of each round the numbers are those of its tasks, and behind them one for each node, which
     * then knows that there are no more.
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
