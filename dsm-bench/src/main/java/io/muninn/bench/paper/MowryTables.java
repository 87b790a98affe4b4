package io.muninn.bench.paper;

import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Tables 1 and 2 of the paper on prefetching and multithreading, and the numbers of its Figures 1
 * to 5, from our runs.
 */
final class MowryTables {
    /** What the paper's numbers are about. */
    private static final int PAPER_NODES = 8;

    private static final double KILOBYTE = 1024;
    private static final double PERCENT = 100;
    private static final double MICROS = 1e3;

    /** The columns of tables of times. */
    static final List<String> PARTS = TimePart.labels(List.of(TimePart.values()));

    /** The columns of Figure 3. */
    static final List<String> FATES = List.of("not prefetched", "hit", "too late", "invalidated");

    private static final List<PaperVersion> ORIGINAL = List.of(PaperVersion.ORIGINAL);
    private static final List<PaperVersion> PREFETCH = List.of(PaperVersion.PREFETCH);

    private final PaperResults results;
    private final PaperValues values;

    MowryTables(PaperResults results, PaperValues values) {
        this.results = results;
        this.values = values;
    }

    /** By title, each of one comparison or more. */
    SortedMap<String, List<Comparison>> all() {
        SortedMap<String, List<Comparison>> all = new TreeMap<>();
        all.put("Figure 1", figure1());
        all.put(
                "Figure 2",
                List.of(
                        parts(PaperVersion.PREFETCH),
                        figure("Speedup by prefetching, in per cent", PREFETCH, this::gain),
                        figure(
                                "Memory stall that prefetching removes, in per cent",
                                PREFETCH,
                                this::memoryRemoved)));
        all.put("Figure 3", List.of(fates()));
        all.put("Figure 4", figure4());
        all.put("Figure 5", figure5());
        all.put("Table 1", table1());
        all.put("Table 2", table2());
        return all;
    }

    private List<Comparison> figure1() {
        Comparison parts = parts(PaperVersion.ORIGINAL);
        return values.isEmpty() ? List.of(parts) : List.of(parts, withoutOverhead());
    }

    /** Ours, and the paper's if there are any. */
    SequencedMap<String, Comparison> barsOfFigure1() {
        SequencedMap<String, Comparison> all = bars(ORIGINAL);
        if (!values.isEmpty()) {
            all.put("paper", withoutOverhead().paper());
        }
        return all;
    }

    SequencedMap<String, Comparison> barsOfFigure3() {
        return new LinkedHashMap<>(Map.of("", fates()));
    }

    /** What the time of versions goes to, by label of the version. */
    SequencedMap<String, Comparison> bars(List<PaperVersion> versions) {
        SequencedMap<String, Comparison> all = new LinkedHashMap<>();
        versions.forEach(version -> all.put(version.label(), parts(version)));
        return all;
    }

