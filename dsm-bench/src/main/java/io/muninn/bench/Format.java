package io.muninn.bench;

import java.util.Locale;
import java.util.OptionalDouble;

/** Formats numbers with about three significant digits. */
final class Format {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;

    private Format() {}

    /** Nanoseconds as a number of microseconds. */
    static String micros(double nanos) {
        return number(nanos / NANOS_PER_MICRO);
    }

    static String micros(OptionalDouble nanos) {
        return nanos.isPresent() ? micros(nanos.getAsDouble()) : "";
    }

    static String millis(double nanos) {
        return number(nanos / NANOS_PER_MILLI);
    }

    static String ratio(OptionalDouble ratio) {
        return ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : "";
    }

    static String number(double value) {
        if (value >= 100 || value == 0) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        if (value >= 10) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        return String.format(Locale.ROOT, value >= 0.1 ? "%.2f" : "%.3f", value);
    }
}
