package io.muninn.bench.shape;

import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * A form of loops, twice: over views and over heap arrays. Each supplier creates the data, and with
 * it the nest of loops. The result of a nest depends on every element, so that the two ways can be
 * compared.
 *
 * @param name for the command line and the table
 * @param goal the ratio that the views may reach
 */
record Shape(
        String name,
        double goal,
        Supplier<DoubleSupplier> ofViews,
        Supplier<DoubleSupplier> ofArrays) {
    /** For stencils and relaxations. */
    private static final double STENCIL_GOAL = 1.35;

    private static final double GOAL = 1.6;

    /** A nest of loops. Its result depends on all that it has stored. */
    interface Nest<D> {
        double run(D data);
    }

    static <V, A> Shape stencil(
            String name, Supplier<V> views, Nest<V> ofViews, Supplier<A> arrays, Nest<A> ofArrays) {
        return new Shape(name, STENCIL_GOAL, with(views, ofViews), with(arrays, ofArrays));
    }

    static <V, A> Shape other(
            String name, Supplier<V> views, Nest<V> ofViews, Supplier<A> arrays, Nest<A> ofArrays) {
        return new Shape(name, GOAL, with(views, ofViews), with(arrays, ofArrays));
    }

    private static <D> Supplier<DoubleSupplier> with(Supplier<D> data, Nest<D> nest) {
        return () -> {
            D created = data.get();
            return () -> nest.run(created);
        };
    }
}