    /**
     * Figure 1 prints no numbers. Table 2 has the counts and averages of all its parts but the DSM
     * overhead, so these are compared as shares of their sum.
     */
    Comparison withoutOverhead() {
        List<TimePart> parts = List.of(TimePart.BUSY, TimePart.MEMORY, TimePart.SYNCHRONIZATION);
        List<Comparison.Row> rows = new ArrayList<>();
        for (PaperProgram program : results.programs()) {
            double[] ours =
                    parts.stream()
                            .map(part -> part(program, PaperVersion.ORIGINAL, part))
                            .mapToDouble(length -> length.orElse(Double.NaN))
                            .toArray();
            double[] papers = paperMicros(program);
            List<Comparison.Cell> cells = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                cells.add(new Comparison.Cell(share(ours, i), share(papers, i)));
            }
            rows.add(new Comparison.Row(program.title(), cells));
        }
        String title = "Time of O without DSM overhead, in per cent; the paper's from its Table 2";
        return new Comparison(title(title), 1, TimePart.labels(parts), rows);
    }

    private static OptionalDouble share(double[] parts, int index) {
        double sum = DoubleStream.of(parts).sum();
        return finite(DoubleStream.of(PERCENT * parts[index] / sum));
    }

    /** Busy, at pages, and at locks and barriers, of all processors; not numbers if unknown. */
    private double[] paperMicros(PaperProgram program) {
        ToDoubleFunction<String> of =
                quantity ->
                        paper("table-2 " + quantity, program, PaperVersion.ORIGINAL)
                                .orElse(Double.NaN);
        double misses = of.applyAsDouble("misses");
        double locks = of.applyAsDouble("locks");
        return new double[] {
            of.applyAsDouble("run") * (misses + locks),
            of.applyAsDouble("miss stall") * misses,
            of.applyAsDouble("lock stall") * locks
                    + of.applyAsDouble("barrier stall") * of.applyAsDouble("barriers")
        };
    }

    private List<Comparison> figure4() {
        List<PaperVersion> threads = Mowry.THREADS.subList(1, Mowry.THREADS.size());
        List<Comparison> all = new ArrayList<>();
        all.add(figure("Speedup by threads, in per cent", threads, this::gain));
        threads.forEach(version -> all.add(parts(version)));
        return all;
    }

    private List<Comparison> figure5() {
        List<PaperVersion> faster = Mowry.COMBINED.subList(1, Mowry.COMBINED.size());
        return List.of(
                figure("Speedup over O, in per cent", faster, this::gain),
                figure(
                        "Speedup over O when threads switch at pages, too, in per cent",
                        Mowry.TWICE,
                        this::gain),
                figure(
                        "Synchronization stall, in per cent of the time of O",
                        Mowry.COMBINED,
                        (program, version) -> part(program, version, TimePart.SYNCHRONIZATION)),
                figure(
                        "Memory stall, in per cent of the time of O",
                        Mowry.COMBINED,
                        (program, version) -> part(program, version, TimePart.MEMORY)));
    }

    /** The parts of the bars of a version. */
    private Comparison parts(PaperVersion version) {
        List<Comparison.Row> rows = new ArrayList<>();
        for (PaperProgram program : results.programs()) {
            List<Comparison.Cell> cells = new ArrayList<>();
            double sum = 0;
            for (TimePart part : TimePart.values()) {
                OptionalDouble length = part(program, version, part);
                sum += length.orElse(0);
                cells.add(ours(length));
            }
            cells.add(ours(OptionalDouble.of(sum)));
            rows.add(new Comparison.Row(program.title(), cells));
        }
        List<String> columns = new ArrayList<>(PARTS);
        columns.add("together");
        String title = "Time of the processors, in per cent of that of O, " + version.label();
        return new Comparison(title(title), 1, columns, rows);
    }

    /** Its length in per cent of the time of O. */
    OptionalDouble part(PaperProgram program, PaperVersion version, TimePart part) {
        Optional<SimulatedTimes> whole = at(program, PaperVersion.ORIGINAL);
        Optional<SimulatedTimes> run = at(program, version);
        return whole.isEmpty() || run.isEmpty()
                ? OptionalDouble.empty()
                : percent(
                        part.nanos(run.get().hiding().times()),
                        whole.get().hiding().times().totalNanos());
    }

    /** How much longer O takes. */
    OptionalDouble gain(PaperProgram program, PaperVersion version) {
        Optional<SimulatedTimes> slow = at(program, PaperVersion.ORIGINAL);
        Optional<SimulatedTimes> fast = at(program, version);
        return slow.isEmpty() || fast.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(PERCENT * (slow.get().seconds() / fast.get().seconds() - 1));
    }

    OptionalDouble memoryRemoved(PaperProgram program, PaperVersion version) {
        OptionalDouble before = part(program, PaperVersion.ORIGINAL, TimePart.MEMORY);
        OptionalDouble after = part(program, version, TimePart.MEMORY);
        return before.isEmpty() || after.isEmpty() || before.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(PERCENT * (1 - after.getAsDouble() / before.getAsDouble()));
    }

    /** What became of the stops at pages that would be misses without prefetches. */
    private Comparison fates() {
        List<Comparison.Row> rows = new ArrayList<>();
        for (PaperProgram program : results.programs()) {
            Optional<SimulatedTimes> run = at(program, PaperVersion.PREFETCH);
            if (run.isPresent()) {
                FaultFates.Counts faults = run.get().hiding().faults();
                long[] counts = {
                    faults.alone(), faults.hits(), faults.late(), faults.invalidated()
                };
                rows.add(
                        new Comparison.Row(
                                program.title(),
                                Arrays.stream(counts)
                                        .mapToObj(count -> percent(count, faults.all()))
                                        .map(MowryTables::ours)
                                        .toList()));
            }
        }
        return new Comparison(title("Misses of O, in per cent"), 1, FATES, rows);
    }

    private List<Comparison> table1() {
        return List.of(
                table(
                        "table-1 unnecessary",
                        "Unnecessary prefetches, in per cent",
                        1,
                        PREFETCH,
                        run -> PERCENT * run.hiding().unnecessary() / run.hiding().prefetches()),
                table(
                        "table-1 coverage",
                        "Coverage factor, in per cent",
                        1,
                        PREFETCH,
                        run -> {
                            FaultFates.Counts faults = run.hiding().faults();
                            return PERCENT * (faults.all() - faults.alone()) / faults.all();
                        }),
                table(
                        "table-1 kilobytes",
                        "Total traffic, in kilobytes",
                        Mowry.PREFETCHING,
                        run -> run.bytes() / KILOBYTE),
                table(
                        "table-1 misses",
                        "Total misses",
                        Mowry.PREFETCHING,
                        run -> run.hiding().faults().misses()),
                table(
                        "table-1 latency",
                        "Average miss latency, in microseconds",
                        Mowry.PREFETCHING,
                        MowryTables::latencyMicros),
                table(
                        "table-1 dropped",
                        "Prefetches that the network dropped",
                        PREFETCH,
                        run -> run.hiding().dropped()));
    }

    private List<Comparison> table2() {
        return List.of(
                threads("stall", "Average stall, in microseconds", MowryTables::stallMicros),
                threads("run", "Average run length, in microseconds", MowryTables::runMicros),
                threads("messages", "Messages", SimulatedTimes::messages),
                threads("kilobytes", "Volume, in kilobytes", run -> run.bytes() / KILOBYTE),
                threads("misses", "Remote misses", run -> run.hiding().faults().misses()),
                threads(
                        "miss stall",
                        "Average stall of a remote miss, in microseconds",
                        MowryTables::latencyMicros),
                threads(
                        "locks",
                        "Remote locks",
                        run -> run.hiding().times().stalls(ProcessorUse.LOCK_STALL)),
                threads(
                        "lock stall",
                        "Average stall of a remote lock, in microseconds",
                        run -> averageMicros(run, ProcessorUse.LOCK_STALL)),
                threads("barriers", "Remote barriers", run -> run.hiding().barriers()),
                threads(
                        "barrier stall",
                        "Average stall of a remote barrier, in microseconds",
                        run ->
                                run.hiding().times().nanos(ProcessorUse.BARRIER_STALL)
                                        / MICROS
                                        / run.hiding().barriers()));
    }

    /** Without the stops at pages that concern no other node. */
    static double latencyMicros(SimulatedTimes run) {
        double stalled = run.hiding().times().nanos(ProcessorUse.MEMORY_STALL);
        return stalled / MICROS / run.hiding().faults().misses();
    }

    private static double averageMicros(SimulatedTimes run, ProcessorUse why) {
        ProcessorTimes times = run.hiding().times();
        return times.nanos(why) / MICROS / times.stalls(why);
    }

    private static double stallMicros(SimulatedTimes run) {
        ProcessorTimes times = run.hiding().times();
        long stalled =
                times.nanos(ProcessorUse.MEMORY_STALL) + times.nanos(ProcessorUse.LOCK_STALL);
        return stalled / MICROS / stops(run);
    }

    private static double runMicros(SimulatedTimes run) {
        return run.hiding().times().nanos(ProcessorUse.BUSY) / MICROS / stops(run);
    }

    /** Stops of threads for other nodes, as far as Table 2 has them in its averages. */
    private static long stops(SimulatedTimes run) {
        return run.hiding().faults().misses()
                + run.hiding().times().stalls(ProcessorUse.LOCK_STALL);
    }

    private Comparison threads(
            String quantity, String title, ToDoubleFunction<SimulatedTimes> ours) {
        return table("table-2 " + quantity, title, Mowry.THREADS, ours);
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
                title,
                decimals,
                versions,
                (program, version) ->
                        new Comparison.Cell(
                                finite(at(program, version).stream().mapToDouble(quantity)),
                                paper(table, program, version)));
    }

    private static OptionalDouble finite(DoubleStream of) {
        return of.filter(Double::isFinite).findFirst();
    }

    private OptionalDouble paper(String table, PaperProgram program, PaperVersion version) {
        return results.most() == PAPER_NODES
                ? values.of(table, program.row(), version)
                : OptionalDouble.empty();
    }

    /** What of ours a figure's numbers are. */
    private interface Ours {
        OptionalDouble of(PaperProgram program, PaperVersion version);
    }

    private Comparison figure(String title, List<PaperVersion> versions, Ours ours) {
        return cells(title, 1, versions, (program, version) -> ours(ours.of(program, version)));
    }

    private Comparison cells(
            String title, int decimals, List<PaperVersion> versions, Comparison.Cells cells) {
        return Comparison.of(title(title), decimals, results.programs(), versions, cells);
    }

    private static Comparison.Cell ours(OptionalDouble value) {
        return new Comparison.Cell(value, OptionalDouble.empty());
    }

    private static OptionalDouble percent(long part, long whole) {
        return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of(PERCENT * part / whole);
    }

    private Optional<SimulatedTimes> at(PaperProgram program, PaperVersion version) {
        return results.at(program.name(), version, results.most());
    }

    private String title(String title) {
        return String.format(Locale.ROOT, "%s (%d processors)", title, results.most());
    }
}
