package io.muninn.apps;

import io.muninn.api.Verdict;
import java.util.Locale;

/** Results of a program and of another way to them, which are equal but for rounding. */
public final class NearEqual {
    /** How far they may be apart, as a part of the size of what was added up. */
    private static final double ROUNDING = 1e-11;

    private NearEqual() {}

    /**
     * @param what the subject of a sentence
     * @param scale of the numbers from which both were computed
     */
    public static Verdict verdict(String what, double actual, double expected, double scale) {
        return isNear(actual, expected, scale)
                ? Verdict.right(what + " is right")
                : Verdict.wrong(
                        String.format(
                                Locale.ROOT, "%s is %.17g, not %.17g", what, actual, expected));
    }

    /**
     * @param what the elements are, the subject of a sentence
     * @param from the first element of {@code actual} that is compared
     * @param expected as many as are compared
     * @param scale of the numbers from which both were computed
     */
    public static Verdict verdict(
            String what, double[] actual, int from, double[] expected, double scale) {
        for (int i = 0; i < expected.length; i++) {
            if (!isNear(actual[from + i], expected[i], scale)) {
                return verdict(what + ": element " + i, actual[from + i], expected[i], scale);
            }
        }
        return Verdict.right(what + " is right");
    }

    /** Not if either is no number. */
    private static boolean isNear(double actual, double expected, double scale) {
        return Math.abs(actual - expected) <= ROUNDING * scale;
    }
}
