package io.muninn.apps.qsort;

import io.muninn.api.Band;

/** Takes parts that any thread may sort. */
interface TaskSink {
    /**
     * Hands a part on.
     *
     * @return false if there is no room for it
     */
    boolean put(Band task);
}
