package io.muninn.bench;

import io.muninn.bench.series.Measured;
import io.muninn.report.ReportFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes the results as a page of Markdown, with its plots beside it. */
final class Page {
    static final String FILE = "README.md";

    private static final String OPERATIONS_HEADER =
            "| operation | one CPU: median | p99 | warm-up | floor | ratio |"
                    + " unpinned: median | p99 | warm-up | ratio | floor of |\n"
                    + "| --- | ---: | ---: | ---: | ---: | ---: |"
                    + " ---: | ---: | ---: | ---: | --- |\n";

    private final Results results;
    private final StringBuilder page = new StringBuilder();

    Page(Results results) {
        this.results = results;
    }

    void write(Path folder) throws IOException {
        heading();
        limits();
        operations("Accesses to pages that are held", "access-");
        operations("Shapes of loops", ShapeRuns.PREFIX);
        operations("Faults", "fault-");
        operations("Releases", "release-", "interval-");
        operations("Locks", "lock-");
        operations("Acquires", "acquire-", "section-");
        operations("Prefetches", "prefetch-");
        operations("Barriers", "barrier-");
        operations("Processes of a node", SiblingRuns.PREFIX);
        operations("Remote words", RemoteRuns.PREFIX);
        operations("Faults over a pool", PoolRuns.PREFIX);
        operations("Parallel loops", "loop-");
        operations("Queues", "queue-");
        profile();
        operations("Starts", "start-");
        floors();
        shipping(folder);
        apps();
        links();
        switches();
        failures();
        ReportFile.write(page.toString(), folder.resolve(FILE));
    }

    private void heading() {
        page.append("# What operations take, beside the floor\n\n");
        page.append("Written by `./dsm bench`; not to be edited. Times are in microseconds where")
                .append(" nothing else is said.\n\n");
        if (results.isQuick()) {
            page.append("**Few samples and small sizes, for a test: these numbers say little.**\n")
                    .append('\n');
        }
        if (!results.isFinished()) {
            page.append("**Not finished: what is missing is not measured yet.**\n").append('\n');
        }
        page.append("Machine: ").append(results.machine().text()).append(".\n");
        if (!results.engines().isEmpty()) {
            page.append("Page faults were caught by ").append(results.engines()).append(".\n");
        }
        page.append(
                """

                A *floor* is what the machine itself takes for the steps without which an operation
                cannot be done: traps, sockets, comparisons and copies in C, and bare bytes over the
                channels that agents use, measured beside the operations. Floors are sums of
                medians; where steps can run side by side on several processors, unpinned, the
                sum is too high. *One CPU*: all processes were pinned to one processor. The start
                of JVMs is in no number but those of starts.

                *Warm-up*: how often an operation was repeated before its times counted, which is
                until it had settled: the last third of the repetitions was not faster than the
                third before. `>` where it had not when its time was up.

                """);
    }

    private void limits() {
        List<Row> rows = Summary.rows(results);
        if (rows.isEmpty()) {
            return;
        }
        page.append("## Limits\n\n| operation | where | ratio, or median | at most | |\n");
        page.append("| --- | --- | ---: | ---: | --- |\n");
        for (Row row : rows) {
            line(
                    row.name(),
                    (row.pinned() ? Placement.ONE_CPU : Placement.UNPINNED).words(),
                    row.limited(),
                    row.limit(),
                    Summary.verdict(row));
        }
        page.append('\n');
        results.row("lock-again", true)
                .ifPresent(row ->
                        page.append("A lock that its last holder takes again sends ")
                                .append(Format.number(row.measured().messages()))
                                .append(" messages.\n\n"));
    }

    private void operations(String title, String... prefixes) {
        List<String> names =
                results.rows().stream()
                        .map(Row::name)
                        .filter(name -> Arrays.stream(prefixes).anyMatch(name::startsWith))
                        .distinct()
                        .toList();
        if (names.isEmpty()) {
            return;
        }
        page.append("## ").append(title).append("\n\n").append(Explanations.of(prefixes[0]));
        page.append(OPERATIONS_HEADER);
        names.forEach(this::operation);
        page.append('\n');
    }

    private void operation(String name) {
        Optional<Row> pinned = results.row(name, true);
        Optional<Row> unpinned = results.row(name, false);
        line(
                name,
                pinned.map(row -> Format.micros(row.medianNanos())).orElse(""),
                pinned.map(row -> Format.micros(row.measured().p99Nanos())).orElse(""),
                pinned.map(Row::warmUp).orElse(""),
                pinned.map(row -> Format.micros(row.floorNanos())).orElse(""),
                pinned.map(row -> Format.ratio(row.ratio())).orElse(""),
                unpinned.map(row -> Format.micros(row.medianNanos())).orElse(""),
                unpinned.map(row -> Format.micros(row.measured().p99Nanos())).orElse(""),
                unpinned.map(Row::warmUp).orElse(""),
                unpinned.map(row -> Format.ratio(row.ratio())).orElse(""),
                pinned.or(() -> unpinned).map(Row::floor).orElse(""));
    }

