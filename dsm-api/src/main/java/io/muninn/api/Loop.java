package io.muninn.api;

import io.muninn.api.Reduction.Operator;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.ObjIntConsumer;

/**
 * A parallel loop: a body that all threads of all nodes run, each for its indices, when the
 * sequential part of a {@link LoopProgram} starts the loop. Loops are declared as fields of the
 * program, or as elements of arrays and lists that are fields, so every node knows them by name. A
 * body reads and stores the program's shared variables, and must not depend on other fields that
 * only the root sets. Values that change from run to run of the loop are its parameters: a record,
 * or any other type that shipped calls can pass.
 *
 * <pre>{@code
 * record Weights(double centre, double side) {}
 *
 * final Loop<Weights, None> relax = Loop.each(Weights.class, (w, row) -> relaxRow(w, row));
 * final Loop<None, Double> residual = Loop.max(row -> residualOf(row));
 * }</pre>
 *
 * @param <P> parameters; {@link None} if there are none
 * @param <T> result; {@link None} if there is none
 */
public final class Loop<P, T> {
    /** Runs a part and returns its result. */
    interface Body<P, T> {
        T run(P parameters, Part part);
    }

    /** Stores the sums of a scan for each index of a part. */
    interface Scan<P, T> {
        /**
         * @param before the sum of all values before the part; empty for the first part
         */
        void store(P parameters, Part part, Optional<T> before);
    }

    /** A body of two indices. */
    public interface Each2 {
        void accept(int row, int column);
    }

    /** A body of three indices. */
    public interface Each3 {
        void accept(int plane, int row, int column);
    }

    /** A body of parameters and two indices. */
    public interface EachWith2<P> {
        void accept(P parameters, int row, int column);
    }

    /** A body of parameters and three indices. */
    public interface EachWith3<P> {
        void accept(P parameters, int plane, int row, int column);
    }

    /** A function from two indices to a value. */
    public interface Value2 {
        double applyAsDouble(int row, int column);
    }

    /** A function from three indices to a value. */
    public interface Value3 {
        double applyAsDouble(int plane, int row, int column);
    }

    /** A function from parameters and an index to a value. */
    public interface ValueWith<P> {
        double applyAsDouble(P parameters, int index);
    }

    /** A function from parameters and an index to an integer. */
    public interface LongValueWith<P> {
        long applyAsLong(P parameters, int index);
    }

    /** Receives the sum of a scan for an index. */
    public interface Store {
        void accept(int index, double sum);
    }

    /** Receives the sum of a scan of integers for an index. */
    public interface LongStore {
        void accept(int index, long sum);
    }

    private static final int ANY_RANK = 0; // of a body that receives parts

    private final Class<P> parameters;
    private final Optional<Reduction<T>> reduction;
    private final Body<P, T> body;
    private final Optional<Scan<P, T>> scan; // runs after the body
    private final int rank; // number of indices, or any
    private final long units; // of work for an index

    private Loop(
            Class<P> parameters,
            Optional<Reduction<T>> reduction,
            Body<P, T> body,
            int rank,
            long units) {
        this(parameters, reduction, body, Optional.empty(), rank, units);
    }

    private Loop(
            Class<P> parameters,
            Optional<Reduction<T>> reduction,
            Body<P, T> body,
            Optional<Scan<P, T>> scan,
            int rank,
            long units) {
        this.parameters = Objects.requireNonNull(parameters, "a loop without a parameter type");
        this.reduction = reduction;
        this.body = body;
        this.scan = scan;
        this.rank = rank;
        this.units = units;
    }

    private static <P> Loop<P, None> each(int rank, Class<P> parameters, IndexCalls.Each<P> body) {
        return new Loop<>(parameters, Optional.empty(), IndexLoops.each(body), rank, 0);
    }

    /** Calls the body with each index. */
    public static Loop<None, None> each(IntConsumer body) {
        return each(1, None.class, IndexCalls.each(body));
    }

    /** Calls the body with each pair of indices of a {@link Domain}. */
    public static Loop<None, None> each(Each2 body) {
        return each(2, None.class, IndexCalls.each(body));
    }

    /** Calls the body with each triple of indices of a {@link Domain}. */
    public static Loop<None, None> each(Each3 body) {
        return each(3, None.class, IndexCalls.each(body));
    }

    /** Calls the body with the parameters and each index. */
    public static <P> Loop<P, None> each(Class<P> parameters, ObjIntConsumer<P> body) {
        return each(1, parameters, IndexCalls.eachWith(body));
    }

    /** Calls the body with the parameters and each pair of indices of a {@link Domain}. */
    public static <P> Loop<P, None> each(Class<P> parameters, EachWith2<P> body) {
        return each(2, parameters, IndexCalls.eachWith(body));
    }

