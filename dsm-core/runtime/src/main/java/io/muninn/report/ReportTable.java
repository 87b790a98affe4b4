package io.muninn.report;

import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A run's counts as text: a line on the run, a row per node and a total, then messages by kind.
 * Columns are as wide as their content.
 */
public final class ReportTable {
    private static final String GAP = "  ";

    /** Load from which on an agent's thread is reported as the limit. */
    private static final double BUSY_SHARE = 0.8;

    /** One column: two lines of heading, the counter, and the format of its value. */
    private record Column(
            String above, String below, NodeCounter counter, LongFunction<String> text) {
        String value(NodeReport report) {
            return text.apply(report.value(counter));
        }

        String total(RunReport report) {
            return text.apply(report.total(counter));
        }
    }

    private static final List<Column> COLUMNS =
            List.of(
                    new Column("read", "faults", NodeCounter.READ_FAULTS, Long::toString),
                    new Column("write", "faults", NodeCounter.WRITE_FAULTS, Long::toString),
                    new Column("pages", "fetched", NodeCounter.PAGES_FETCHED, Long::toString),
                    new Column("diffs", "made", NodeCounter.DIFFS_MADE, Long::toString),
                    new Column("diffs", "applied", NodeCounter.DIFFS_APPLIED, Long::toString),
                    new Column("messages", "sent", NodeCounter.MESSAGES, Long::toString),
                    new Column("bytes", "sent", NodeCounter.BYTES, Units::bytes),
                    new Column("blocked", "in faults", NodeCounter.FAULT_NANOS, Units::nanos),
                    new Column("blocked", "in locks", NodeCounter.LOCK_NANOS, Units::nanos),
                    new Column("blocked", "in barriers", NodeCounter.BARRIER_NANOS, Units::nanos));

    private ReportTable() {}

    /** Returns the table; each line ends with a newline. */
    public static String format(RunReport report) {
        StringBuilder text = new StringBuilder();
        text.append(heading(report)).append('\n');
        appendAligned(text, nodeRows(report));
        List<List<String>> kinds = kindRows(report);
        if (kinds.size() > 1) {
            text.append('\n');
            appendAligned(text, kinds);
        }
        appendWithoutMessages(text, report);
        appendAgents(text, report);
        appendEngines(text, report);
        return text.toString();
    }

    /** Appends what nodes did in memory that they share, and what they sent in its place. */
    private static void appendWithoutMessages(StringBuilder text, RunReport report) {
        long direct = report.total(NodeCounter.REMOTE_DIRECT);
        long single = report.total(NodeCounter.REMOTE_SINGLE);
        long aggregated = report.total(NodeCounter.REMOTE_AGGREGATED);
        if (direct + single + aggregated > 0) {
            text.append("\nremote words: ")
                    .append(count(direct, "operation"))
                    .append(" direct, ")
                    .append(single)
                    .append(" by a message each, ")
                    .append(aggregated)
                    .append(" aggregated; ")
                    .append(Units.bytes(report.total(NodeCounter.REMOTE_BYTES)))
                    .append('\n');
        }
        long entered = report.total(NodeCounter.TRAP_ENTRIES);
        if (entered > 0) {
            text.append("\npool: traps of threads entered ")
                    .append(count(entered, "page"))
                    .append('\n');
        }
    }

    /** Appends the busy agents: one thread serves all nodes of an agent. */
    private static void appendAgents(StringBuilder text, RunReport report) {
        List<NodeReport> counting =
                report.perNode().stream()
                        .filter(node -> node.value(NodeCounter.AGENT_NANOS) > 0)
                        .toList();
        for (int i = 0; i < counting.size(); i++) {
            int first = counting.get(i).node();
            int next = i + 1 < counting.size() ? counting.get(i + 1).node() : report.nodes();
            double share = counting.get(i).value(NodeCounter.AGENT_NANOS) / 1e9 / report.seconds();
            if (share >= BUSY_SHARE && next - first > 1) {
                text.append("\nthe agent of nodes ")
                        .append(first)
                        .append(" to ")
                        .append(next - 1)
                        .append(" was busy ")
                        .append(Math.round(100 * Math.min(1, share)))
                        .append(" % of the time; --agents ")
                        .append(counting.size() + 1)
                        .append(" divides its work if there are processors for it\n");
            }
        }
    }

