package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.lifecycle.RaceList;
import io.muninn.api.Verdict;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.option.MachineOptions;
import io.muninn.launch.option.NodeOptions;
import io.muninn.launch.option.SimulatedProtocol;
import io.muninn.launch.process.Progress;
import io.muninn.launch.report.HardwareTable;
import io.muninn.launch.report.ProcessorTable;
import io.muninn.launch.report.RunReports;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.report.FileErrors;
import io.muninn.report.NodeReport;
import io.muninn.report.RegionTable;
import io.muninn.report.ReportFile;
import io.muninn.report.ReportJson;
import io.muninn.report.ReportPage;
import io.muninn.report.ReportTable;
import io.muninn.report.RunFailure;
import io.muninn.report.RunReport;
import io.muninn.report.Units;
import io.muninn.sim.Observer;
import io.muninn.sim.Violation;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A simulated run of a program, reported as by {@code dsm run}. */
final class SimulatedRun {
    private static final NodeReport.Engine ENGINE = new NodeReport.Engine("simulated", "", "");

    private final BuiltInProgram program;
    private final List<String> options;
    private final int nodes;
    private final NodeThreads threads;
    private final AppRun run;
    private final RaceList races = new RaceList();
    private Optional<SimulatedProtocol> protocol = Optional.empty();
    private Optional<Path> json = Optional.empty();
    private Optional<Path> page = Optional.empty();
    private Optional<SimulatedWaits> waits = Optional.empty();
    private final List<Observer> observers = new ArrayList<>();
    private boolean checksRaces;
    private boolean stats;
    private boolean everyPage;

    /**
     * @param program accepts its options and a cluster of this size
     */
    SimulatedRun(BuiltInProgram program, List<String> options, int nodes, NodeThreads threads) {
        this.program = program;
        this.options = options;
        this.nodes = nodes;
        this.threads = threads;
        run =
                AppRun.of(() -> program.create(options), nodes)
                        .processes(threads.processes())
                        .threads(threads.perProcess());
    }

    /** Overrides every annotation. */
    void protocol(SimulatedProtocol override) {
        protocol = Optional.of(override);
        run.protocol(override.protocol());
    }

    void machines(MachineModel model, Delays delays, ProcessorRules processors) {
        run.model(model).delays(delays).processors(processors);
    }

    /** Simulates nodes with several processors, by a model of their hardware. */
    void machine(MachineOptions.Smp smp) {
        run.machine(smp.model(), smp.policy(), smp.hasUpdates(), smp.seed());
    }

    void holdMicros(long micros) {
        run.holdNanos(TimeUnit.MICROSECONDS.toNanos(micros));
    }

    void updates(UpdateRules rules, AdaptiveTwinRules twins) {
        run.updates(rules).twins(twins);
    }

    /** Divides the nodes between hosts, each with a pool. */
    void hosts(int count) {
        run.hosts(count);
    }

    /** Compares write-shared pages byte by byte. */
    void byteDiffs() {
        run.byteDiffs();
    }

    /** Checks for elements that several nodes access concurrently, one of them with a store. */
    void checkRaces() {
        checksRaces = true;
        run.checkRaces();
        observe(
                new Observer() {
                    @Override
                    public void onRace(PageId page, int offset, String text, boolean isCertain) {
                        races.add(text, isCertain);
                    }
                });
    }

    /**
     * @throws IllegalArgumentException if the file cannot be written
     */
    void json(Path file) {
        ReportFile.requireWritable(file);
        json = Optional.of(file);
    }

    /**
     * Writes a page for a browser to this file.
     *
     * @throws IllegalArgumentException if it cannot be written, as far as that is known
     */
    void page(Path file) {
        NodeOptions.requirePage(file);
        page = Optional.of(file);
        SimulatedWaits recorded = new SimulatedWaits(nodes, threads.count());
        waits = Optional.of(recorded);
        observe(recorded);
        run.countsEveryPage();
    }

    private void observe(Observer observer) {
        observers.add(observer);
        run.observers(observers);
    }

    /** Also prints the costs of each region. */
    void stats() {
        stats = true;
    }

    /** Also writes the counts of each page to the file. */
    void everyPage() {
        everyPage = true;
        run.countsEveryPage();
    }

