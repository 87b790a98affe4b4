package io.muninn.bench.paper;

import io.muninn.bench.output.ChartFiles;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.knowm.xchart.CategoryChart;

/**
 * A figure of what the time of processors went to: a bar for each program and version, of which the
 * first version's is a hundred per cent long.
 *
 * @param number as the paper numbers it
 * @param title for readers
 * @param versions bars of a program
 */
record TimeFigure(int number, String title, List<PaperVersion> versions) implements Figure {
    private static final double PERCENT = 100;

    /** A part of a bar, the lowest first. */
    enum Part {
        BUSY("busy", ProcessorUse.BUSY),
        OVERHEAD("DSM overhead", ProcessorUse.RUNTIME),
        MEMORY("memory stall", ProcessorUse.MEMORY_STALL),
        SYNCHRONIZATION(
                "synchronization stall",
                ProcessorUse.LOCK_STALL,
                ProcessorUse.BARRIER_STALL,
                ProcessorUse.OTHER_STALL,
                ProcessorUse.IDLE),
        SWITCHING("multithreading overhead", ProcessorUse.SWITCHING),
        PREFETCH("prefetch overhead", ProcessorUse.PREFETCH);

        private final String label;
        private final List<ProcessorUse> uses;

        Part(String label, ProcessorUse... uses) {
            this.label = label;
            this.uses = List.of(uses);
        }

        String label() {
            return label;
        }

        long nanos(ProcessorTimes times) {
            return uses.stream().mapToLong(times::nanos).sum();
        }
    }

    TimeFigure {
        versions = List.copyOf(versions);
    }

    /** Length of a part in per cent of the first version's bar; empty if one has not run. */
    static Optional<Double> percent(
            PaperResults results, PaperProgram program, PaperVersion version, Part part) {
        Optional<SimulatedTimes> whole =
                results.at(program.name(), PaperVersion.ORIGINAL, results.most());
        Optional<SimulatedTimes> run = results.at(program.name(), version, results.most());
        return whole.isEmpty() || run.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        PERCENT
                                * part.nanos(run.get().hiding().times())
                                / whole.get().hiding().times().totalNanos());
    }

    @Override
    public boolean write(PaperResults results, Path folder) throws IOException {
        List<String> bars = new ArrayList<>();
        List<List<Double>> lengths = new ArrayList<>();
        for (Part _ : Part.values()) {
            lengths.add(new ArrayList<>());
        }
        for (PaperProgram program : results.programs()) {
            for (PaperVersion version : versions) {
                bars.add(program.title() + " " + version.label());
                for (Part part : Part.values()) {
                    lengths.get(part.ordinal())
                            .add(percent(results, program, version, part).orElse(0.0));
                }
            }
        }
        CategoryChart chart =
                ChartFiles.stackedBars(
                        "Figure " + number + ": " + title, "per cent of the time of O");
        for (Part part : Part.values()) {
            chart.addSeries(part.label(), bars, lengths.get(part.ordinal()));
        }
        ChartFiles.write(chart, folder, fileName());
        return true;
    }
}
