package io.muninn.apps.radix;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import java.util.Arrays;
import java.util.Locale;

/** RADIX on one thread, and the verification of the sorted keys. */
final class RadixSequential {
    private RadixSequential() {}

    static double[] sort(RadixDigits digits, DsmNode node) {
        int[] keys = input(digits);
        for (int pass = 0; pass < digits.passes(); pass++) {
            int[] places = digits.places(digits.count(keys, pass), 0);
            int[] moved = new int[keys.length];
            for (int key : keys) {
                moved[places[digits.digit(key, pass)]++] = key;
            }
            keys = moved;
            node.work((long) (RadixDigits.COUNT_UNITS + RadixDigits.MOVE_UNITS) * keys.length);
        }
        return numbers(keys);
    }

    private static int[] input(RadixDigits digits) {
        int[] keys = new int[digits.keys()];
        Arrays.setAll(keys, digits::input);
        return keys;
    }

    /** Converts keys to the results of a version. */
    static double[] numbers(int[] keys) {
        return Arrays.stream(keys).asDoubleStream().toArray();
    }

    /** Compares with the keys sorted by the library. */
    static Verdict verify(RadixDigits digits, double[] results) {
        int[] expected = input(digits);
        Arrays.sort(expected);
        int wrong = Arrays.mismatch(results, numbers(expected));
        return wrong < 0
                ? Verdict.right(
                        digits.keys() + " keys are in order, and are those of the beginning")
                : Verdict.wrong(
                        wrong == results.length
                                ? "there are only " + wrong + " keys"
                                : String.format(
                                        Locale.ROOT,
                                        "key %d is %.0f, not %d",
                                        wrong,
                                        results[wrong],
                                        expected[wrong]));
    }
}