    /**
     * On one processor nothing overlaps, so the times of the processes add up to the operation's
     * time.
     */
    private void profile() {
        List<Row> rows =
                results.rows().stream()
                        .filter(row -> row.pinned() && row.measured().cpu().sum() > 0)
                        .toList();
        if (rows.isEmpty()) {
            return;
        }
        page.append("## Where the time goes\n\n").append(Explanations.of("profile"));
        page.append("| operation | median | floor | sum | application | its agent |");
        page.append(" other applications | other agents |\n");
        page.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        for (Row row : rows) {
            Measured.Cpu cpu = row.measured().cpu();
            line(
                    row.name(),
                    Format.micros(row.medianNanos()),
                    Format.micros(row.floorNanos()),
                    Format.micros(cpu.sum()),
                    Format.micros(cpu.application()),
                    Format.micros(cpu.agent()),
                    Format.micros(cpu.applications()),
                    Format.micros(cpu.agents()));
        }
        page.append('\n');
    }

    private void floors() {
        List<String> names =
                results.rows().stream()
                        .map(Row::name)
                        .filter(Explanations::isFloor)
                        .distinct()
                        .toList();
        if (names.isEmpty()) {
            return;
        }
        page.append("## Floors\n\n").append(Explanations.of("floors"));
        page.append(
                "| floor | one CPU: median | p99 | warm-up | unpinned: median | p99 | warm-up |\n");
        page.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        for (String name : names) {
            Optional<Row> pinned = results.row(name, true);
            Optional<Row> unpinned = results.row(name, false);
            line(
                    name,
                    pinned.map(row -> Format.micros(row.medianNanos())).orElse(""),
                    pinned.map(row -> Format.micros(row.measured().p99Nanos())).orElse(""),
                    pinned.map(Row::warmUp).orElse(""),
                    unpinned.map(row -> Format.micros(row.medianNanos())).orElse(""),
                    unpinned.map(row -> Format.micros(row.measured().p99Nanos())).orElse(""),
                    unpinned.map(Row::warmUp).orElse(""));
        }
        page.append('\n');
    }

    private void shipping(Path folder) throws IOException {
        List<ShippingLines> all = ShippingLines.of(results.rows());
        if (all.isEmpty()) {
            return;
        }
        page.append("## Ship the function, or the data?\n\n").append(Explanations.of("shipping"));
        page.append("| where | cheaper |\n| --- | --- |\n");
        for (ShippingLines lines : all) {
            line(lines.where(), lines.answer());
        }
        page.append('\n');
        for (ShippingLines lines : all) {
            lines.write(folder);
            page.append(
                    String.format(
                            Locale.ROOT, "![%s](%s.svg)\n\n", lines.where(), lines.fileName()));
        }
    }

    private void apps() {
        if (results.apps().isEmpty()) {
            return;
        }
        page.append("## Programs on two nodes\n\n").append(Explanations.of("apps"));
        page.append("| program | version | median, ms | slowest | in faults | in locks |");
        page.append(" in barriers | read faults | write faults | messages | KB |\n");
        page.append("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        page.append('\n');
        for (ProgramTimes run : results.apps()) {
            line(
                    run.measured().name(),
                    run.version(),
                    Format.millis(run.measured().medianNanos()),
                    Format.millis(run.measured().p99Nanos()),
                    Format.millis(run.faultNanos()),
                    Format.millis(run.lockNanos()),
                    Format.millis(run.barrierNanos()),
                    Format.number(run.readFaults()),
                    Format.number(run.writeFaults()),
                    Format.number(run.messages()),
                    Format.number(run.bytes() / 1000));
        }
        page.append('\n');
    }

    private void switches() {
        if (results.switches().isEmpty()) {
            return;
        }
        page.append("## What each optimisation buys\n\n").append(Explanations.of("switches"));
        page.append("| optimisation | off, on | operation | off | on | times as fast |\n");
        page.append("| --- | --- | --- | ---: | ---: | ---: |\n");
        for (SwitchRow row : results.switches()) {
            line(
                    row.name(),
                    "`" + row.options() + "`",
                    row.operation(),
                    Format.micros(row.offNanos()),
                    Format.micros(row.onNanos()),
                    String.format(Locale.ROOT, "%.2f", row.gain()));
        }
        page.append('\n');
    }

    private void links() {
        if (!results.links().isEmpty()) {
            page.append("## Links between hosts\n\n[What checksums and TLS cost](");
            page.append(LinkPage.FILE).append(").\n\n");
        }
    }

    private void failures() {
        if (results.failures().isEmpty()) {
            return;
        }
        page.append("## Not measured\n\n");
        results.failures()
                .forEach(failure ->
                        page.append("* ")
                                .append(failure.lines().findFirst().orElse(""))
                                .append('\n'));
    }

    private void line(String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
