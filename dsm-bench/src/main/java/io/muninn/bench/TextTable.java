package io.muninn.bench;

import java.util.Locale;

/** The text that the command prints: every row, then the rows with limits. */
final class TextTable {
    private static final String LINE = "%-28s %-8s %11s %11s %8s %11s %8s  %s%n";

    private final Results results;

    TextTable(Results results) {
        this.results = results;
    }

    String text() {
        StringBuilder text =
                new StringBuilder(
                        line(
                                "operation",
                                "",
                                "median",
                                "p99",
                                "warm-up",
                                "floor",
                                "ratio",
                                "floor of (times in microseconds)"));
        for (Row row : results.rows()) {
            text.append(
                    line(
                            row.name(),
                            row.pinned() ? "one CPU" : "",
                            Format.micros(row.medianNanos()),
                            Format.micros(row.measured().p99Nanos()),
                            row.warmUp(),
                            Format.micros(row.floorNanos()),
                            Format.ratio(row.ratio()),
                            row.floor()));
        }
        for (SwitchRow row : results.switches()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%-28s %s: %s, %s; %.2f times as fast%n",
                            row.operation(),
                            row.options(),
                            Format.micros(row.offNanos()),
                            Format.micros(row.onNanos()),
                            row.gain()));
        }
        for (LinkRow row : results.links()) {
            text.append(LinkPage.line(row)).append('\n');
        }
        text.append('\n');
        for (Row row : Summary.rows(results)) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%-28s %8s  at most %s  %s%n",
                            row.name(),
                            row.limited(),
                            row.limit(),
                            Summary.verdict(row)));
        }
        return text.toString();
    }

    private static String line(Object... cells) {
        return String.format(Locale.ROOT, LINE, cells).stripTrailing() + "\n";
    }
}