    /** Calls the body with the parameters and each triple of indices of a {@link Domain}. */
    public static <P> Loop<P, None> each(Class<P> parameters, EachWith3<P> body) {
        return each(3, parameters, IndexCalls.eachWith(body));
    }

    /** Calls the body with the parameters and parts of the range. The body loops over the part. */
    public static <P> Loop<P, None> parts(Class<P> parameters, BiConsumer<P, Part> body) {
        Objects.requireNonNull(body, "the body of a loop is null");
        return new Loop<>(
                parameters,
                Optional.empty(),
                (values, part) -> {
                    body.accept(values, part);
                    return None.NONE;
                },
                ANY_RANK,
                0);
    }

    private static <P> Loop<P, Double> combined(
            Operator operator, int rank, Class<P> parameters, IndexCalls.Value<P> value) {
        Body<P, Double> body =
                switch (operator) {
                    case MIN -> IndexLoops.combined(Math::min, Double.POSITIVE_INFINITY, value);
                    case MAX -> IndexLoops.combined(Math::max, Double.NEGATIVE_INFINITY, value);
                    default -> IndexLoops.combined(Double::sum, 0, value);
                };
        return new Loop<>(parameters, Optional.of(Reduction.ofDouble(operator)), body, rank, 0);
    }

    private static <P> Loop<P, Long> combinedLongs(
            Operator operator, Class<P> parameters, IndexCalls.LongValue<P> value) {
        Body<P, Long> body =
                switch (operator) {
                    case MIN -> IndexLoops.combinedLongs(Math::min, Long.MAX_VALUE, value);
                    case MAX -> IndexLoops.combinedLongs(Math::max, Long.MIN_VALUE, value);
                    default -> IndexLoops.combinedLongs(Long::sum, 0, value);
                };
        return new Loop<>(parameters, Optional.of(Reduction.ofLong(operator)), body, 1, 0);
    }

    private static <P> Loop<P, DoubleAt> best(
            Operator operator, Class<P> parameters, IndexCalls.Value<P> value) {
        Body<P, DoubleAt> body = IndexLoops.best(operator == Operator.MIN, value);
        return new Loop<>(parameters, Optional.of(Reduction.ofDoubleAt(operator)), body, 1, 0);
    }

    private static <P> Loop<P, LongAt> bestLong(
            Operator operator, Class<P> parameters, IndexCalls.LongValue<P> value) {
        Body<P, LongAt> body = IndexLoops.bestLong(operator == Operator.MIN, value);
        return new Loop<>(parameters, Optional.of(Reduction.ofLongAt(operator)), body, 1, 0);
    }

    /** The sum of the values that the body returns; 0 for no index. */
    public static Loop<None, Double> sum(IntToDoubleFunction body) {
        return combined(Operator.SUM, 1, None.class, IndexCalls.value(body));
    }

    /** As {@link #sum(IntToDoubleFunction)}, over pairs of indices. */
    public static Loop<None, Double> sum(Value2 body) {
        return combined(Operator.SUM, 2, None.class, IndexCalls.value(body));
    }

    /** As {@link #sum(IntToDoubleFunction)}, over triples of indices. */
    public static Loop<None, Double> sum(Value3 body) {
        return combined(Operator.SUM, 3, None.class, IndexCalls.value(body));
    }

    /** As {@link #sum(IntToDoubleFunction)}, with parameters. */
    public static <P> Loop<P, Double> sum(Class<P> parameters, ValueWith<P> body) {
        return combined(Operator.SUM, 1, parameters, IndexCalls.valueWith(body));
    }

    /** The least value that the body returns for an index; positive infinity for none. */
    public static Loop<None, Double> min(IntToDoubleFunction body) {
        return combined(Operator.MIN, 1, None.class, IndexCalls.value(body));
    }

    /** As {@link #min(IntToDoubleFunction)}, over pairs of indices. */
    public static Loop<None, Double> min(Value2 body) {
        return combined(Operator.MIN, 2, None.class, IndexCalls.value(body));
    }

    /** As {@link #min(IntToDoubleFunction)}, over triples of indices. */
    public static Loop<None, Double> min(Value3 body) {
        return combined(Operator.MIN, 3, None.class, IndexCalls.value(body));
    }

    /** As {@link #min(IntToDoubleFunction)}, with parameters. */
    public static <P> Loop<P, Double> min(Class<P> parameters, ValueWith<P> body) {
        return combined(Operator.MIN, 1, parameters, IndexCalls.valueWith(body));
    }

    /** The largest value that the body returns for an index; negative infinity for none. */
    public static Loop<None, Double> max(IntToDoubleFunction body) {
        return combined(Operator.MAX, 1, None.class, IndexCalls.value(body));
    }

