package io.muninn.apps.qsort;

import io.muninn.api.Band;

/** Accepts parts that any thread may sort. */
interface TaskSink {
    /**
     * Adds a part.
     *
     * @return false if the queue is full
     */
    boolean put(Band task);
}
