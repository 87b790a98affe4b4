package io.muninn.report;

import java.util.List;
import java.util.Locale;

/**
 * Formats numbers with a readable unit: three or four digits, no more than the significant ones.
 */
public final class Units {
    private static final List<String> BYTES = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB");
    private static final List<String> TIMES = List.of("ns", "µs", "ms");
    private static final double NANOS_PER_SECOND = 1e9;

    private Units() {}

    /** As in {@code 512 B} or {@code 1.5 MiB}. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < BYTES.size() - 1) {
            value /= 1024;
            unit++;
        }
        return (unit == 0 ? Long.toString(bytes) : digits(value)) + " " + BYTES.get(unit);
    }

    /** As in {@code 0}, {@code 12.5 µs} or {@code 83.1 s}. */
    public static String nanos(long nanos) {
        if (nanos == 0) {
            return "0";
        }
        double value = nanos;
        for (String unit : TIMES) {
            if (value < 1000) {
                return (nanos < 1000 ? Long.toString(nanos) : digits(value)) + " " + unit;
            }
            value /= 1000;
        }
        return seconds(nanos / NANOS_PER_SECOND);
    }

    /** As in {@code 0.25 s} or {@code 83.1 s}. */
    public static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
    }

    private static String digits(double value) {
        return String.format(
                Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }
}
