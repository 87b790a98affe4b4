package io.muninn.bench.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** CVM's Tables 2 and 4, and the speedups and times of its Figures 1 to 3, from our runs. */
final class CvmTables {
    /** What the paper's numbers are about. */
    private static final int PAPER_NODES = 8;

    private static final List<PaperVersion> FLUSHING =
            List.of(PaperVersion.NO_FLUSH, PaperVersion.FLUSH);
    private static final List<PaperVersion> FLUSH = List.of(PaperVersion.FLUSH);
    private static final String AVERAGE = "average";
    private static final double KILOBYTE = 1024;
    private static final double PERCENT = 100;

    private final PaperResults results;
    private final PaperValues values;

    CvmTables(PaperResults results, PaperValues values) {
        this.results = results;
        this.values = values;
    }

    /**
     * By title, each of one comparison or more.
     *
     * @param speedups the title of what shows them
     * @param areOfTables whether the paper's tables are about these machines
     */
    SortedMap<String, List<Comparison>> all(String speedups, String model, boolean areOfTables) {
        SortedMap<String, List<Comparison>> all = new TreeMap<>();
        List<Comparison> byNodes = new ArrayList<>();
        for (int count : results.nodes().reversed()) {
            byNodes.add(speedups(model, count));
        }
        all.put(speedups, byNodes);
        all.put("Figure 3", List.of(times(PaperVersion.FLUSH), times(PaperVersion.NO_FLUSH)));
        CvmTables mine = areOfTables ? this : new CvmTables(results, PaperValues.NONE);
        all.put("Table 2", mine.flushing());
        all.put("Table 4", mine.traffic());
        return all;
    }

    private Comparison speedups(String model, int count) {
        List<Comparison.Row> rows = new ArrayList<>();
        for (PaperProgram program : results.programs()) {
            rows.add(
                    new Comparison.Row(
                            program.title(),
                            Cvm.COMPARED.stream()
                                    .map(version ->
                                            new Comparison.Cell(
                                                    results.speedup(program.name(), version, count),
                                                    OptionalDouble.empty()))
                                    .toList()));
        }
        List<Comparison.Cell> averages = new ArrayList<>();
        for (PaperVersion version : Cvm.COMPARED) {
            averages.add(
                    new Comparison.Cell(
                            average(program -> results.speedup(program.name(), version, count)),
                            paper(AVERAGE + " " + model, AVERAGE, version, count)));
        }
        rows.add(new Comparison.Row(AVERAGE, averages));
        return new Comparison(title("Speedups", count), 2, Comparison.labels(Cvm.COMPARED), rows);
    }

    /** Of those programs that have a value; of none if one has not run. */
    private OptionalDouble average(Function<PaperProgram, OptionalDouble> of) {
        return results.programs().stream()
                .map(of)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }

    /** In per cent of the time of all processors. */
    private Comparison times(PaperVersion version) {
        List<String> columns =
                List.of("application", "barriers", "misses", "messages", "handlers meanwhile");
        List<Comparison.Row> rows = new ArrayList<>();
        for (PaperProgram program : results.programs()) {
            Optional<SimulatedTimes> run = results.at(program.name(), version, results.most());
            if (run.isPresent()) {
                rows.add(new Comparison.Row(program.title(), shares(program, run.get())));
            }
        }
        String heading = "Where the time of the processors goes, in per cent, " + version.label();
        return new Comparison(title(heading, results.most()), 1, columns, rows);
    }

    private List<Comparison.Cell> shares(PaperProgram program, SimulatedTimes run) {
        double whole = run.seconds() * results.most();
        double work = results.sequentialSeconds().get(program.name());
        double messages = run.receiveSeconds() + run.callSeconds() + run.lockSeconds();
        double rest = whole - work - run.barrierSeconds() - run.faultSeconds() - messages;
        List<Comparison.Cell> cells = new ArrayList<>();
        for (double part :
                new double[] {work, run.barrierSeconds(), run.faultSeconds(), messages, rest}) {
            cells.add(
                    new Comparison.Cell(
                            OptionalDouble.of(PERCENT * part / whole), OptionalDouble.empty()));
        }
        return cells;
    }

