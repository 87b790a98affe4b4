package io.muninn.apps.qsort;

import io.muninn.api.Band;

/** Where parts go that are to be sorted by whoever has time. */
interface TaskSink {
    /**
     * Hands a part on.
     *
     * @return false if there is no room for it
     */
    boolean put(Band task);
}
