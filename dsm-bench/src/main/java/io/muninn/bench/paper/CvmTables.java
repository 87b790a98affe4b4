package io.muninn.bench.paper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * CVM's Tables 2 to 4, the speedups and times of its Figures 1 to 3, and what advice changes, from
 * our runs. All but the speedups are about the large problems.
 */
final class CvmTables {
    /** What the paper's numbers are about. */
    private static final int PAPER_NODES = 8;

    private static final List<PaperVersion> FLUSHING =
            List.of(PaperVersion.NO_FLUSH, PaperVersion.ADVISED, PaperVersion.FLUSH);
    private static final List<PaperVersion> FLUSH = List.of(PaperVersion.FLUSH);
    private static final List<PaperVersion> PUSHING =
            List.of(PaperVersion.ADVISED, PaperVersion.FLUSH);

    /** The same version with other pages. */
    private static final List<List<PaperVersion>> LAYOUTS =
            List.of(
                    List.of(
                            PaperVersion.NO_FLUSH,
                            PaperVersion.NO_FLUSH_8K,
                            PaperVersion.NO_FLUSH_PACKED),
                    List.of(
                            PaperVersion.ADVISED,
                            PaperVersion.ADVISED_8K,
                            PaperVersion.ADVISED_PACKED));

    private static final List<PaperVersion> REDUCING =
            List.of(PaperVersion.LOCKS, PaperVersion.NO_FLUSH);

    /** The columns of Figure 3. */
    static final List<String> TIMES =
            List.of("application", "barriers", "misses", "messages", "handlers meanwhile");

    private static final String AVERAGE = "average";
    private static final double KILOBYTE = 1024;
    private static final double PERCENT = 100;

    private final PaperResults results;
    private final PaperValues values;
    private final List<PaperProgram> rows; // of all tables but that of speedups

    CvmTables(PaperResults results, PaperValues values) {
        this(
                results,
                values,
                results.programs().stream().filter(PaperProgram::isInTables).toList());
    }

    private CvmTables(PaperResults results, PaperValues values, List<PaperProgram> rows) {
        this.results = results;
        this.values = values;
        this.rows = rows;
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
        CvmTables mine = areOfTables ? this : new CvmTables(results, PaperValues.NONE);
        put(all, "Figure 3", List.copyOf(figure3().values()));
        put(all, "Table 2", mine.flushing());
        put(all, "Pages", areOfTables ? mine.layouts() : List.of());
        put(all, "Table 3", mine.reductions());
        put(all, "Table 4", mine.traffic());
        put(all, "Advice", mine.advice());
        return all;
    }

    /** Only what was run on these machines. */
    private static void put(
            SortedMap<String, List<Comparison>> all, String title, List<Comparison> comparisons) {
        List<Comparison> run =
                comparisons.stream()
                        .filter(each ->
                                each.rows().stream()
                                        .flatMap(row -> row.cells().stream())
                                        .anyMatch(cell -> cell.ours().isPresent()))
                        .toList();
        if (!run.isEmpty()) {
            all.put(title, run);
        }
    }

    private Comparison speedups(String model, int count) {
        List<Comparison.Row> speedups = new ArrayList<>();
        for (PaperProgram program : results.programs()) {
            speedups.add(
                    new Comparison.Row(
                            program.title(),
                            Cvm.COMPARED.stream()
                                    .map(version ->
                                            new Comparison.Cell(
                                                    results.speedup(program.name(), version, count),
                                                    OptionalDouble.empty()))
                                    .toList()));
        }
        speedups.add(averages(AVERAGE, rows, AVERAGE + " " + model, count));
        List<PaperProgram> small = new ArrayList<>(results.programs());
        small.removeAll(rows);
        speedups.add(averages(AVERAGE + ", small", small, "", count));
        return new Comparison(
                title("Speedups", count), 2, Comparison.labels(Cvm.COMPARED), speedups);
    }

    private Comparison.Row averages(
            String title, List<PaperProgram> programs, String table, int count) {
        List<Comparison.Cell> averages = new ArrayList<>();
        for (PaperVersion version : Cvm.COMPARED) {
            averages.add(
                    new Comparison.Cell(
                            average(
                                    programs,
                                    program -> results.speedup(program.name(), version, count)),
                            paper(table, AVERAGE, version, count)));
        }
        return new Comparison.Row(title, averages);
    }

    /** Of those programs that have a value. */
    private static OptionalDouble average(
            List<PaperProgram> programs, Function<PaperProgram, OptionalDouble> of) {
        return programs.stream()
                .map(of)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }

