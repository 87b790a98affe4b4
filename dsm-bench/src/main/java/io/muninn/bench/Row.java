package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One operation in one placement, with its floor.
 *
 * @param floor terms of the floor as text; empty if it is not known
 * @param floorNanos sum of the terms' medians, measured in the same run; empty if one is missing
 * @param bound the limit of the ratio; empty without one
 */
record Row(
        Measured measured,
        boolean pinned,
        String floor,
        OptionalDouble floorNanos,
        OptionalDouble bound) {

    static Row of(Measured measured, Placement placement, MeasuredFloors floors) {
        List<MeasuredFloors.Term> terms = MeasuredFloors.of(measured);
        return new Row(
                measured,
                placement.isPinned(),
                MeasuredFloors.text(terms),
                floors.nanos(terms),
                Limits.of(measured.name(), placement));
    }

    String name() {
        return measured.name();
    }

    /**
     * Number of warm-up repetitions, after {@code >} if they had not settled; empty if not known.
     */
    String warmUp() {
        Measured.WarmUp warmUp = measured.warmUp();
        if (!warmUp.isKnown()) {
            return "";
        }
        return (warmUp.settled() ? "" : ">") + warmUp.operations();
    }

    double medianNanos() {
        return measured.medianNanos();
    }

    /** Median divided by floor. */
    OptionalDouble ratio() {
        return floorNanos.isPresent()
                ? OptionalDouble.of(medianNanos() / floorNanos.getAsDouble())
                : OptionalDouble.empty();
    }

    /** The limit of the median; empty without one. */
    OptionalDouble boundNanos() {
        return Limits.nanosOf(name(), pinned);
    }

    boolean hasLimit() {
        return bound.isPresent() || boundNanos().isPresent();
    }

    /** The value that has a limit: the ratio, or the median in microseconds. */
    String limited() {
        return boundNanos().isPresent() ? micros(medianNanos()) : Format.ratio(ratio());
    }

    /** The limit, in the same unit as {@link #limited}. */
    String limit() {
        return boundNanos().isPresent() ? micros(boundNanos().getAsDouble()) : Format.ratio(bound);
    }

    private static String micros(double nanos) {
        return Format.micros(nanos) + " µs";
    }

    /** Whether the value is within its limit; empty without a limit or a ratio. */
    Optional<Boolean> isMet() {
        if (boundNanos().isPresent()) {
            return Optional.of(medianNanos() <= boundNanos().getAsDouble());
        }
        OptionalDouble ratio = ratio();
        return bound.isPresent() && ratio.isPresent()
                ? Optional.of(ratio.getAsDouble() <= bound.getAsDouble())
                : Optional.empty();
    }
}
