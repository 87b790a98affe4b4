package io.muninn.apps;

import io.muninn.api.Band;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;

/**
 * A queue of tasks for each thread, in shared memory, with task stealing. A thread takes the first
 * task of its own queue. When its queue is empty, it steals the last task of another thread: first
 * of the threads of its node, then of the threads of the following nodes. No tasks are added
 * between two calls of {@link #fill}, so an empty queue stays empty, and a thread that has found
 * every queue empty is done.
 *
 * <p><b>Shape.</b> A queue consists of its first task and one past its last task. Each queue has
 * its own page and its own lock.
 *
 * <p><b>Threads.</b> Each has its own instance.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, "Supporting a Coherent Shared Address Space Across
 * SMP Nodes", section 6.2 (Raytrace, Volrend) and section 8 (the order of stealing).
 */
public final class StealingQueues {
    /** Returned instead of a task if all queues are empty. */
    public static final int NONE = -1;

    /** Elements from one queue to the next: the page size of most machines. */
    private static final int STRIDE = 4096 / Integer.BYTES;

    private final int tasks;
    private final DsmNode node;
    private final IntArray queues;
    private final DsmLock[] locks;
    private final DsmBarrier filled;

    /** The queues in the order in which this thread takes from them. */
    private final int[] order;

    /** Index in {@link #order} of the first queue that may have a task. */
    private int next;

    /**
     * Allocates the queues; all are empty. Collective.
     *
     * @param name name of the queues, their locks and their barrier
     * @param tasks number of tasks, which are numbered from 0
     */
    public StealingQueues(DsmNode node, String name, int tasks) {
        this.tasks = tasks;
        this.node = node;
        queues = node.allocate(name, IntArray.of(node.positions() * STRIDE), Protocol.MIGRATORY);
        locks = new DsmLock[node.positions()];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = node.lock(name + "-" + i);
            locks[i].guards(queues, (long) i * STRIDE, (long) i * STRIDE + 2);
        }
        filled = node.barrier(name);
        order = order(node.position(), node.threads(), node.positions());
    }

    /**
     * The thread itself, the other threads of its node, then the threads of the following nodes.
     */
    static int[] order(int self, int threads, int positions) {
        int[] order = new int[positions];
        int first = self - self % threads;
        for (int i = 0; i < positions; i++) {
            int inNode = (self + i) % threads;
            order[i] = i < threads ? first + inNode : (first + i) % positions;
        }
        return order;
    }

    /**
     * Fills each thread's queue with its share of the tasks, a contiguous band. Collective; no
     * thread may take tasks concurrently. Returns when all queues are filled.
     */
    public void fill() {
        Band band = node.band(tasks);
        int self = node.position();
        locks[self].lock();
        try {
            queues.set(self * STRIDE, band.from());
            queues.set(self * STRIDE + 1, band.to());
        } finally {
            locks[self].unlock();
        }
        next = 0;
        filled.await();
    }

    /** Takes a task; returns {@link #NONE} if all queues are empty. */
    public int take() {
        while (next < order.length) {
            int task = take(order[next]);
            if (task != NONE) {
                return task;
            }
            next++;
        }
        return NONE;
    }

    private int take(int queue) {
        locks[queue].lock();
        try {
            int from = queues.get(queue * STRIDE);
            int to = queues.get(queue * STRIDE + 1);
            if (from == to) {
                return NONE;
            }
            if (queue == node.position()) {
                queues.set(queue * STRIDE, from + 1);
                return from;
            }
            queues.set(queue * STRIDE + 1, to - 1);
            return to - 1;
        } finally {
            locks[queue].unlock();
        }
    }
}