    /** By label of the version. */
    SequencedMap<String, Comparison> figure3() {
        SequencedMap<String, Comparison> all = new LinkedHashMap<>();
        for (PaperVersion version : List.of(PaperVersion.FLUSH, PaperVersion.NO_FLUSH)) {
            all.put(version.label(), times(version));
        }
        return all;
    }

    /** In per cent of the time of all processors. */
    private Comparison times(PaperVersion version) {
        List<Comparison.Row> shown = new ArrayList<>();
        for (PaperProgram program : rows) {
            Optional<SimulatedTimes> run = results.at(program.name(), version, results.most());
            if (run.isPresent()) {
                shown.add(new Comparison.Row(program.title(), shares(program, run.get())));
            }
        }
        String heading = "Where the time of the processors goes, in per cent, " + version.label();
        return new Comparison(title(heading, results.most()), 1, TIMES, shown);
    }

    private List<Comparison.Cell> shares(PaperProgram program, SimulatedTimes run) {
        double whole = run.seconds() * results.most();
        double work = Known.of(results.sequentialSeconds(), program.name());
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
                table(
                        "",
                        "Misses from the third time step on",
                        FLUSHING,
                        run -> run.sharing().laterMisses()),
                table("table-2 diffs", "Diffs", FLUSHING, run -> run.sharing().diffs()),
                table("table-2 messages", "Messages", FLUSHING, SimulatedTimes::messages),
                table(
                        "table-2 useful",
                        "Useful pushes, in per cent of the pages pushed",
                        1,
                        PUSHING,
                        CvmTables::usefulPercent),
                table(
                        "table-2 gain",
                        "Speedup with flush over without, in per cent",
                        PUSHING,
                        PaperVersion.NO_FLUSH));
    }

    /** What Table 2 counts, with pages of other sizes and with variables that share pages. */
    private List<Comparison> layouts() {
        List<Comparison> all = new ArrayList<>();
        for (List<PaperVersion> versions : LAYOUTS) {
            String how = ", " + versions.getFirst().label();
            all.add(
                    table(
                            "table-2 invalidations",
                            "Invalidations" + how,
                            versions,
                            run -> run.sharing().invalidations()));
            all.add(
                    table(
                            "table-2 misses",
                            "Misses" + how,
                            versions,
                            run -> run.sharing().misses()));
            all.add(table("table-2 diffs", "Diffs" + how, versions, run -> run.sharing().diffs()));
            all.add(
                    table(
                            "table-2 messages",
                            "Messages" + how,
                            versions,
                            SimulatedTimes::messages));
        }
        return all;
    }

    /** Of the programs that reduce. */
    private List<Comparison> reductions() {
        List<PaperProgram> reducing =
                rows.stream().filter(each -> at(each, PaperVersion.LOCKS).isPresent()).toList();
        List<Comparison> all = new ArrayList<>();
        if (!reducing.isEmpty()) {
            all.addAll(new CvmTables(results, values, reducing).reducing());
            all.add(benefit());
        }
        return all;
    }

    private List<Comparison> reducing() {
        return List.of(
                table(
                        "table-3 invalidations",
                        "Invalidations",
                        REDUCING,
                        run -> run.sharing().invalidations()),
                table("table-3 misses", "Misses", REDUCING, run -> run.sharing().misses()),
                table("table-3 diffs", "Diffs", REDUCING, run -> run.sharing().diffs()),
                table("table-3 messages", "Messages", REDUCING, SimulatedTimes::messages),
                table("", "Messages of locks", REDUCING, run -> run.sharing().lockMessages()),
                table(
                        "table-3 overhead",
                        "Time waiting for locks, in per cent of the time of all processors",
                        1,
                        List.of(PaperVersion.LOCKS),
                        run -> PERCENT * run.lockSeconds() / (run.seconds() * results.most())),
                table(
                        "table-3 gain",
                        "Speedup with reductions over without, in per cent",
                        List.of(PaperVersion.NO_FLUSH),
                        PaperVersion.LOCKS));
    }

    /** Of reductions and pushes together. */
    private Comparison benefit() {
        List<Comparison.Row> shown = new ArrayList<>();
        for (PaperProgram program : rows) {
            shown.add(
                    new Comparison.Row(
                            program.title(),
                            List.of(
                                    new Comparison.Cell(
                                            benefit(program), OptionalDouble.empty()))));
        }
        shown.add(
                new Comparison.Row(
                        AVERAGE,
                        List.of(
                                new Comparison.Cell(
                                        average(rows, this::benefit),
                                        paper(
                                                "benefit",
                                                AVERAGE,
                                                PaperVersion.FLUSH,
                                                results.most())))));
        String title = "Section 4.6: speedup with flush and reductions, in per cent";
        return new Comparison(title(title, results.most()), 1, Comparison.labels(FLUSH), shown);
    }

    private OptionalDouble benefit(PaperProgram program) {
        boolean isReducing = at(program, PaperVersion.LOCKS).isPresent();
        return gain(
                program,
                isReducing ? PaperVersion.LOCKS : PaperVersion.NO_FLUSH,
                PaperVersion.FLUSH);
    }

    /** How the times of pushes to all who asked, of no pushes, and of ours compare. */
    private List<Comparison> advice() {
        List<PaperVersion> versions =
                List.of(PaperVersion.NO_FLUSH, PaperVersion.ADVISED, PaperVersion.FLUSH);
        return List.of(
                cells("", "Seconds", 3, versions, this::seconds),
                cells(
                        "",
                        "Time beyond that of the better of both advices, in per cent",
                        1,
                        FLUSH,
                        (program, version) -> {
                            OptionalDouble none = seconds(program, PaperVersion.NO_FLUSH);
                            OptionalDouble all = seconds(program, PaperVersion.ADVISED);
                            OptionalDouble mine = seconds(program, version);
                            return none.isEmpty() || all.isEmpty() || mine.isEmpty()
                                    ? OptionalDouble.empty()
                                    : OptionalDouble.of(
                                            percentBeyond(
                                                    mine.getAsDouble(),
                                                    Math.min(
                                                            none.getAsDouble(),
                                                            all.getAsDouble())));
                        }),
                table("", "Misses", PUSHING, run -> run.sharing().misses()),
                table("", "Messages", PUSHING, SimulatedTimes::messages),
                table(
                        "",
                        "Useful pushes, in per cent of the pages pushed",
                        1,
                        PUSHING,
                        CvmTables::usefulPercent));
    }

    private OptionalDouble seconds(PaperProgram program, PaperVersion version) {
        return at(program, version).stream().mapToDouble(SimulatedTimes::seconds).findFirst();
    }

    private static double percentBeyond(double slow, double fast) {
        return PERCENT * (slow / fast - 1);
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
                        "Messages of barriers; calibrated by the numbers of steps",
                        PUSHING,
                        run -> run.sharing().barrierMessages()),
                table(
                        "table-4 flush",
                        "Messages of flushes",
                        PUSHING,
                        run -> run.sharing().pushMessages()),
                table("table-4 diff", "Other messages", PUSHING, CvmTables::otherMessages),
                table("table-4 total", "Messages", PUSHING, SimulatedTimes::messages),
                table(
                        "table-4 kilobytes",
                        "Data, in kilobytes; calibrated for IRREG by its points",
                        List.of(
                                PaperVersion.ADVISED,
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
                table, title, 1, versions, (program, version) -> gain(program, other, version));
    }

    private OptionalDouble gain(PaperProgram program, PaperVersion slow, PaperVersion fast) {
        OptionalDouble before = seconds(program, slow);
        OptionalDouble after = seconds(program, fast);
        return before.isEmpty() || after.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(percentBeyond(before.getAsDouble(), after.getAsDouble()));
    }

    private Comparison table(
            String table,
            String title,
            List<PaperVersion> versions,
            ToDoubleFunction<SimulatedTimes> quantity) {
        return table(table, title, 0, versions, quantity);
    }

    private Comparison table(
            String table,
            String title,
            int decimals,
            List<PaperVersion> versions,
            ToDoubleFunction<SimulatedTimes> quantity) {
        return cells(
                table,
                title,
                decimals,
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

    private Comparison cells(
            String table, String title, int decimals, List<PaperVersion> versions, Ours ours) {
        List<Comparison.Row> shown = new ArrayList<>();
        for (PaperProgram program : rows) {
            List<Comparison.Cell> cells = new ArrayList<>();
            for (PaperVersion version : versions) {
                cells.add(
                        new Comparison.Cell(
                                ours.of(program, version),
                                paper(table, program.row(), version, results.most())));
            }
            if (cells.stream().anyMatch(cell -> cell.ours().isPresent())) {
                shown.add(new Comparison.Row(program.title(), cells));
            }
        }
        return new Comparison(
                title(title, results.most()), decimals, Comparison.labels(versions), shown);
    }

    private Optional<SimulatedTimes> at(PaperProgram program, PaperVersion version) {
        return results.at(program.name(), version, results.most());
    }

    private OptionalDouble paper(String table, String row, PaperVersion version, int count) {
        return count == PAPER_NODES
                ? values.of(table, row, version.inPaper())
                : OptionalDouble.empty();
    }

    private static String title(String title, int count) {
        return String.format(Locale.ROOT, "%s (%d processors)", title, count);
    }
}