    /**
     * Appends the engine of each node and the reason for its choice; nodes with equal values share
     * a line.
     */
    private static void appendEngines(StringBuilder text, RunReport report) {
        Map<String, List<String>> nodes = new LinkedHashMap<>();
        for (NodeReport node : report.perNode()) {
            NodeReport.Engine engine = node.engine();
            if (!engine.why().isEmpty()) {
                nodes.computeIfAbsent(
                                engine.word() + " (" + engine.why() + ")", _ -> new ArrayList<>())
                        .add(Integer.toString(node.node()));
            }
        }
        text.append(nodes.isEmpty() ? "" : "\n");
        nodes.forEach((engine, those) ->
                text.append("engine ")
                        .append(
                                nodes.size() == 1
                                        ? ""
                                        : "of node " + String.join(", ", those) + " ")
                        .append(engine)
                        .append('\n'));
    }

    private static String heading(RunReport report) {
        String version = report.version().isEmpty() ? "" : " (" + report.version() + ")";
        String verdict =
                report.verified()
                        .map(verified -> verified ? ", verified" : ", WRONG RESULT")
                        .orElse("");
        String ready =
                report.readySeconds().isPresent()
                        ? ", ready after "
                                + Units.nanos(Math.round(report.readySeconds().getAsDouble() * 1e9))
                        : "";
        return report.program()
                + version
                + ": "
                + count(report.nodes(), "node")
                + " of "
                + (report.threads().processes() > 1
                        ? report.threads().processes() + " processes of "
                        : "")
                + count(report.threads().perProcess(), "thread")
                + ", protocols "
                + report.protocol()
                + ", engine "
                + report.engine()
                + ready
                + ", "
                + Units.seconds(report.seconds())
                + verdict;
    }

    private static List<List<String>> nodeRows(RunReport report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("", COLUMNS.stream().map(Column::above).toList()));
        rows.add(row("node", COLUMNS.stream().map(Column::below).toList()));
        for (NodeReport node : report.perNode()) {
            String name = Integer.toString(node.node());
            rows.add(row(name, COLUMNS.stream().map(column -> column.value(node)).toList()));
        }
        rows.add(row("all", COLUMNS.stream().map(column -> column.total(report)).toList()));
        return rows;
    }

    /** The rows of message kinds, those with most messages first. */
    private static List<List<String>> kindRows(RunReport report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("messages by kind", "sent", "bytes"));
        report.totalByKind().entrySet().stream()
                .filter(entry -> entry.getValue().messages() > 0)
                .sorted((one, other) ->
                        Long.compare(other.getValue().messages(), one.getValue().messages()))
                .forEach(entry ->
                        rows.add(
                                List.of(
                                        entry.getKey(),
                                        Long.toString(entry.getValue().messages()),
                                        Units.bytes(entry.getValue().bytes()))));
        return rows;
    }

    /** A row: its first cell, then the others. */
    public static List<String> row(String first, List<String> rest) {
        List<String> row = new ArrayList<>();
        row.add(first);
        row.addAll(rest);
        return row;
    }

    /** Appends rows with the first column left-aligned and the others right-aligned. */
    public static void appendAligned(StringBuilder text, List<List<String>> rows) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            String first = row.getFirst();
            String line = first + " ".repeat(widths[0] - first.length());
            for (int i = 1; i < columns; i++) {
                line += GAP + " ".repeat(widths[i] - row.get(i).length()) + row.get(i);
            }
            text.append(line).append('\n');
        }
    }

    private static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