    private List<Comparison> flushing() {
        return List.of(
                table(
                        "table-2 invalidations",
                        "Invalidations",
                        FLUSHING,
                        run -> run.sharing().invalidations()),
                table("table-2 misses", "Misses", FLUSHING, run -> run.sharing().misses()),
                table("table-2 diffs", "Diffs", FLUSHING, run -> run.sharing().diffs()),
                table("table-2 messages", "Messages", FLUSHING, SimulatedTimes::messages),
                table(
                        "table-2 useful",
                        "Useful pushes, in per cent of the pages pushed",
                        FLUSH,
                        CvmTables::usefulPercent),
                table(
                        "table-2 gain",
                        "Speedup with flush over without, in per cent",
                        List.of(PaperVersion.FLUSH),
                        PaperVersion.NO_FLUSH));
    }

    private List<Comparison> traffic() {
        return List.of(
                table(
                        "table-4 improvement",
                        "Speedup over a single writer, in per cent",
                        FLUSHING,
                        PaperVersion.SINGLE_WRITER),
                table(
                        "table-4 barrier",
                        "Messages of barriers",
                        FLUSH,
                        run -> run.sharing().barrierMessages()),
                table(
                        "table-4 flush",
                        "Messages of flushes",
                        FLUSH,
                        run -> run.sharing().pushMessages()),
                table("table-4 diff", "Other messages", FLUSH, CvmTables::otherMessages),
                table("table-4 total", "Messages", FLUSH, SimulatedTimes::messages),
                table(
                        "table-4 kilobytes",
                        "Data, in kilobytes",
                        List.of(
                                PaperVersion.FLUSH,
                                PaperVersion.NO_FLUSH,
                                PaperVersion.SINGLE_WRITER),
                        run -> run.bytes() / KILOBYTE));
    }

    /** Not a number if nothing was pushed. */
    private static double usefulPercent(SimulatedTimes run) {
        long pushes = run.sharing().pushes();
        return PERCENT * (pushes - run.sharing().pushesWasted()) / pushes;
    }

    private static double otherMessages(SimulatedTimes run) {
        return run.messages() - run.sharing().barrierMessages() - run.sharing().pushMessages();
    }

    /** How much longer the run of another version takes. */
    private Comparison table(
            String table, String title, List<PaperVersion> versions, PaperVersion other) {
        return cells(
                table,
                title,
                versions,
                (program, version) -> {
                    Optional<SimulatedTimes> slow = at(program, other);
                    Optional<SimulatedTimes> fast = at(program, version);
                    return slow.isEmpty() || fast.isEmpty()
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(
                                    PERCENT * (slow.get().seconds() / fast.get().seconds() - 1));
                });
    }

    private Comparison table(
            String table,
            String title,
            List<PaperVersion> versions,
            ToDoubleFunction<SimulatedTimes> quantity) {
        return cells(
                table,
                title,
                versions,
                (program, version) ->
                        at(program, version).stream()
                                .mapToDouble(quantity)
                                .filter(Double::isFinite)
                                .findFirst());
    }

    /** What of ours stands in a cell. */
    private interface Ours {
        OptionalDouble of(PaperProgram program, PaperVersion version);
    }

    private Comparison cells(String table, String title, List<PaperVersion> versions, Ours ours) {
        List<Comparison.Row> rows = new ArrayList<>();
        for (PaperProgram program : results.programs()) {
            List<Comparison.Cell> cells = new ArrayList<>();
            for (PaperVersion version : versions) {
                cells.add(
                        new Comparison.Cell(
                                ours.of(program, version),
                                paper(table, program.row(), version, results.most())));
            }
            rows.add(new Comparison.Row(program.title(), cells));
        }
        return new Comparison(title(title, results.most()), 0, Comparison.labels(versions), rows);
    }

    private Optional<SimulatedTimes> at(PaperProgram program, PaperVersion version) {
        return results.at(program.name(), version, results.most());
    }

    private OptionalDouble paper(String table, String row, PaperVersion version, int count) {
        return count == PAPER_NODES ? values.of(table, row, version) : OptionalDouble.empty();
    }

    private static String title(String title, int count) {
        return String.format(Locale.ROOT, "%s (%d processors)", title, count);
    }
}
