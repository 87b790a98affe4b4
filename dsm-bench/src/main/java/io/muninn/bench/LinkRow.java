package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The times of an operation or a program over links that differ in what protects them. The ways
 * took turns, so times of one round are compared with each other.
 *
 * @param place where the two nodes are
 * @param nanos the time of each round, equally many for each way
 */
record LinkRow(String name, Place place, Map<LinkWay, List<Double>> nanos) {
    /** Where the nodes of a row are. */
    enum Place {
        HOSTS("two hosts"),
        ONE_HOST("one host");

        private final String words;

        Place(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /**
     * How many times as long an operation takes: the median of all rounds, and a range that has at
     * least half of them.
     */
    record Ratio(double median, double low, double high) {
        /** Of the values of all rounds. */
        static Ratio of(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            int outside = sorted.size() / 4;
            return new Ratio(
                    middle(sorted), sorted.get(outside), sorted.get(sorted.size() - 1 - outside));
        }
    }

    boolean has(LinkWay way) {
        return nanos.containsKey(way);
    }

    int rounds() {
        return of(LinkWay.BARE).size();
    }

    /** The median of all rounds; empty without such a way. */
    OptionalDouble medianNanos(LinkWay way) {
        return has(way)
                ? OptionalDouble.of(middle(of(way).stream().sorted().toList()))
                : OptionalDouble.empty();
    }

    /** The ratio of two ways, round by round; empty if one was not measured. */
    private Optional<Ratio> ratio(LinkWay way, LinkWay under) {
        if (!has(way) || !has(under)) {
            return Optional.empty();
        }
        List<Double> each = new ArrayList<>();
        for (int round = 0; round < rounds(); round++) {
            each.add(of(way).get(round) / of(under).get(round));
        }
        return Optional.of(Ratio.of(each));
    }

    /** What a way adds to the way before it; empty if one was not measured. */
    Optional<Ratio> added(LinkWay way) {
        return way == LinkWay.BARE ? Optional.empty() : ratio(way, way.before());
    }

    /** The limit of what a way adds; empty without one. */
    OptionalDouble limit(LinkWay way) {
        return Limits.of(this, way);
    }

    /** Whether that limit is met, in words; empty without a limit. */
    String verdict(LinkWay way) {
        OptionalDouble limit = limit(way);
        Optional<Ratio> added = added(way);
        if (limit.isEmpty() || added.isEmpty()) {
            return "";
        }
        return added.get().median() <= limit.getAsDouble() ? "met" : "not met";
    }

    /** As rows of {@code --json}: the floor of a way is the way before it. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (LinkWay way : LinkWay.values()) {
            if (has(way)) {
                rows.add(row(way));
            }
        }
        return rows;
    }

    private Row row(LinkWay way) {
        List<Double> sorted = of(way).stream().sorted().toList();
        Measured measured =
                new Measured(full(way), middle(sorted), sorted.getLast(), sorted.size(), 0, 0);
        if (way == LinkWay.BARE) {
            OptionalDouble none = OptionalDouble.empty();
            return new Row(measured, true, "", none, none);
        }
        LinkWay before = way.before();
        return new Row(measured, true, full(before), medianNanos(before), limit(way));
    }

    private String full(LinkWay way) {
        String where = place == Place.HOSTS ? "link-" : "link-one-host-";
        return where + name + "-" + way.word().toLowerCase(Locale.ROOT);
    }

    private List<Double> of(LinkWay way) {
        List<Double> times = nanos.get(way);
        if (times == null) {
            throw new IllegalStateException(name + " has no times of " + way.word());
        }
        return times;
    }

    /** The middle of sorted values, or the mean of the two in the middle. */
    private static double middle(List<Double> sorted) {
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(half)
                : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
