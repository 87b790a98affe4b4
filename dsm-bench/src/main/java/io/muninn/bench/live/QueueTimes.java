package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteLongs;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Times of a queue of short tasks. All nodes draw task numbers from it.
 *
 * <pre>
 * queue-lock-N    the next number is in migratory memory, protected by a lock; N nodes
 * queue-ship-N    it is an object of the root's, and nodes call it
 * queue-remote-N  it is a remote word of the root
 * queue-apart-N   each node has its own tasks, and nothing is shared
 * </pre>
 *
 * <p>A sample is the time of a round, divided by the tasks that all nodes performed in it.
 */
final class QueueTimes {
    private static final int ROUNDS = 9;

    /** Samples per task of a round: 5000 samples make 2000 tasks. */
    private static final double TASKS_SHARE = 2.5;

    /** The remote word with the next number, which no other measurement uses. */
    private static final int NEXT = PageOrder.PAGE_ELEMENTS - 1;

    private static final long TASK_NANOS = TimeUnit.MICROSECONDS.toNanos(30);

    private final DsmNode node;
    private final RemoteLongs remotes;
    private final Effort effort;
    private final Recorder recorder;
    private final int tasks;

    /**
     * @param remotes with the first page on the root
     */
    QueueTimes(DsmNode node, RemoteLongs remotes, Effort effort, Recorder recorder) {
        this.node = node;
        this.remotes = remotes;
        this.effort = effort;
        this.recorder = recorder;
        tasks = (int) (effort.samples() / TASKS_SHARE);
    }

    /** The object of the root that nodes call. */
    interface Numbers {
        /** The next number, which is one above the previous one. */
        long next();
    }

    /**
     * A queue.
     *
     * @param numbers the next task's
     */
    private record Queue(String name, Supplier<LongSupplier> numbers) {}

    /** Measures. Called on every node, by its one thread. */
    void run() {
        AtomicLong drawn = new AtomicLong(); // only the root's is used
        List<Queue> wanted =
                Stream.of(
                                new Queue("queue-lock-", this::locked),
                                new Queue(
                                        "queue-ship-",
                                        () ->
                                                node.shipped(
                                                                "numbers",
                                                                Numbers.class,
                                                                () -> drawn::getAndIncrement)
                                                        ::next),
                                new Queue("queue-remote-", () -> () -> remotes.getAndAdd(NEXT, 1)),
                                new Queue("queue-apart-", this::apart))
                        .map(queue -> new Queue(queue.name() + node.nodes(), queue.numbers()))
                        .filter(queue -> recorder.wants(queue.name()))
                        .toList();
        if (!wanted.isEmpty()) {
            measure(wanted);
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
     * The queues take turns, round by round. A round uses the numbers of its tasks, and after them
     * one for each node, by which the node detects the end of the round.
     */
    private void measure(List<Queue> queues) {
        List<LongSupplier> numbers = queues.stream().map(queue -> queue.numbers().get()).toList();
        Series[] all =
                queues.stream()
                        .map(queue -> effort.series(queue.name(), ROUNDS))
                        .toArray(Series[]::new);
        DsmBarrier barrier = node.barrier("queues");
        Rounds rounds = new Rounds(node, 1, all);
        long end = 0; // the same for all
        while (rounds.next()) {
            long last = end + tasks;
            for (int i = 0; i < all.length; i++) {
                barrier.await();
                long begin = System.nanoTime();
                while (numbers.get(i).getAsLong() < last) {
                    perform();
                }
                barrier.await();
                all[i].add((System.nanoTime() - begin) / tasks);
            }
            end = last + node.nodes();
        }
        if (node.isRoot()) {
            List.of(all).forEach(recorder::add);
        }
    }

    private static void perform() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TASK_NANOS) {
            Thread.onSpinWait();
        }
    }
}
