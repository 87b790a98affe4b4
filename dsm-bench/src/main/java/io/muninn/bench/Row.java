package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One operation in one placement, beside its floor.
 *
 * @param floor what the operation needs at least, in words; empty where nobody can say
 * @param floorNanos the same, measured in the same run
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

    /** Repetitions before what was timed; empty where that is not known. */
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

    /** Median by floor. */
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

    /** What is limited: the ratio, or the median in microseconds. */
    String limited() {
        return boundNanos().isPresent() ? micros(medianNanos()) : Format.ratio(ratio());
    }

    /** The limit, in the same unit. */
    String limit() {
        return boundNanos().isPresent() ? micros(boundNanos().getAsDouble()) : Format.ratio(bound);
    }

    private static String micros(double nanos) {
        return Format.micros(nanos) + " µs";
    }

    /** Whether the limit is kept; empty without a limit or a ratio. */
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
