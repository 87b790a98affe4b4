package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.IntArray;
import java.util.function.LongConsumer;

/**
 * How a thread deals with a part: it splits it, hands the larger half on and goes on with the
 * smaller, until that is small enough to be sorted alone. A half for which the queue has no room is
 * sorted at once.
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

    /** Sorts a part, without the parts that it hands on. */
    void sort(Band task) {
        QsortKernel.sort(array, narrow(task), worked);
    }

    /** Splits a part and hands parts on; returns the rest, which is sorted alone. */
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

    /** Sorts all of a part. The smaller halves recur: no deeper than the size has bits. */
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
