package io.muninn.apps.radix;

import io.muninn.api.Band;
import io.muninn.apps.Pattern;

/**
 * The operations of all versions of RADIX on the digits of keys. In each pass, from the lowest
 * digit to the highest, every thread counts the digits of its share of the keys. The counts of all
 * threads determine the places of its keys, to which it then moves them. The order of keys with
 * equal digits does not change; keys of threads are in order of position.
 *
 * <p>Source: Blelloch, Leiserson, Maggs, Plaxton, Smith and Zagha, "A Comparison of Sorting
 * Algorithms for the Connection Machine CM-2", SPAA 1991, section 4.
 *
 * @param keys number of keys, at least 1
 * @param limit keys are from 0 to {@code limit - 1}; at least 1
 * @param digitBits bits of a digit, at least 1
 */
record RadixDigits(int keys, int limit, int digitBits) {
    /** Simple operations to count a key. */
    static final int COUNT_UNITS = 2;

    /** Simple operations to move a key. */
    static final int MOVE_UNITS = 3;

    private static final long SEED = 41;

    /** Number of values of a digit. */
    int radix() {
        return 1 << digitBits;
    }

    /** Number of digits of a key, at least 1. */
    int passes() {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(limit - 1);
        return Math.max(1, (bits + digitBits - 1) / digitBits);
    }

    /** The digit of a key by which a pass sorts; pass 0 uses the lowest. */
    int digit(int key, int pass) {
        return key >>> pass * digitBits & radix() - 1;
    }

    /** A key before it is sorted. */
    int input(int index) {
        return (int) Long.remainderUnsigned(Pattern.mix(SEED + Pattern.mix(index)), limit);
    }

    /** The keys of a thread. */
    Band band(int position, int positions) {
        return Band.of(keys, position, positions);
    }

    /** The number of occurrences of each digit. */
    int[] count(int[] some, int pass) {
        int[] counts = new int[radix()];
        for (int key : some) {
            counts[digit(key, pass)]++;
        }
        return counts;
    }

    /**
     * For each digit, the place of a thread's first key with that digit.
     *
     * @param counts counts of all threads, in order of position
     */
    int[] places(int[] counts, int position) {
        int radix = radix();
        int[] places = new int[radix];
        int before = 0;
        for (int digit = 0; digit < radix; digit++) {
            for (int i = 0; i < counts.length / radix; i++) {
                if (i == position) {
                    places[digit] = before;
                }
                before += counts[i * radix + digit];
            }
        }
        return places;
    }
}