    /** As {@link #max(IntToDoubleFunction)}, over pairs of indices. */
    public static Loop<None, Double> max(Value2 body) {
        return combined(Operator.MAX, 2, None.class, IndexCalls.value(body));
    }

    /** As {@link #max(IntToDoubleFunction)}, over triples of indices. */
    public static Loop<None, Double> max(Value3 body) {
        return combined(Operator.MAX, 3, None.class, IndexCalls.value(body));
    }

    /** As {@link #max(IntToDoubleFunction)}, with parameters. */
    public static <P> Loop<P, Double> max(Class<P> parameters, ValueWith<P> body) {
        return combined(Operator.MAX, 1, parameters, IndexCalls.valueWith(body));
    }

    /** The sum of the integers that the body returns; it wraps around, and is 0 for no index. */
    public static Loop<None, Long> longSum(IntToLongFunction body) {
        return combinedLongs(Operator.SUM, None.class, IndexCalls.longValue(body));
    }

    /** As {@link #longSum(IntToLongFunction)}, with parameters. */
    public static <P> Loop<P, Long> longSum(Class<P> parameters, LongValueWith<P> body) {
        return combinedLongs(Operator.SUM, parameters, IndexCalls.longValueWith(body));
    }

    /** The least integer that the body returns for an index; {@code Long.MAX_VALUE} for none. */
    public static Loop<None, Long> longMin(IntToLongFunction body) {
        return combinedLongs(Operator.MIN, None.class, IndexCalls.longValue(body));
    }

    /** As {@link #longMin(IntToLongFunction)}, with parameters. */
    public static <P> Loop<P, Long> longMin(Class<P> parameters, LongValueWith<P> body) {
        return combinedLongs(Operator.MIN, parameters, IndexCalls.longValueWith(body));
    }

    /** The largest integer that the body returns for an index; {@code Long.MIN_VALUE} for none. */
    public static Loop<None, Long> longMax(IntToLongFunction body) {
        return combinedLongs(Operator.MAX, None.class, IndexCalls.longValue(body));
    }

    /** As {@link #longMax(IntToLongFunction)}, with parameters. */
    public static <P> Loop<P, Long> longMax(Class<P> parameters, LongValueWith<P> body) {
        return combinedLongs(Operator.MAX, parameters, IndexCalls.longValueWith(body));
    }

    /**
     * The least value that the body returns, and its index: the lowest one of equal values. A NaN
     * counts as the least. An empty domain has no result and is refused.
     */
    public static Loop<None, DoubleAt> argMin(IntToDoubleFunction body) {
        return best(Operator.MIN, None.class, IndexCalls.value(body));
    }

    /** As {@link #argMin(IntToDoubleFunction)}, with parameters. */
    public static <P> Loop<P, DoubleAt> argMin(Class<P> parameters, ValueWith<P> body) {
        return best(Operator.MIN, parameters, IndexCalls.valueWith(body));
    }

    /**
     * The largest value that the body returns, and its index: the lowest one of equal values. A NaN
     * counts as the largest. An empty domain has no result and is refused.
     */
    public static Loop<None, DoubleAt> argMax(IntToDoubleFunction body) {
        return best(Operator.MAX, None.class, IndexCalls.value(body));
    }

    /** As {@link #argMax(IntToDoubleFunction)}, with parameters. */
    public static <P> Loop<P, DoubleAt> argMax(Class<P> parameters, ValueWith<P> body) {
        return best(Operator.MAX, parameters, IndexCalls.valueWith(body));
    }

    /** As {@link #argMin(IntToDoubleFunction)}, of integers. */
    public static Loop<None, LongAt> longArgMin(IntToLongFunction body) {
        return bestLong(Operator.MIN, None.class, IndexCalls.longValue(body));
    }

    /** As {@link #longArgMin(IntToLongFunction)}, with parameters. */
    public static <P> Loop<P, LongAt> longArgMin(Class<P> parameters, LongValueWith<P> body) {
        return bestLong(Operator.MIN, parameters, IndexCalls.longValueWith(body));
    }

    /** As {@link #argMax(IntToDoubleFunction)}, of integers. */
    public static Loop<None, LongAt> longArgMax(IntToLongFunction body) {
        return bestLong(Operator.MAX, None.class, IndexCalls.longValue(body));
    }

    /** As {@link #longArgMax(IntToLongFunction)}, with parameters. */
    public static <P> Loop<P, LongAt> longArgMax(Class<P> parameters, LongValueWith<P> body) {
        return bestLong(Operator.MAX, parameters, IndexCalls.longValueWith(body));
    }

