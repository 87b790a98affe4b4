package io.muninn.bench.paper;

import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Tables 1 to 5 of the paper on nodes of several processors, and how its ways to share compare. */
final class HlrcTables {
    static final double MEGABYTE = 1e6;
    static final double PERCENT = 100;

    /** Section 4: 200 MHz. */
    private static final double NANOS_PER_CYCLE = 5;

    /** Table 1 counts in so many cycles. */
    private static final double CYCLES = 1e7;

    private static final String SPEEDUPS = "Table 2";
    private static final String SHARING = "Sharing";

    private final PaperResults results;
    private final PaperValues values;

    HlrcTables(PaperResults results, PaperValues values) {
        this.results = results;
        this.values = values;
    }

    /** By title, each of one comparison or more. */
    SortedMap<String, List<Comparison>> all() {
        SortedMap<String, List<Comparison>> all = new TreeMap<>(speedupsOnly());
        all.put("Table 1", table1());
        all.put("Table 3", List.of(efficiency()));
        put(all, "Table 4", PaperVersion.AURC_1, PaperVersion.AURC_4);
        put(all, "Table 5", PaperVersion.HLRC_1, PaperVersion.HLRC_4);
        return all;
    }

    SortedMap<String, List<Comparison>> speedupsOnly() {
        SortedMap<String, List<Comparison>> all = new TreeMap<>();
        all.put(SPEEDUPS, List.of(speedups("table-2 speedup", "Speedup", isRun(Hlrc.COMPARED))));
        List<PaperVersion> sharing = isRun(Hlrc.SHARING);
        if (sharing.equals(Hlrc.SHARING)) {
            all.put(SHARING, List.of(speedups("", "Speedup", sharing)));
        }
        return all;
    }

    private void put(
            SortedMap<String, List<Comparison>> all,
            String title,
            PaperVersion base,
            PaperVersion other) {
        if (!isRun(List.of(base, other)).isEmpty()) {
            all.put(title, changes(title.toLowerCase(Locale.ROOT).replace(' ', '-'), base, other));
        }
    }

    /** Those versions that any program was run in. */
    private List<PaperVersion> isRun(List<PaperVersion> versions) {
        return versions.stream()
                .filter(version ->
                        results.programs().stream()
                                .anyMatch(program -> of(program, version, _ -> 0).isPresent()))
                .toList();
    }

    private Comparison speedups(String table, String title, List<PaperVersion> versions) {
        return cells(
                title,
                2,
                versions,
                (program, version) ->
                        new Comparison.Cell(
                                results.speedup(program.name(), version, results.most()),
                                paper(table, program, version)));
    }

    private Comparison efficiency() {
        return cells(
                "Efficiency, in per cent",
                0,
                isRun(Hlrc.COMPARED),
                (program, version) ->
                        new Comparison.Cell(
                                of(program, version, HlrcTables::efficiency),
                                paper("table-3 efficiency", program, version)));
    }

    /** Section 7: computation and cache stall in the time of all processors, in per cent. */
    static double efficiency(SimulatedTimes run) {
        List<ProcessorTimes> threads = run.clustering().threads();
        double useful =
                ProcessorPart.COMPUTE.nanos(threads) + ProcessorPart.CPU_STALL.nanos(threads);
        double elapsed = threads.stream().mapToLong(ProcessorTimes::totalNanos).sum();
        return PERCENT * useful / elapsed;
    }

    private List<Comparison> table1() {
        return List.of(
                counts("faults", "Page faults", SimulatedTimes::faults),
                counts("fetches", "Page fetches", run -> run.clustering().fetches()),
                counts(
                        "local locks",
                        "Acquires of locks inside the node",
                        run -> run.clustering().localLocks()),
                counts(
                        "remote locks",
                        "Acquires of locks from other nodes",
                        run -> run.clustering().remoteLocks()),
                counts("barriers", "Barriers", HlrcTables::barriers));
    }

    private Comparison counts(
            String quantity, String title, ToDoubleFunction<SimulatedTimes> count) {
        return cells(
                title + " for each 10^7 cycles of computation and processor",
                2,
                Hlrc.HLRC,
                (program, version) ->
                        new Comparison.Cell(
                                of(
                                        program,
                                        version,
                                        run -> perCycles(run, count.applyAsDouble(run))),
                                paper("table-1 " + quantity, program, version)));
    }

    /** A count of all processors, for each 10^7 cycles that one of them computes. */
    static double perCycles(SimulatedTimes run, double count) {
        double compute = ProcessorPart.COMPUTE.nanos(run.clustering().threads());
        return CYCLES * count / (compute / NANOS_PER_CYCLE);
    }

    /** Of all processors. */
    private static double barriers(SimulatedTimes run) {
        return run.clustering().threads().stream()
                .mapToLong(thread -> thread.stalls(ProcessorUse.BARRIER_STALL))
                .sum();
    }

