package io.muninn.bench.shape;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/**
 * What do plain loops over views cost, beside the same loops over heap arrays? A program enters its
 * nest of loops once, while it is interpreted, and the JVM replaces the running method with
 * compiled code. So every nest has a JVM of its own, which calls it twice: the first call is that
 * of a program, the second that of one which does the same again.
 *
 * <p>Views and arrays take turns. A time is processor time of the thread that runs the nest, and
 * the least of all JVMs, because whatever else the machine does can only add to it.
 *
 * <pre>
 * Shapes [SHAPE] [JVMS]   a table; SHAPE is the beginning of a name, or all
 * </pre>
 */
public final class Shapes {
    private static final String ONE = "--one";
    private static final String ALL = "all";
    private static final int JVMS = 5;

    private Shapes() {}

    /** Times of a nest, in nanoseconds, and its result. */
    private record Times(long first, long second, double result) {
        Times least(Times other) {
            if (result != other.result) {
                throw new IllegalStateException(
                        "one JVM computed " + result + ", another " + other.result);
            }
            return new Times(Math.min(first, other.first), Math.min(second, other.second), result);
        }

        @Override
        public String toString() {
            return first + " " + second + " " + result;
        }

        static Times of(String line) {
            String[] words = line.split(" ", 3);
            return new Times(
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    Double.parseDouble(words[2]));
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 3 && args[0].equals(ONE)) {
            System.out.println(timed(args[1], Boolean.parseBoolean(args[2])));
            return;
        }
        String names = args.length > 0 && !args[0].equals(ALL) ? args[0] : "";
        int jvms = args.length > 1 ? Integer.parseInt(args[1]) : JVMS;
        List<Shape> shapes = all().filter(shape -> shape.name().startsWith(names)).toList();
        if (shapes.isEmpty()) {
            throw new IllegalArgumentException("there is no shape '" + names + "'");
        }
        System.out.printf(
                Locale.ROOT,
                "%-12s %9s %9s %7s %9s %9s %7s %6s%n",
                "shape",
                "view, ms",
                "array",
                "ratio",
                "again",
                "array",
                "ratio",
                "goal");
        for (Shape shape : shapes) {
            print(shape, jvms);
        }
    }

    static Stream<Shape> all() {
        return Stream.concat(GridShapes.ALL.stream(), LineShapes.ALL.stream());
    }

    private static void print(Shape shape, int jvms) throws IOException, InterruptedException {
        Times views = inItsOwnJvm(shape, true);
        Times arrays = inItsOwnJvm(shape, false);
        for (int i = 1; i < jvms; i++) {
            views = views.least(inItsOwnJvm(shape, true));
            arrays = arrays.least(inItsOwnJvm(shape, false));
        }
        arrays.least(views); // the same result
        System.out.printf(
                Locale.ROOT,
                "%-12s %9.1f %9.1f %7.2f %9.1f %9.1f %7.2f %6.2f%n",
                shape.name(),
                views.first / 1e6,
                arrays.first / 1e6,
                (double) views.first / arrays.first,
                views.second / 1e6,
                arrays.second / 1e6,
                (double) views.second / arrays.second,
                shape.goal());
    }

    private static Times inItsOwnJvm(Shape shape, boolean ofViews)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:-UsePerfData",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Shapes.class.getName(),
                                ONE,
                                shape.name(),
                                Boolean.toString(ofViews))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            if (process.waitFor() != 0 || line == null) {
                throw new IllegalStateException(shape.name() + " failed in its JVM");
            }
            return Times.of(line);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Times timed(String name, boolean ofViews) {
        Shape shape = all().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
        DoubleSupplier nest = (ofViews ? shape.ofViews() : shape.ofArrays()).get();
        long start = processorNanos();
        double result = nest.getAsDouble();
        long first = processorNanos();
        result += nest.getAsDouble();
        return new Times(first - start, processorNanos() - first, result);
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
