package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.IntArray;
import java.util.function.LongConsumer;

/**
 * The inner loops of all versions of QSORT: splits or sorts a part in place.
 *
 * <p>One unit of work is one comparison of elements.
 *
 * <p>Munin §6.4 sorts small parts sequentially but does not name the algorithm. Bubble sort, as in
 * the QSORT of later systems, gives similar running times: 256K elements in parts of up to 1024
 * take about 90 million comparisons.
 */
final class QsortKernel {
    private QsortKernel() {}

    /**
     * Two parts that are still to be sorted. The elements between and after them are in place.
     *
     * @param lower may be empty
     * @param upper every element is greater than every element of {@code lower}; may be empty
     */
    record Parts(Band lower, Band upper) {
        Band smaller() {
            return lower.length() < upper.length() ? lower : upper;
        }

        Band larger() {
            return lower.length() < upper.length() ? upper : lower;
        }
    }

    /**
     * Splits a part at the median of its first, middle and last element. Both results are always
     * smaller than the part.
     *
     * @param part at least one element
     */
    static Parts split(IntArray array, Band part, LongConsumer worked) {
        int first = array.get(part.from());
        int middle = array.get(part.from() + part.length() / 2);
        int last = array.get(part.to() - 1);
        int low = Math.min(first, middle);
        int high = Math.max(first, middle);
        int pivot = Math.max(low, Math.min(high, last));
        int border = moveDown(array, part, pivot);
        worked.accept(part.length());
        if (border < part.to()) {
            return new Parts(new Band(part.from(), border), new Band(border, part.to()));
        }
        // no element exceeds the pivot: those equal to it are in place at the end
        if (pivot > Integer.MIN_VALUE) {
            border = moveDown(array, part, pivot - 1);
            worked.accept(part.length());
        } else {
            border = part.from();
        }
        return new Parts(new Band(part.from(), border), new Band(part.to(), part.to()));
    }

    /** Moves the elements that are at most {@code pivot} to the front; returns the end of these. */
    private static int moveDown(IntArray array, Band part, int pivot) {
        int low = part.from();
        int high = part.to();
        while (true) {
            while (low < high && array.get(low) <= pivot) {
                low++;
            }
            while (low < high && array.get(high - 1) > pivot) {
                high--;
            }
            if (low == high) {
                return low;
            }
            high--;
            int greater = array.get(low);
            array.set(low, array.get(high));
            array.set(high, greater);
            low++;
        }
    }

    /** Sorts a part by bubble sort. */
    static void sort(IntArray array, Band part, LongConsumer worked) {
        int end = part.to(); // elements from here on are in place
        while (end - part.from() > 1) {
            int swapped = sweep(array, part.from(), end);
            worked.accept(end - part.from() - 1L);
            end = swapped;
        }
    }

    /** Performs one sweep of bubble sort; returns the index of the last swap. */
    private static int sweep(IntArray array, int from, int end) {
        int swapped = from;
        int left = array.get(from);
        for (int i = from + 1; i < end; i++) {
            int right = array.get(i);
            if (left > right) {
                array.set(i - 1, right);
                array.set(i, left);
                swapped = i;
            } else {
                left = right;
            }
        }
        return swapped;
    }
}
