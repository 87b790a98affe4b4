package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.IntArray;

/**
 * The task queue: index ranges of unsorted parts, oldest first, so that large parts are split
 * early. Also contains the number of waiting threads.
 *
 * <pre>
 * element 0      number of tasks in the queue
 * element 1      place of the oldest task
 * element 2      number of waiting threads
 * element 3      1 if there will be no more tasks, else 0
 * from 4 on      places, two elements each: first index, and one past the last
 * </pre>
 *
 * <p><b>Threads.</b> The holder of the queue's lock.
 */
final class TaskRing implements TaskSink {
    private static final int COUNT = 0;
    private static final int OLDEST = 1;
    private static final int WAITING = 2;
    private static final int FINISHED = 3;
    private static final int HEADER = 4;

    private final IntArray memory;
    private final int room;

    /**
     * @param memory {@link #elements} elements, initially zero
     */
    TaskRing(IntArray memory) {
        this.memory = memory;
        this.room = (memory.length() - HEADER) / 2;
    }

    /** Elements of a queue with a capacity of {@code tasks} tasks. */
    static int elements(int tasks) {
        return HEADER + 2 * tasks;
    }

    boolean isEmpty() {
        return memory.get(COUNT) == 0;
    }

    @Override
    public boolean put(Band task) {
        int count = memory.get(COUNT);
        if (count == room) {
            return false;
        }
        int at = HEADER + 2 * ((memory.get(OLDEST) + count) % room);
        memory.set(at, task.from());
        memory.set(at + 1, task.to());
        memory.set(COUNT, count + 1);
        return true;
    }

    /**
     * Takes the oldest task.
     *
     * @throws IllegalStateException if the queue is empty
     */
    Band take() {
        int count = memory.get(COUNT);
        if (count == 0) {
            throw new IllegalStateException("the task queue is empty");
        }
        int oldest = memory.get(OLDEST);
        int at = HEADER + 2 * oldest;
        memory.set(OLDEST, (oldest + 1) % room);
        memory.set(COUNT, count - 1);
        return new Band(memory.get(at), memory.get(at + 1));
    }

    /** Number of threads that wait for work. */
    int waiting() {
        return memory.get(WAITING);
    }

    void waiting(int threads) {
        memory.set(WAITING, threads);
    }

    /** Marks that there will be no more tasks. */
    void finish() {
        memory.set(FINISHED, 1);
    }

    boolean isFinished() {
        return memory.get(FINISHED) != 0;
    }
}