    /** A version and what changes to another. */
    private List<Comparison> changes(String table, PaperVersion base, PaperVersion other) {
        List<Comparison> all = new ArrayList<>();
        for (ProcessorPart part : ProcessorPart.values()) {
            all.add(
                    shares(
                            table + " " + part.word(),
                            capital(part.label()),
                            base,
                            other,
                            run -> part.nanos(run.clustering().threads())));
        }
        all.add(
                shares(
                        table + " barrier-wait",
                        "Barrier wait",
                        base,
                        other,
                        run -> waitNanos(run, ProcessorUse.BARRIER_STALL)));
        all.add(
                shares(
                        table + " lock-wait",
                        "Lock wait",
                        base,
                        other,
                        run -> waitNanos(run, ProcessorUse.LOCK_STALL)));
        all.add(
                change(
                        table + " fetch-cycles",
                        "Cycles of a page fetch",
                        base,
                        other,
                        HlrcTables::fetchCycles));
        all.add(
                change(
                        table + " fetches",
                        "Page fetches of a processor",
                        base,
                        other,
                        run -> ofOne(run, run.clustering().fetches())));
        all.add(
                change(
                        table + " local-locks",
                        "Acquires inside the node, of a processor",
                        base,
                        other,
                        run -> ofOne(run, run.clustering().localLocks())));
        all.add(
                change(
                        table + " remote-locks",
                        "Acquires from other nodes, of a processor",
                        base,
                        other,
                        run -> ofOne(run, run.clustering().remoteLocks())));
        return all;
    }

    /** Until a lock was released, or the last processor arrived at a barrier. */
    private static double waitNanos(SimulatedTimes run, ProcessorUse why) {
        return run.clustering().threads().stream().mapToLong(thread -> thread.waitNanos(why)).sum();
    }

    private static String capital(String label) {
        return label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1);
    }

    /** As in Tables 4 and 5, where fetches times cycles are the data wait; 0 without fetches. */
    private static double fetchCycles(SimulatedTimes run) {
        double waited = ProcessorPart.DATA_WAIT.nanos(run.clustering().threads());
        return waited / NANOS_PER_CYCLE / Math.max(1, run.clustering().fetches());
    }

    private static double ofOne(SimulatedTimes run, double ofAll) {
        return ofAll / run.clustering().threads().size();
    }

    /**
     * A share of the computation, in per cent: of that of the processor that computes least in the
     * base version. So the mean of the computation itself is above a hundred where it is uneven, as
     * the paper's 114 of LU.
     */
    private Comparison shares(
            String table,
            String title,
            PaperVersion base,
            PaperVersion other,
            ToDoubleFunction<SimulatedTimes> nanos) {
        List<Comparison.Row> rows = new ArrayList<>();
        for (PaperProgram program : results.programs()) {
            double least = of(program, base, HlrcTables::leastComputation).orElse(Double.NaN);
            rows.add(
                    row(
                            table,
                            program,
                            base,
                            other,
                            run -> PERCENT * ofOne(run, nanos.applyAsDouble(run)) / least));
        }
        return new Comparison(
                title(title + ", in per cent of the compute time"), 0, columns(base, other), rows);
    }

    private static double leastComputation(SimulatedTimes run) {
        return run.clustering().threads().stream()
                .mapToLong(ProcessorPart.COMPUTE::nanos)
                .min()
                .orElse(0);
    }

    private Comparison change(
            String table,
            String title,
            PaperVersion base,
            PaperVersion other,
            ToDoubleFunction<SimulatedTimes> quantity) {
        return new Comparison(
                title(title),
                0,
                columns(base, other),
                results.programs().stream()
                        .map(program -> row(table, program, base, other, quantity))
                        .toList());
    }

    private static List<String> columns(PaperVersion base, PaperVersion other) {
        return List.of(base.label(), "change to " + other.label());
    }

    private Comparison.Row row(
            String table,
            PaperProgram program,
            PaperVersion base,
            PaperVersion other,
            ToDoubleFunction<SimulatedTimes> quantity) {
        OptionalDouble before = of(program, base, quantity);
        OptionalDouble after = of(program, other, quantity);
        OptionalDouble change =
                before.isEmpty() || after.isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(after.getAsDouble() - before.getAsDouble());
        return new Comparison.Row(
                program.title(),
                List.of(
                        new Comparison.Cell(before, paper(table, program, base)),
                        new Comparison.Cell(change, paper(table, program, other))));
    }

    private Comparison cells(
            String title, int decimals, List<PaperVersion> versions, Comparison.Cells cells) {
        return Comparison.of(title(title), decimals, results.programs(), versions, cells);
    }

    private OptionalDouble of(
            PaperProgram program, PaperVersion version, ToDoubleFunction<SimulatedTimes> quantity) {
        return results.at(program.name(), version, results.most()).stream()
                .mapToDouble(quantity)
                .filter(Double::isFinite)
                .findFirst();
    }

    private OptionalDouble paper(String table, PaperProgram program, PaperVersion version) {
        return results.most() == Hlrc.PROCESSORS
                ? values.of(table, program.row(), version)
                : OptionalDouble.empty();
    }

    private String title(String title) {
        return String.format(Locale.ROOT, "%s (%d processors)", title, results.most());
    }
}
