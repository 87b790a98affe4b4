package io.muninn.apps.qsort;

import io.muninn.api.Band;
import java.util.List;

/**
 * A task queue that is called from everywhere. It never makes a caller wait, for that would keep
 * others from calling: it says when to wait, and who is to be woken.
 *
 * <p>Threads are named by their position among all application threads.
 */
interface TaskQueue {
    /** The answer to a thread that asks for a task. */
    sealed interface Answer {}

    /** Sort this. */
    record Work(Band task) implements Answer {}

    /** Nothing now: wait to be woken, then ask again. */
    record Wait() implements Answer {}

    /**
     * There will be no more.
     *
     * @param sleepers threads to be woken, to hear so, too
     */
    record NoMore(List<Integer> sleepers) implements Answer {}

    /** The answer to a thread that adds a task. */
    sealed interface Placed {}

    /** It is in the queue, and no thread waited for it. */
    record Kept() implements Placed {}

    /**
     * It is in the queue.
     *
     * @param thread to be woken
     */
    record Awaited(int thread) implements Placed {}

    /** There is no room for it. */
    record Full() implements Placed {}

    Placed put(Band task);

    /**
     * @param thread that asks; it has no task now
     */
    Answer take(int thread);
}
