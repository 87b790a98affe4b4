package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.IntArray;
import io.muninn.api.Verdict;
import io.muninn.apps.Pattern;
import java.util.Arrays;

/**
 * The input of QSORT, and the parameters of its division.
 *
 * @param size number of elements, at least 1
 * @param threshold most elements that a thread sorts without splitting, 1 to {@link #THRESHOLD_MAX}
 * @param tasks capacity of the queue, at least 1
 * @param seed seed of the elements
 */
record QsortProblem(int size, int threshold, int tasks, long seed) {
    /** Most elements of a message. */
    static final int THRESHOLD_MAX = 1 << 16;

    /** The whole array. */
    Band all() {
        return new Band(0, size);
    }

    void fill(IntArray array) {
        int[] elements = elements();
        array.copyFrom(0, elements, 0, size);
    }

    private int[] elements() {
        int[] elements = new int[size];
        for (int i = 0; i < size; i++) {
            elements[i] = (int) Pattern.mix(seed ^ Pattern.mix(i));
        }
        return elements;
    }

    /** Compares with the elements sorted by {@link Arrays#sort(int[])}. */
    Verdict verify(IntArray array) {
        int[] expected = elements();
        Arrays.sort(expected);
        for (int i = 0; i < size; i++) {
            int actual = array.get(i);
            if (actual != expected[i]) {
                return Verdict.wrong("element " + i + " is " + actual + ", not " + expected[i]);
            }
        }
        return Verdict.right(size + " elements are in order, and are those of the beginning");
    }
}
