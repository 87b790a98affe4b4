package io.muninn.bench.shape;

/**
 * Processor times of a nest of loops.
 *
 * @param first of the first call in a JVM
 * @param second of the second
 * @param goal what views may take at most, as a multiple of arrays
 */
public record ShapeTimes(Pair first, Pair second, double goal) {
    /** The same nest by both ways of access. */
    public record Pair(Range views, Range arrays) {
        double ratio() {
            return views.leastNanos() / arrays.leastNanos();
        }
    }

    /**
     * What several JVMs took.
     *
     * @param jvms at least 1
     */
    public record Range(double leastNanos, double mostNanos, int jvms) {
        static Range of(double nanos) {
            return new Range(nanos, nanos, 1);
        }

        Range and(Range other) {
            return new Range(
                    Math.min(leastNanos, other.leastNanos),
                    Math.max(mostNanos, other.mostNanos),
                    jvms + other.jvms);
        }
    }
}
