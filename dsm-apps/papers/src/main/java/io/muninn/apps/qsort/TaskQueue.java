package io.muninn.apps.qsort;

import io.muninn.api.Band;
import java.util.List;

/**
 * A task queue that all threads call remotely. A call never blocks, because that would block calls
 * of other threads. Instead, its answer says when to wait and which threads to wake.
 *
 * <p>Threads are identified by their position among all application threads.
 */
interface TaskQueue {
    /** The answer to a request for a task. */
    sealed interface Answer {}

    /** A task to be performed. */
    record Work(Band task) implements Answer {}

    /** The queue is empty: wait to be woken, then call again. */
    record Wait() implements Answer {}

    /**
     * There will be no more tasks.
     *
     * @param sleepers threads to be woken, which then call again
     */
    record NoMore(List<Integer> sleepers) implements Answer {}

    /** The answer to the addition of a task. */
    sealed interface Placed {}

    /** The task was added, and no thread was waiting. */
    record Kept() implements Placed {}

    /**
     * The task was added, and a thread was waiting.
     *
     * @param thread the thread to be woken
     */
    record Awaited(int thread) implements Placed {}

    /** The queue is full; the task was not added. */
    record Full() implements Placed {}

    Placed put(Band task);

    /**
     * @param thread the caller, which has no task
     */
    Answer take(int thread);
}
