package io.muninn.bench.shape;

/**
 * Processor times of a nest of loops.
 *
 * @param first times of the first call in a JVM
 * @param second times of the second call
 * @param goal limit of the ratio of views to arrays
 */
public record ShapeTimes(Pair first, Pair second, double goal) {
    /** Times of the same nest with both access methods. */
    public record Pair(Range views, Range arrays) {
        double ratio() {
            return views.leastNanos() / arrays.leastNanos();
        }
    }

    /**
     * The least and the greatest time of several JVMs.
     *
     * @param jvms number of JVMs, at least 1
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