    /**
     * Runs, and prints the report.
     *
     * @return one of {@link ExitStatus}
     * @throws IllegalArgumentException if it needs more memory than is available, before it starts
     */
    int run(PrintWriter standardOut, PrintWriter err) {
        boolean isOutTaken = json.map(ReportFile::isStandardOutput).orElse(false);
        PrintWriter out = isOutTaken ? err : standardOut;
        if (isOutTaken) {
            System.setOut(System.err); // for the program's output
        }
        AppResult result;
        Progress progress = new Progress(System.err, Progress.isTerminal());
        String what = "simulating " + program.name() + " on " + nodes + " nodes";
        try (Progress.Shown _ = progress.during(what, Duration.ofSeconds(1))) {
            result = run.run();
        } catch (Violation violation) {
            err.println("dsm sim: " + violation.getMessage());
            RunReport failed = known().failed(failure(String.valueOf(violation.getMessage())));
            isWritten(ReportJson.format(failed), json, err);
            return ExitStatus.FAILED;
        }
        races.print(err::println);
        if (checksRaces) {
            RaceList.unchecked(result.regions(), threads.processes()).ifPresent(err::println);
        }
        result.failure().ifPresent(failure -> err.println(failure.text().strip()));
        Verdict verdict = result.verdict();
        if (verdict.checked()) {
            out.println((verdict.right() ? "verified: " : "WRONG RESULT: ") + verdict.detail());
        }
        RunReport report = report(result);
        out.print(ReportTable.format(report));
        if (stats) {
            out.print(RegionTable.format(report));
        }
        ProcessorTable processors = ProcessorTable.of(result, threads.count());
        out.print(processors.format(stats));
        HardwareTable hardware = HardwareTable.of(result);
        out.print(hardware.format());
        out.print(times(result));
        out.flush();
        String text = hardware.addTo(processors.addTo(ReportJson.format(report)));
        boolean isGood = isWritten(text, json, err) && result.isGood() && races.isEmpty();
        if (page.isPresent()) {
            isGood &= isWritten(ReportPage.format(report), page, err);
        }
        return isGood ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private static boolean isWritten(String report, Optional<Path> file, PrintWriter err) {
        if (file.isEmpty()) {
            return true;
        }
        try {
            ReportFile.write(report, file.get());
            return true;
        } catch (IOException cannot) {
            err.println("dsm sim: cannot write " + file.get() + ": " + FileErrors.reason(cannot));
            return false;
        }
    }

    private RunReports.Known known() {
        String word = protocol.map(SimulatedProtocol::word).orElse("annotated");
        return new RunReports.Known(program.name(), word, nodes, threads);
    }

    private static RunFailure failure(String cause) {
        String line = cause.lines().findFirst().orElse("");
        return new RunFailure(ExitStatus.FAILED, OptionalInt.empty(), line);
    }

    private Optional<RunFailure> failure(AppResult result) {
        if (result.failure().isPresent()) {
            return Optional.of(failure(result.failure().get().text().strip()));
        }
        if (!result.isGood()) {
            return Optional.of(failure("wrong result: " + result.verdict().detail()));
        }
        return races.isEmpty() ? Optional.empty() : Optional.of(failure(races.first()));
    }

    private RunReport report(AppResult result) {
        List<NodeReport> perNode = new ArrayList<>();
        for (int i = 0; i < result.nodes().size(); i++) {
            NodeReport counted = report(i, result.nodes().get(i));
            int node = i;
            perNode.add(waits.map(all -> counted.with(all.timeLine(node))).orElse(counted));
        }
        Verdict verdict = result.verdict();
        return new RunReport(
                program.name(),
                version(),
                protocol.map(SimulatedProtocol::word).orElse("annotated"),
                nodes,
                threads,
                OptionalDouble.empty(),
                result.seconds(),
                failure(result),
                verdict.checked() ? Optional.of(verdict.right()) : Optional.empty(),
                verdict.detail(),
                perNode,
                result.regions(),
                everyPage);
    }

    private static NodeReport report(int index, AppResult.Node node) {
        long[] counters = new long[NodeCounter.values().length];
        for (NodeCounter counter : NodeCounter.values()) {
            counters[counter.code()] = node.value(counter);
        }
        Map<String, NodeReport.Traffic> byKind = new TreeMap<>();
        node.byKind()
                .forEach((kind, sent) ->
                        byKind.put(kind, new NodeReport.Traffic(sent.messages(), sent.bytes())));
        return new NodeReport(
                index, ENGINE, NodeReport.Pids.NONE, counters, byKind, node.regions());
    }

    private String version() {
        int at = options.indexOf("--version");
        boolean isChosen = at >= 0 && at + 1 < options.size() && program.versions().size() > 1;
        return isChosen ? options.get(at + 1) : program.versions().getFirst();
    }

    /** The threads' virtual time by cause. */
    private String times(AppResult result) {
        long computeNanos = result.nodes().stream().mapToLong(AppResult.Node::computeNanos).sum();
        return "\nvirtual time of all threads: compute "
                + Units.nanos(computeNanos)
                + ", faults "
                + Units.nanos(result.total(NodeCounter.FAULT_NANOS))
                + ", locks "
                + Units.nanos(result.total(NodeCounter.LOCK_NANOS))
                + ", barriers "
                + Units.nanos(result.total(NodeCounter.BARRIER_NANOS))
                + ", messages "
                + Units.nanos(result.total(NodeCounter.RECEIVE_NANOS))
                + "\ntrace hash "
                + String.format(Locale.ROOT, "%016x", result.traceHash())
                + "\n";
    }
}
