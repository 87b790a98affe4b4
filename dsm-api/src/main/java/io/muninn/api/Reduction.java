package io.muninn.api;

import io.muninn.api.reduction.Combination;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Element;
import io.muninn.api.reduction.Round;
import io.muninn.api.reduction.Values;
import io.muninn.api.shipping.ValueCoder;
import io.muninn.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * Combines one contribution of each party of a barrier to a result, which all of them receive:
 * {@link DsmBarrier#await(Reduction, Object)}. Contributions are carried by the messages of the
 * barrier; a reduction costs no message, no lock and no page. An array of more than {@link
 * #BYTES_MAX} is combined in several consecutive rounds of the barrier.
 *
 * <pre>{@code
 * static final Reduction<double[]> SUMS = Reduction.ofDoubles(Operator.SUM);
 *
 * double[] sums = barrier.await(SUMS, mine);
 * }</pre>
 *
 * <p><b>Order.</b> Contributions are combined from left to right: first those of each node, with
 * all its processes, in order of position, then the results of the nodes. So two runs give the same
 * bits, regardless of the order of arrival. The rounding of a floating-point sum still depends on
 * the number of threads per node; a {@link #reproducible} reduction depends on the contributions
 * and their positions only.
 *
 * <p><b>Arithmetic.</b> As in Java: integers wrap around; a minimum or maximum with a NaN is NaN,
 * and -0.0 is less than 0.0. Every NaN of a result is {@code Double.NaN} or {@code Float.NaN}.
 * Arrays are combined element by element; they may be empty.
 *
 * <p><b>Threads.</b> Any; immutable.
 *
 * @param <T> of a contribution and of the result
 */
public final class Reduction<T> {
    /** The operators that every node can apply without the application. */
    public enum Operator {
        /** Integers wrap around; floating-point numbers are added in a fixed order. */
        SUM,
        /** Integers wrap around; floating-point numbers are multiplied in a fixed order. */
        PRODUCT,
        /** The least. A NaN makes the result NaN, and -0.0 is less than 0.0. */
        MIN,
        /** The greatest. A NaN makes the result NaN, and -0.0 is less than 0.0. */
        MAX,
        /** Of integers, bit by bit. */
        AND,
        /** Of integers, bit by bit. */
        OR,
        /** Of integers, bit by bit. */
        XOR
    }

    /**
     * Largest contribution that is sent in one message: 64 KiB, 8192 doubles. A longer array is
     * combined in pieces of this size, each in a round of its own.
     */
    public static final int BYTES_MAX = 64 << 10;

    /** Largest array that the built-in operators combine: 16 MiB. */
    public static final int ARRAY_BYTES_MAX = 16 << 20;

    /**
     * Largest sum of all contributions to a reduction by an operator of the program, which every
     * node receives: 4 MiB.
     */
    public static final int ALL_BYTES_MAX = 4 << 20;

    /** The barrier of {@link DsmNode#reduce}. */
    static final String BARRIER = "muninn.reduction";

    static final Reduction<Double> SUM_OF_DOUBLE = ofDouble(Operator.SUM);
    static final Reduction<Double> MAX_OF_DOUBLE = ofDouble(Operator.MAX);
    static final Reduction<Long> SUM_OF_LONG = ofLong(Operator.SUM);

    private final Combination combination;
    private final Values<T> values;
    private final Optional<BinaryOperator<T>> own;

    private Reduction(Combination combination, Values<T> values, Optional<BinaryOperator<T>> own) {
        this.combination = combination;
        this.values = values;
        this.own = own;
    }

    private static <T> Reduction<T> of(
            Operator operator, Element element, boolean isArray, Values<T> values) {
        return new Reduction<>(
                Combination.of(operator, element, isArray), values, Optional.empty());
    }

    public static Reduction<Integer> ofInt(Operator operator) {
        return of(operator, Element.INT, false, Values.INT);
    }

    public static Reduction<Long> ofLong(Operator operator) {
        return of(operator, Element.LONG, false, Values.LONG);
    }

    /**
     * @throws IllegalArgumentException if the operator is one of bits
     */
    public static Reduction<Float> ofFloat(Operator operator) {
        return of(operator, Element.FLOAT, false, Values.FLOAT);
    }

    /**
     * @throws IllegalArgumentException if the operator is one of bits
     */
    public static Reduction<Double> ofDouble(Operator operator) {
        return of(operator, Element.DOUBLE, false, Values.DOUBLE);
    }

    /** Of arrays of equal length, element by element. */
    public static Reduction<int[]> ofInts(Operator operator) {
        return of(operator, Element.INT, true, Values.INTS);
    }

    /** Of arrays of equal length, element by element. */
    public static Reduction<long[]> ofLongs(Operator operator) {
        return of(operator, Element.LONG, true, Values.LONGS);
    }

    /**
     * Of arrays of equal length, element by element.
     *
     * @throws IllegalArgumentException if the operator is one of bits
     */
    public static Reduction<float[]> ofFloats(Operator operator) {
        return of(operator, Element.FLOAT, true, Values.FLOATS);
    }

    /**
     * Of arrays of equal length, element by element.
     *
     * @throws IllegalArgumentException if the operator is one of bits
     */
    public static Reduction<double[]> ofDoubles(Operator operator) {
        return of(operator, Element.DOUBLE, true, Values.DOUBLES);
    }

    /**
     * The least or greatest value and its index: of equal values the one with the lowest index.
     *
     * @param operator {@link Operator#MIN} or {@link Operator#MAX}
     * @throws IllegalArgumentException if it is another
     */
    public static Reduction<LongAt> ofLongAt(Operator operator) {
        return of(operator, Element.LONG_AT, false, Values.LONG_AT);
    }

    /**
     * The least or greatest value and its index: of equal values the one with the lowest index. A
     * NaN is both least and greatest.
     *
     * @param operator {@link Operator#MIN} or {@link Operator#MAX}
     * @throws IllegalArgumentException if it is another
     */
    public static Reduction<DoubleAt> ofDoubleAt(Operator operator) {
        return of(operator, Element.DOUBLE_AT, false, Values.DOUBLE_AT);
    }

    /**
     * A reduction by an associative operator of the program. The application combines: every node
     * receives all contributions, and every party combines them from left to right in order of
     * position. So the result is reproducible, and costs as many bytes per node as there are
     * contributions. The operator may change and return its left argument. An exception of the
     * operator is thrown to each party, and the barrier stays whole.
     *
     * @param name identifies the reduction: parties that arrive with different names cause an error
     * @param type of the contributions: a type that {@link DsmNode#shipped} permits as an argument
     * @throws IllegalArgumentException if the name is invalid, see {@link DsmNode}, or if values of
     *     the type cannot be shipped
     */
    public static <T> Reduction<T> of(String name, Class<T> type, BinaryOperator<T> operator) {
        Names.check("reduction", name);
        return new Reduction<>(
                Combination.ofApplication(name + " of " + type.getSimpleName()),
                Values.of(ValueCoder.of(type)),
                Optional.of(operator));
    }

    /**
     * The same reduction with contributions combined from left to right in order of position,
     * regardless of their nodes: four threads give the same bits on one node, on two, and on four.
     * A node then sends the contributions of its threads separately.
     */
    public Reduction<T> reproducible() {
        return new Reduction<>(combination.flat(), values, own);
    }

    /** True if the operator is one of the program's. */
    public boolean isOfProgram() {
        return own.isPresent();
    }

    /** True if a contribution is one number, with or without an index. */
    public boolean isOfNumbers() {
        return own.isEmpty() && !combination.isArray();
    }

    /**
     * The encoded contribution, in pieces for the rounds of a barrier of this API.
     *
     * @throws RuntimeException as {@link #encode}
     */
    public List<byte[]> pieces(T value, int parties) {
        Contribution whole = contribution(value, parties);
        return whole.pieces(BYTES_MAX).stream().map(Contribution::encode).toList();
    }

    /**
     * The encoded contribution, for the barriers of this API.
     *
     * @param parties of the barrier
     * @throws IllegalArgumentException if it is larger than permitted, naming both sizes
     * @throws NullPointerException if it is null, and not for an operator of the program
     */
    public byte[] encode(T value, int parties) {
        return contribution(value, parties).encode();
    }

    private Contribution contribution(T value, int parties) {
        if (own.isEmpty()) {
            Objects.requireNonNull(value, () -> "a contribution to '" + this + "' is null");
        }
        int most =
                own.isPresent()
                        ? Math.min(BYTES_MAX, ALL_BYTES_MAX / parties)
                        : combination.isArray() ? ARRAY_BYTES_MAX : BYTES_MAX;
        return new Contribution(combination, values.write(value, most));
    }

    /**
     * The result for one party, from the encoded result of the barrier, for the barriers of this
     * API.
     */
    public T decode(byte[] result) {
        List<T> all = values(result);
        T combined = all.getFirst();
        for (T next : all.subList(1, all.size())) {
            combined = combined(combined, next);
        }
        return combined;
    }

    /**
     * The values of the encoded result, for the teams of this API: one value, or in order of
     * position those that the program's operator combines.
     */
    public List<T> values(byte[] result) {
        List<T> all = new ArrayList<>(); // a contribution to an operator of the program may be null
        Round.values(result).forEach(bytes -> all.add(values.read(bytes)));
        return all;
    }

    /** Combines two of several {@link #values} by the operator of the program. */
    public T combined(T left, T right) {
        return own.orElseThrow().apply(left, right);
    }

    /** As messages name the reduction, such as {@code sum of double[]}. */
    @Override
    public String toString() {
        return combination.text();
    }
}
