package io.muninn.report;

import io.muninn.kernel.PageCount;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * The costs of a run by region and by cause, as text: a row for each region with counts, the pages
 * with suspected false sharing, and the time for which threads were blocked.
 */
public final class RegionTable {
    /** Largest number of pages that are named per region. */
    private static final int SUSPECTED_MAX = 5;

    /** One column: two lines of heading, the count, and the format of its value. */
    private record Column(String above, String below, PageCount count, LongFunction<String> text) {}

    private static final List<Column> COLUMNS =
            List.of(
                    new Column("read", "faults", PageCount.READ_FAULTS, Long::toString),
                    new Column("write", "faults", PageCount.WRITE_FAULTS, Long::toString),
                    new Column("blocked", "in loads", PageCount.READ_FAULT_NANOS, Units::nanos),
                    new Column("blocked", "in stores", PageCount.WRITE_FAULT_NANOS, Units::nanos),
                    new Column("pages", "fetched", PageCount.PAGES_FETCHED, Long::toString),
                    new Column("twins", "made", PageCount.TWINS_MADE, Long::toString),
                    new Column("diffs", "made", PageCount.DIFFS_MADE, Long::toString),
                    new Column("diffs", "applied", PageCount.DIFFS_APPLIED, Long::toString),
                    new Column("messages", "sent", PageCount.MESSAGES, Long::toString),
                    new Column("bytes", "sent", PageCount.BYTES, Units::bytes));

    private RegionTable() {}

    /** Returns the table, preceded by an empty line; each line ends with a newline. */
    public static String format(RunReport report) {
        List<RegionReport> regions = RegionReport.of(report);
        StringBuilder text = new StringBuilder("\n");
        ReportTable.appendAligned(text, rows(regions));
        regions.forEach(region -> appendSuspected(text, region));
        Blocked blocked = Blocked.of(report.perNode());
        text.append("\nblocked: loads ").append(Units.nanos(blocked.loadNanos()));
        text.append(", stores ").append(Units.nanos(blocked.storeNanos()));
        for (NodeCounter cause : Blocked.OTHER_CAUSES) {
            String name = cause.key().substring(0, cause.key().length() - "Nanos".length());
            text.append(", ").append(name).append("s ");
            text.append(Units.nanos(blocked.value(cause)));
        }
        return text.append('\n').toString();
    }

    private static List<List<String>> rows(List<RegionReport> regions) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(ReportTable.row("", heading("", Column::above)));
        rows.add(ReportTable.row("region", heading("protocol", Column::below)));
        for (RegionReport region : regions) {
            List<String> row = new ArrayList<>();
            row.add(region.region().name());
            row.add(region.region().protocol().word());
            COLUMNS.forEach(column -> row.add(column.text().apply(region.total(column.count()))));
            rows.add(row);
        }
        return rows;
    }

    private static List<String> heading(
            String first, java.util.function.Function<Column, String> line) {
        List<String> heading = new ArrayList<>();
        heading.add(first);
        COLUMNS.forEach(column -> heading.add(line.apply(column)));
        return heading;
    }

    private static void appendSuspected(StringBuilder text, RegionReport region) {
        Map<Integer, List<Integer>> pages = region.suspectedPages();
        if (pages.isEmpty()) {
            return;
        }
        text.append("\nfalse sharing suspected: ").append(region.region().name()).append(", ");
        text.append(pages.size()).append(pages.size() == 1 ? " page" : " pages").append(", ");
        text.append(region.total(PageCount.FALSELY_SHARED));
        text.append(" diffs met stores to other elements\n");
        pages.entrySet().stream()
                .limit(SUSPECTED_MAX)
                .forEach(page -> {
                    text.append("  page ").append(page.getKey()).append(": ");
                    text.append(
                            region.elements(page.getKey()).stream()
                                    .map(RegionReport.Elements::toString)
                                    .collect(Collectors.joining(", ")));
                    text.append(", seen by nodes ");
                    text.append(
                            page.getValue().stream()
                                    .map(node -> Integer.toString(node))
                                    .collect(Collectors.joining(", ")));
                    text.append('\n');
                });
        if (pages.size() > SUSPECTED_MAX) {
            text.append("  and ").append(pages.size() - SUSPECTED_MAX).append(" more\n");
        }
    }
}
