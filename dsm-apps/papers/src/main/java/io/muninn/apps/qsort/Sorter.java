package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.IntArray;
import java.util.function.LongConsumer;

/**
 * Sorts a part: splits it, puts the larger half into the queue and continues with the smaller one,
 * until that is small enough to be sorted without splitting. If the queue is full, the larger half
 * is sorted at once.
 *
 * <p><b>Threads.</b> One at a time.
 */
final class Sorter {
    private final IntArray array;
    private final int threshold;
    private final TaskSink tasks;
    private final LongConsumer worked;

    Sorter(IntArray array, int threshold, TaskSink tasks, LongConsumer worked) {
        this.array = array;
        this.threshold = threshold;
        this.tasks = tasks;
        this.worked = worked;
    }

    /** Sorts a part, except the parts that it puts into the queue. */
    void sort(Band task) {
        QsortKernel.sort(array, narrow(task), worked);
    }

    /** Splits a part and puts halves into the queue; returns the rest, which is small. */
    Band narrow(Band task) {
        Band rest = task;
        while (rest.length() > threshold) {
            QsortKernel.Parts parts = QsortKernel.split(array, rest, worked);
            Band larger = parts.larger();
            if (!larger.isEmpty() && !tasks.put(larger)) {
                sortAlone(larger);
            }
            rest = parts.smaller();
        }
        return rest;
    }

    /**
     * Sorts a whole part. Recurs for the smaller half only, so the depth is at most the number of
     * bits of the length.
     */
    private void sortAlone(Band part) {
        Band rest = part;
        while (rest.length() > threshold) {
            QsortKernel.Parts parts = QsortKernel.split(array, rest, worked);
            sortAlone(parts.smaller());
            rest = parts.larger();
        }
        QsortKernel.sort(array, rest, worked);
    }
}