    /**
     * An exclusive scan: stores for each index the sum of the values of all indices before it, from
     * the beginning of the range. {@link Team#reduce} runs it and returns the sum of all values.
     *
     * <pre>{@code
     * final Loop<None, Long> scan =
     *         Loop.longExclusiveScan(i -> counts.get(i), (i, before) -> starts.set(i, before));
     * }</pre>
     *
     * <p><b>Order.</b> The loop has two rounds. The first reads each value. The second reads each
     * value again and stores the sum of its index. So values must not depend on elements stored for
     * other indices; the sums may replace them. Sums of doubles are rounded the same under every
     * schedule, on any number of nodes and threads.
     *
     * <p><b>Cost.</b> That of two loops.
     *
     * @param value of an index
     * @param store receives the sum for an index
     */
    public static Loop<None, Double> exclusiveScan(IntToDoubleFunction value, Store store) {
        return scan(false, value, store);
    }

    /** As {@link #exclusiveScan}; the sum for an index contains its own value. */
    public static Loop<None, Double> inclusiveScan(IntToDoubleFunction value, Store store) {
        return scan(true, value, store);
    }

    /** As {@link #exclusiveScan}, of integers, which wrap around. */
    public static Loop<None, Long> longExclusiveScan(IntToLongFunction value, LongStore store) {
        return longScan(false, value, store);
    }

    /** As {@link #inclusiveScan}, of integers, which wrap around. */
    public static Loop<None, Long> longInclusiveScan(IntToLongFunction value, LongStore store) {
        return longScan(true, value, store);
    }

    private static Loop<None, Double> scan(
            boolean isInclusive, IntToDoubleFunction function, Store store) {
        IndexCalls.Value<None> value = IndexCalls.value(function);
        return new Loop<>(
                None.class,
                Optional.of(Reduction.ofDouble(Operator.SUM)),
                IndexLoops.combined(Double::sum, 0, value),
                Optional.of(IndexLoops.scan(isInclusive, value, store)),
                1,
                0);
    }

    private static Loop<None, Long> longScan(
            boolean isInclusive, IntToLongFunction function, LongStore store) {
        IndexCalls.LongValue<None> value = IndexCalls.longValue(function);
        return new Loop<>(
                None.class,
                Optional.of(Reduction.ofLong(Operator.SUM)),
                IndexLoops.combinedLongs(Long::sum, 0, value),
                Optional.of(IndexLoops.longScan(isInclusive, value, store)),
                1,
                0);
    }

    /** Combines the values of parts by a reduction, in order of index. */
    public static <P, T> Loop<P, T> reduce(
            Reduction<T> reduction, Class<P> parameters, BiFunction<P, Part, T> body) {
        return new Loop<>(parameters, Optional.of(reduction), body::apply, ANY_RANK, 0);
    }

    /**
     * The same loop, which charges {@code unitsEach} units of {@link DsmNode#work} for each index;
     * a scan, in each of its rounds. A body of parts can itself charge an amount that differs
     * between indices.
     *
     * @throws IllegalArgumentException if {@code unitsEach} is negative
     */
    public Loop<P, T> charging(long unitsEach) {
        if (unitsEach < 0) {
            throw new IllegalArgumentException("loop that charges " + unitsEach + " units");
        }
        return new Loop<>(parameters, reduction, body, scan, rank, unitsEach);
    }

    /** Type of the parameters. */
    public Class<P> parameters() {
        return parameters;
    }

    /** Number of indices that the body is called with; 0 if it receives parts. */
    public int rank() {
        return rank;
    }

    /** Combines the values of parts; empty for a loop without a result. */
    public Optional<Reduction<T>> reduction() {
        return reduction;
    }

    /** True if sums are stored after the body has run, see {@link #store}. */
    public boolean isScan() {
        return scan.isPresent();
    }

    /**
     * Runs a part in the calling thread, for the teams of this API.
     *
     * @throws ThrownAt if the body threw at a known index
     */
    public T run(P values, Part part) {
        T result = body.run(values, part);
        charge(part);
        return result;
    }

    /**
     * Stores the sums of a part in the calling thread, for the teams of this API.
     *
     * @param before the sum of all values before the part; empty for the first part
     * @throws ThrownAt if the body threw at a known index
     */
    public void store(P values, Part part, Optional<T> before) {
        scan.orElseThrow().store(values, part, before);
        charge(part);
    }

    private void charge(Part part) {
        if (units > 0) {
            part.node().work(units * part.range().length());
        }
    }

    /** Carries the exception of a body, and its index, to the team. */
    public static final class ThrownAt extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int index;

        /**
         * @param index the position in the domain
         */
        ThrownAt(int index, Throwable cause) {
            super(null, cause, false, false); // the toString of a cause may throw
            this.index = index;
        }

        /** The position of the index that the body was called with. */
        public int index() {
            return index;
        }
    }
}
