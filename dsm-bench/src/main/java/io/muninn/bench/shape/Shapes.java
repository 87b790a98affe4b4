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
 * What do plain loops over views cost, compared with the same loops over heap arrays? A program
 * enters its nest of loops once, in the interpreter, and the JVM replaces the running method with
 * compiled code. So every nest has its own JVM, which calls it twice: first as a program that
 * enters the nest once, then as a program that repeats it.
 *
 * <p>Views and arrays are measured alternately. A time is processor time of the thread that runs
 * the nest. The least time of all JVMs is used, because other load on the machine can only add to
 * it.
 *
 * <pre>
 * Shapes [SHAPE] [JVMS]   prints a table; SHAPE is the prefix of a name, or all
 * </pre>
 */
public final class Shapes {
    private static final String ONE = "--one";
    private static final String ALL = "all";
    private static final int JVMS = 5;

    private Shapes() {}

    /** Times of a nest in several JVMs, and its result. */
    private record Times(ShapeTimes.Range first, ShapeTimes.Range second, double result) {
        Times and(Times other) {
            requireSame(other);
            return new Times(first.and(other.first), second.and(other.second), result);
        }

        void requireSame(Times other) {
            if (result != other.result) {
                throw new IllegalStateException(
                        "one JVM computed " + result + ", another " + other.result);
            }
        }

        static Times of(String line) {
            String[] words = line.split(" ", 3);
            return new Times(
                    ShapeTimes.Range.of(Long.parseLong(words[0])),
                    ShapeTimes.Range.of(Long.parseLong(words[1])),
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
        List<String> shapes = names().stream().filter(name -> name.startsWith(names)).toList();
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
        for (String name : shapes) {
            print(name, measure(name, jvms));
        }
    }

    static Stream<Shape> all() {
        return Stream.concat(GridShapes.ALL.stream(), LineShapes.ALL.stream());
    }

    /** The names of all shapes. */
    public static List<String> names() {
        return all().map(Shape::name).toList();
    }

    /**
     * Measures a shape over views and over arrays, alternately.
     *
     * @param name one of {@link #names}
     * @param jvms JVMs for each of the two, at least 1
     * @throws IllegalStateException if a JVM fails, or the results of JVMs differ
     */
    public static ShapeTimes measure(String name, int jvms)
            throws IOException, InterruptedException {
        Shape shape = named(name);
        Times views = inItsOwnJvm(shape, true);
        Times arrays = inItsOwnJvm(shape, false);
        for (int i = 1; i < jvms; i++) {
            views = views.and(inItsOwnJvm(shape, true));
            arrays = arrays.and(inItsOwnJvm(shape, false));
        }
        arrays.requireSame(views);
        return new ShapeTimes(
                new ShapeTimes.Pair(views.first, arrays.first),
                new ShapeTimes.Pair(views.second, arrays.second),
                shape.goal());
    }

    private static Shape named(String name) {
        return all().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    }

    private static void print(String name, ShapeTimes times) {
        System.out.printf(
                Locale.ROOT,
                "%-12s %9.1f %9.1f %7.2f %9.1f %9.1f %7.2f %6.2f%n",
                name,
                times.first().views().leastNanos() / 1e6,
                times.first().arrays().leastNanos() / 1e6,
                times.first().ratio(),
                times.second().views().leastNanos() / 1e6,
                times.second().arrays().leastNanos() / 1e6,
                times.second().ratio(),
                times.goal());
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

    /** Runs a nest twice. Returns the nanoseconds of both calls and the sum of their results. */
    private static String timed(String name, boolean ofViews) {
        Shape shape = named(name);
        DoubleSupplier nest = (ofViews ? shape.ofViews() : shape.ofArrays()).get();
        long start = processorNanos();
        double result = nest.getAsDouble();
        long first = processorNanos();
        result += nest.getAsDouble();
        long second = processorNanos() - first;
        return (first - start) + " " + second + " " + result;
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
