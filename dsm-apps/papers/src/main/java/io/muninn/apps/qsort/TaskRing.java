package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.IntArray;

/**
 * The task queue: ranges of indices of parts still to be sorted, the oldest first, so that large
 * parts are split early. Beside them stands how many threads wait for work.
 *
 * <pre>
 * element 0      tasks in the queue
 * element 1      place of the oldest
 * element 2      threads that wait
 * element 3      1 when there will be no more tasks, else 0
 * from 4 on      places, two elements each: first index, and one past the last
 * </pre>
 *
 * <p><b>Threads.</b> The one that holds the lock of the queue.
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
     * @param memory of {@link #elements} elements, zero at first
     */
    TaskRing(IntArray memory) {
        this.memory = memory;
        this.room = (memory.length() - HEADER) / 2;
    }

    /** Elements that a queue of so many tasks takes. */
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
     * @throws IllegalStateException if there is none
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

    /** Threads that wait for work. */
    int waiting() {
        return memory.get(WAITING);
    }

    void waiting(int threads) {
        memory.set(WAITING, threads);
    }

    /** There will be no more tasks. */
    void finish() {
        memory.set(FINISHED, 1);
    }

    boolean isFinished() {
        return memory.get(FINISHED) != 0;
    }
}
