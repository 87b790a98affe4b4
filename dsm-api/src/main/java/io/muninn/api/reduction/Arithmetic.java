package io.muninn.api.reduction;

import io.muninn.api.Reduction.Operator;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Combines elements as Java's operators and {@code Math.min} and {@code Math.max} do: integers wrap
 * around, a NaN makes the result NaN, and -0.0 is less than 0.0. Every NaN is the canonical one,
 * because hardware and compilers differ in which of two they keep.
 */
final class Arithmetic {
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final VarHandle FLOATS = view(float[].class);
    private static final VarHandle DOUBLES = view(double[].class);

    private Arithmetic() {}

    private static VarHandle view(Class<?> arrayType) {
        return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Combines arrays of equal length element by element.
     *
     * @param left takes the result
     */
    static void combine(Operator operator, Element element, byte[] left, byte[] right) {
        for (int at = 0; at < left.length; at += element.bytes()) {
            switch (element) {
                case INT ->
                        INTS.set(
                                left,
                                at,
                                ofInts(
                                        operator,
                                        (int) INTS.get(left, at),
                                        (int) INTS.get(right, at)));
                case LONG ->
                        LONGS.set(left, at, ofLongs(operator, longAt(left, at), longAt(right, at)));
                case FLOAT -> {
                    float result =
                            ofFloats(
                                    operator,
                                    (float) FLOATS.get(left, at),
                                    (float) FLOATS.get(right, at));
                    INTS.set(left, at, Float.floatToIntBits(result));
                }
                case DOUBLE -> {
                    double result = ofDoubles(operator, doubleAt(left, at), doubleAt(right, at));
                    LONGS.set(left, at, Double.doubleToLongBits(result));
                }
                case LONG_AT -> {
                    int order = Long.compare(longAt(left, at), longAt(right, at));
                    keepBetter(operator == Operator.MIN ? order : -order, left, right, at);
                }
                case DOUBLE_AT -> {
                    int order = order(operator, doubleAt(left, at), doubleAt(right, at));
                    keepBetter(order, left, right, at);
                }
                case OPAQUE -> throw new IllegalArgumentException("only applications combine it");
            }
        }
    }

    private static long longAt(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    private static double doubleAt(byte[] bytes, int at) {
        return (double) DOUBLES.get(bytes, at);
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

    /** Negative if the left one is the result, positive if the right one is; a NaN always is. */
    private static int order(Operator operator, double left, double right) {
        if (Double.isNaN(left) || Double.isNaN(right)) {
            return Boolean.compare(Double.isNaN(right), Double.isNaN(left));
        }
        int order = Double.compare(left, right);
        return operator == Operator.MIN ? order : -order;
    }

    /** Of two equal values the one with the lower index stays. */
    private static void keepBetter(int order, byte[] left, byte[] right, int at) {
        int index = at + Long.BYTES;
        boolean isRightFirst = order == 0 && longAt(right, index) < longAt(left, index);
        if (order > 0 || isRightFirst) {
            System.arraycopy(right, at, left, at, 2 * Long.BYTES);
        }
    }
}
