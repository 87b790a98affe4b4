package io.muninn.api;

import io.muninn.api.Reduction.Operator;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.function.ObjIntConsumer;

/**
 * A parallel loop: a body that all threads of all nodes run, each for its indices, when the
 * sequential part of a {@link LoopProgram} says so. Loops are declared as fields of the program, so
 * every node knows them by name; a body reads and stores the program's shared variables, and must
 * not depend on other fields that only the root sets. Values that change from run to run of the
 * loop are its parameters: a record, or any other type that shipped calls can pass.
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
    /** Runs a part and returns what comes of it. */
    interface Body<P, T> {
        T run(P parameters, Part part);
    }

    private final Class<P> parameters;
    private final Optional<Reduction<T>> reduction;
    private final Body<P, T> body;
    private final long units; // of work for an index

    private Loop(Class<P> parameters, Optional<Reduction<T>> reduction, Body<P, T> body) {
        this(parameters, reduction, body, 0);
    }

    private Loop(
            Class<P> parameters, Optional<Reduction<T>> reduction, Body<P, T> body, long units) {
        this.parameters = parameters;
        this.reduction = reduction;
        this.body = body;
        this.units = units;
    }

    /** Calls the body with each index. */
    public static Loop<None, None> each(IntConsumer body) {
        return new Loop<>(None.class, Optional.empty(), IndexLoops.each(body));
    }

    /** Calls the body with the parameters and each index. */
    public static <P> Loop<P, None> each(Class<P> parameters, ObjIntConsumer<P> body) {
        return new Loop<>(parameters, Optional.empty(), IndexLoops.each(body));
    }

    /** Calls the body with the parameters and parts of the range. The body loops over the part. */
    public static <P> Loop<P, None> parts(Class<P> parameters, BiConsumer<P, Part> body) {
        return new Loop<>(
                parameters,
                Optional.empty(),
                (values, part) -> {
                    body.accept(values, part);
                    return None.NONE;
                });
    }

    /** The sum of what the body returns for each index; 0 for none. */
    public static Loop<None, Double> sum(IntToDoubleFunction body) {
        return ofDouble(Operator.SUM, IndexLoops.combined(Double::sum, 0, body));
    }

    /** The largest value that the body returns for an index; negative infinity for none. */
    public static Loop<None, Double> max(IntToDoubleFunction body) {
        return ofDouble(
                Operator.MAX, IndexLoops.combined(Math::max, Double.NEGATIVE_INFINITY, body));
    }

    private static Loop<None, Double> ofDouble(Operator operator, Body<None, Double> body) {
        return new Loop<>(None.class, Optional.of(Reduction.ofDouble(operator)), body);
    }

    /** What the reduction makes of the values of parts, in order of index. */
    public static <P, T> Loop<P, T> reduce(
            Reduction<T> reduction, Class<P> parameters, BiFunction<P, Part, T> body) {
        return new Loop<>(parameters, Optional.of(reduction), body::apply);
    }

    /**
     * The same loop, which charges so many units of {@link DsmNode#work} for each index. A body of
     * parts can charge by itself what differs from index to index.
     *
     * @throws IllegalArgumentException if {@code unitsEach} is negative
     */
    public Loop<P, T> charging(long unitsEach) {
        if (unitsEach < 0) {
            throw new IllegalArgumentException("loop that charges " + unitsEach + " units");
        }
        return new Loop<>(parameters, reduction, body, unitsEach);
    }

    /** Type of the parameters. */
    public Class<P> parameters() {
        return parameters;
    }

    /** Combines the values of parts; empty for a loop without a result. */
    public Optional<Reduction<T>> reduction() {
        return reduction;
    }

    /**
     * Runs a part in the calling thread, for the teams of this API.
     *
     * @throws ThrownAt if the body threw at a known index
     */
    public T run(P values, Part part) {
        T result = body.run(values, part);
        if (units > 0) {
            part.node().work(units * part.range().length());
        }
        return result;
    }

    /** Carries what a body threw, and where, to its team. */
    public static final class ThrownAt extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int index;

        ThrownAt(int index, Throwable cause) {
            super(null, cause, false, false); // the toString of a cause may throw
            this.index = index;
        }

        /** The index that the body was called with. */
        public int index() {
            return index;
        }
    }
}
