package io.muninn.bench;

import io.muninn.bench.series.Measured;
import io.muninn.bench.shape.ShapeTimes;
import io.muninn.bench.shape.Shapes;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Measures {@link Shapes}: each nest of loops over views, compared with the same nest over heap
 * arrays.
 */
final class ShapeRuns {
    static final String PREFIX = "shape-";

    private static final int JVMS = 3;
    private static final int QUICK_JVMS = 1;

    /** The only shape of a quick run. */
    private static final String FEW = "in-run";

    private ShapeRuns() {}

    static void run(BenchContext context) throws IOException, InterruptedException {
        boolean quick = context.isQuick();
        for (String name : quick ? List.of(FEW) : Shapes.names()) {
            ShapeTimes times;
            try {
                times = Shapes.measure(name, quick ? QUICK_JVMS : JVMS);
            } catch (IllegalStateException failed) {
                throw new BenchmarkFailedException(String.valueOf(failed.getMessage()), failed);
            }
            add(context.results(), name, times.first(), times.goal());
            add(context.results(), name + "-again", times.second(), times.goal());
        }
    }

    private static void add(Results results, String name, ShapeTimes.Pair pair, double goal) {
        String array = PREFIX + name + AccessRuns.ARRAY;
        OptionalDouble floor = OptionalDouble.of(pair.arrays().leastNanos());
        Measured views = measured(PREFIX + name + AccessRuns.VIEW, pair.views());
        results.add(new Row(views, false, array, floor, OptionalDouble.of(goal)));
        results.add(
                new Row(
                        measured(array, pair.arrays()),
                        false,
                        "",
                        OptionalDouble.empty(),
                        OptionalDouble.empty()));
    }

    private static Measured measured(String name, ShapeTimes.Range nanos) {
        return new Measured(name, nanos.leastNanos(), nanos.mostNanos(), nanos.jvms(), 0, 0);
    }
}
