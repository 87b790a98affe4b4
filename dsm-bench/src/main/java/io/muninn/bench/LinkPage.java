package io.muninn.bench;

import io.muninn.report.ReportFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Writes what checksums and TLS cost as a page of Markdown, beside the {@link Page}. */
final class LinkPage {
    static final String FILE = "links.md";

    private final Results results;
    private final StringBuilder page = new StringBuilder();

    LinkPage(Results results) {
        this.results = results;
    }

    /** Writes the page, if anything of it was measured. */
    void write(Path folder) throws IOException {
        if (results.links().isEmpty()) {
            return;
        }
        page.append("# What checksums and TLS cost\n\n");
        page.append("Written by `./dsm bench --only links`; not to be edited. Times are in")
                .append(" microseconds, those of programs in milliseconds.\n\n");
        if (results.isQuick()) {
            page.append("**Few samples and small sizes, for a test: these numbers say little.**\n")
                    .append('\n');
        }
        page.append("Machine: ").append(results.machine().text()).append(".\n");
        page.append("Page faults were caught by ").append(results.engines()).append(".\n\n");
        page.append(Explanations.of("links"));
        table("Between two hosts", LinkRow.Place.HOSTS);
        table("Within one host", LinkRow.Place.ONE_HOST);
        page.append("## Where the time goes\n\n").append(Explanations.of("links-time"));
        ReportFile.write(page.toString().stripTrailing() + "\n", folder.resolve(FILE));
    }

    private void table(String title, LinkRow.Place place) {
        List<LinkRow> rows = results.links().stream().filter(row -> row.place() == place).toList();
        if (rows.isEmpty()) {
            return;
        }
        page.append("## ").append(title).append("\n\n");
        List<LinkWay> ways = Arrays.stream(LinkWay.values()).filter(rows.getFirst()::has).toList();
        StringBuilder rule = new StringBuilder("| --- | ---: |");
        page.append("| | rounds |");
        for (LinkWay way : ways) {
            page.append(' ').append(way.word()).append(" |");
            rule.append(" ---: |");
        }
        for (LinkWay way : ways.subList(1, ways.size())) {
            page.append(' ').append(way.word()).append(" / ").append(way.before().word());
            page.append(" | at most | |");
            rule.append(" ---: | ---: | --- |");
        }
        page.append('\n').append(rule).append('\n');
        rows.forEach(row -> row(row, ways));
        page.append('\n');
    }

    private void row(LinkRow row, List<LinkWay> ways) {
        page.append("| ").append(row.name()).append(" | ").append(row.rounds());
        for (LinkWay way : ways) {
            page.append(" | ").append(time(row, row.medianNanos(way)));
        }
        for (LinkWay way : ways.subList(1, ways.size())) {
            page.append(" | ").append(row.added(way).map(LinkPage::text).orElse(""));
            page.append(" | ").append(Format.ratio(row.limit(way)));
            page.append(" | ").append(row.verdict(way));
        }
        page.append(" |\n");
    }

    private static String time(LinkRow row, OptionalDouble nanos) {
        if (nanos.isEmpty()) {
            return "";
        }
        double present = nanos.getAsDouble();
        return LinkRuns.isProgram(row.name()) ? Format.millis(present) : Format.micros(present);
    }

    private static String text(LinkRow.Ratio ratio) {
        return String.format(
                Locale.ROOT, "%.2f (%.2f to %.2f)", ratio.median(), ratio.low(), ratio.high());
    }

    /** A row for the terminal. */
    static String line(LinkRow row) {
        StringBuilder line =
                new StringBuilder(
                        String.format(Locale.ROOT, "%-18s %-9s", row.name(), row.place().words()));
        for (LinkWay way : LinkWay.values()) {
            if (!row.has(way)) {
                continue;
            }
            line.append("  ").append(way.word()).append(' ');
            line.append(time(row, row.medianNanos(way)));
            row.added(way).ifPresent(added -> line.append(" = x ").append(text(added)));
            String verdict = row.verdict(way);
            if (!verdict.isEmpty()) {
                line.append(", at most ").append(Format.ratio(row.limit(way)));
                line.append(' ').append(verdict);
            }
        }
        return line.toString();
    }
}
