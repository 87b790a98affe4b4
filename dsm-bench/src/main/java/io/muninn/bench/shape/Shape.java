package io.muninn.bench.shape;

import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * A nest of loops in two versions: over views and over heap arrays. Each supplier creates the data
 * and the nest of loops over it. The result of a nest depends on every element, so that the results
 * of both versions can be compared.
 *
 * @param name name on the command line and in the table
 * @param goal limit of the ratio of views to arrays
 */
record Shape(
        String name,
        double goal,
        Supplier<DoubleSupplier> ofViews,
        Supplier<DoubleSupplier> ofArrays) {
    /** For stencils and relaxations. */
    private static final double STENCIL_GOAL = 1.35;

    private static final double GOAL = 1.6;

    /** A nest of loops. Its result depends on every stored element. */
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
