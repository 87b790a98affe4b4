package io.muninn.bench.paper;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** Munin's Tables 2 to 5 from our runs, beside the paper's. */
final class MuninTables {
    /** What the paper's tables are about. */
    private static final int PAPER_NODES = 16;

    private static final List<PaperVersion> COMPARED =
            List.of(PaperVersion.MESSAGES, PaperVersion.MUNIN, PaperVersion.CONVENTIONAL);
    private static final List<PaperVersion> SHARED =
            List.of(PaperVersion.MUNIN, PaperVersion.CONVENTIONAL);
    private static final List<PaperVersion> TIMEOUT =
            List.of(PaperVersion.MUNIN, PaperVersion.NO_TIMEOUT);
    private static final List<String> TASK_QUEUES = List.of("tsp-f", "qsort");
    private static final double KILOBYTE = 1024;

    private final PaperResults results;
    private final PaperValues values;

    MuninTables(PaperResults results, PaperValues values) {
        this.results = results;
        this.values = values;
    }

    /** By number, each of one comparison or more. */
    SortedMap<String, List<Comparison>> all() {
        SortedMap<String, List<Comparison>> tables = new TreeMap<>();
        tables.put(
                "Table 2",
                List.of(
                        speedups("table-2", "Speedups achieved", COMPARED),
                        speedups(
                                "section-7-3-speedups",
                                "Section 7.3: speedups by update timeout",
                                TIMEOUT)));
        tables.put(
                "Table 3",
                List.of(
                        counts(
                                "table-3",
                                "Number of messages, as packets",
                                SimulatedTimes::packets),
                        counts("", "The same as messages of ours", SimulatedTimes::messages),
                        quantity(
                                "section-7-3-messages",
                                "Section 7.3: messages by update timeout, as packets",
                                TIMEOUT,
                                measured -> (double) measured.packets())));
        tables.put("Table 4", List.of(data()));
        tables.put("Table 5", List.of(lockWaits(), executionTimes()));
        return tables;
    }

    private Comparison speedups(String paper, String title, List<PaperVersion> versions) {
        return table(
                title,
                1,
                versions,
                _ -> true,
                (program, version) ->
                        cell(
                                results.speedup(program.name(), version, results.most()),
                                paper,
                                program,
                                version));
    }

    private Comparison counts(String table, String title, Function<SimulatedTimes, Long> count) {
        return quantity(table, title, COMPARED, measured -> (double) count.apply(measured));
    }

    private Comparison data() {
        return quantity(
                "table-4",
                "Amount of data, in kilobytes",
                COMPARED,
                measured -> measured.bytes() / KILOBYTE);
    }

    private Comparison quantity(
            String table,
            String title,
            List<PaperVersion> versions,
            Function<SimulatedTimes, Double> quantity) {
        return table(
                title,
                0,
                versions,
                _ -> true,
                (program, version) ->
                        cell(ours(program, version, quantity), table, program, version));
    }

    private Comparison lockWaits() {
        return table(
                "Lock waiting time per processor, in seconds",
                1,
                SHARED,
                MuninTables::hasTaskQueue,
                (program, version) ->
                        cell(
                                ours(
                                        program,
                                        version,
                                        measured -> measured.lockSeconds() / results.most()),
                                "table-5-lock",
                                program,
                                version));
    }

    private Comparison executionTimes() {
        return table(
                "Execution time per processor, in seconds",
                1,
                SHARED,
                MuninTables::hasTaskQueue,
                (program, version) ->
                        cell(
                                ours(program, version, SimulatedTimes::seconds),
                                "table-5-execution",
                                program,
                                version));
    }

    private OptionalDouble ours(
            PaperProgram program, PaperVersion version, Function<SimulatedTimes, Double> quantity) {
        Optional<Double> value = results.at(program.name(), version, results.most()).map(quantity);
        return value.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(value.get());
    }

    private Comparison.Cell cell(
            OptionalDouble ours, String table, PaperProgram program, PaperVersion version) {
        OptionalDouble paper =
                results.most() == PAPER_NODES
                        ? values.of(table, program.row(), version)
                        : OptionalDouble.empty();
        return new Comparison.Cell(ours, paper);
    }

    private static boolean hasTaskQueue(PaperProgram program) {
        return TASK_QUEUES.contains(program.row());
    }

    private Comparison table(
            String title,
            int decimals,
            List<PaperVersion> versions,
            Predicate<PaperProgram> isShown,
            Comparison.Cells cells) {
        String heading = String.format(Locale.ROOT, "%s (%d processors)", title, results.most());
        List<PaperProgram> shown = results.programs().stream().filter(isShown).toList();
        return Comparison.of(heading, decimals, shown, versions, cells);
    }
}
