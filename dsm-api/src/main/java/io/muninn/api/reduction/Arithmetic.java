package io.muninn.api.reduction;

import io.muninn.api.Reduction.Operator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Combines elements as Java's operators and {@code Math.min} and {@code Math.max} do: integers wrap
 * around, a NaN makes the result NaN, and -0.0 is less than 0.0. Every NaN is replaced by the
 * canonical one, because hardware and compilers differ in which of two NaNs they keep.
 */
final class Arithmetic {
    private static final int PAIR = 2; // a value and its index

    private Arithmetic() {}

    /**
     * Combines arrays of equal length element by element, from left to right.
     *
     * @param inOrder one at least
     */
    static byte[] combined(Operator operator, Element element, List<byte[]> inOrder) {
        return switch (element) {
            case INT -> fold(Values.INTS, inOrder, (left, right) -> ints(operator, left, right));
            case LONG -> fold(Values.LONGS, inOrder, (left, right) -> longs(operator, left, right));
            case FLOAT ->
                    fold(Values.FLOATS, inOrder, (left, right) -> floats(operator, left, right));
            case DOUBLE ->
                    fold(Values.DOUBLES, inOrder, (left, right) -> doubles(operator, left, right));
            case LONG_AT ->
                    fold(Values.LONGS, inOrder, (left, right) -> longsAt(operator, left, right));
            case DOUBLE_AT ->
                    fold(Values.LONGS, inOrder, (left, right) -> doublesAt(operator, left, right));
            case OPAQUE -> throw new IllegalArgumentException("only applications combine it");
        };
    }

    /**
     * Uses arrays of numbers: loops over them are fast also in code that is little optimized, as in
     * agents.
     */
    private static <A> byte[] fold(Values<A> arrays, List<byte[]> inOrder, BiConsumer<A, A> step) {
        A left = arrays.read(inOrder.getFirst());
        for (byte[] right : inOrder.subList(1, inOrder.size())) {
            step.accept(left, arrays.read(right));
        }
        return arrays.write(left, Integer.MAX_VALUE);
    }

    private static void ints(Operator operator, int[] left, int[] right) {
        for (int i = 0; i < left.length; i++) {
            left[i] = ofInts(operator, left[i], right[i]);
        }
    }

    private static void longs(Operator operator, long[] left, long[] right) {
        for (int i = 0; i < left.length; i++) {
            left[i] = ofLongs(operator, left[i], right[i]);
        }
    }

    private static void floats(Operator operator, float[] left, float[] right) {
        for (int i = 0; i < left.length; i++) {
            left[i] = ofFloats(operator, left[i], right[i]);
        }
    }

    private static void doubles(Operator operator, double[] left, double[] right) {
        for (int i = 0; i < left.length; i++) {
            left[i] = ofDoubles(operator, left[i], right[i]);
        }
    }

    private static void longsAt(Operator operator, long[] left, long[] right) {
        for (int i = 0; i < left.length; i += PAIR) {
            int order = Long.compare(left[i], right[i]);
            keepBetter(operator == Operator.MIN ? order : -order, left, right, i);
        }
    }

    private static void doublesAt(Operator operator, long[] left, long[] right) {
        for (int i = 0; i < left.length; i += PAIR) {
            double mine = Double.longBitsToDouble(left[i]);
            double other = Double.longBitsToDouble(right[i]);
            keepBetter(order(operator, mine, other), left, right, i);
        }
    }

    private static int ofInts(Operator operator, int left, int right) {
        return switch (operator) {
            case SUM -> left + right;
            case PRODUCT -> left * right;
            case MIN -> Math.min(left, right);
            case MAX -> Math.max(left, right);
            case AND -> left & right;
            case OR -> left | right;
            case XOR -> left ^ right;
        };
    }

    private static long ofLongs(Operator operator, long left, long right) {
        return switch (operator) {
            case SUM -> left + right;
            case PRODUCT -> left * right;
            case MIN -> Math.min(left, right);
            case MAX -> Math.max(left, right);
            case AND -> left & right;
            case OR -> left | right;
            case XOR -> left ^ right;
        };
    }

    private static float ofFloats(Operator operator, float left, float right) {
        return switch (operator) {
            case SUM -> left + right;
            case PRODUCT -> left * right;
            case MIN -> Math.min(left, right);
            case MAX -> Math.max(left, right);
            case AND, OR, XOR -> throw new IllegalArgumentException(operator + " of float");
        };
    }

    private static double ofDoubles(Operator operator, double left, double right) {
        return switch (operator) {
            case SUM -> left + right;
            case PRODUCT -> left * right;
            case MIN -> Math.min(left, right);
            case MAX -> Math.max(left, right);
            case AND, OR, XOR -> throw new IllegalArgumentException(operator + " of double");
        };
    }

    /**
     * Negative if the left value is the result, positive if the right one is. A NaN is always the
     * result.
     */
    private static int order(Operator operator, double left, double right) {
        if (Double.isNaN(left) || Double.isNaN(right)) {
            return Boolean.compare(Double.isNaN(right), Double.isNaN(left));
        }
        int order = Double.compare(left, right);
        return operator == Operator.MIN ? order : -order;
    }

    /** Keeps the better pair in {@code left}; of two equal values, the one with the lower index. */
    private static void keepBetter(int order, long[] left, long[] right, int at) {
        boolean isRightFirst = order == 0 && right[at + 1] < left[at + 1];
        if (order > 0 || isRightFirst) {
            System.arraycopy(right, at, left, at, PAIR);
        }
    }
}
