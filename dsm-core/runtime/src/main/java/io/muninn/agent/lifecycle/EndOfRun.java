package io.muninn.agent.lifecycle;

import io.muninn.agent.AgentConfig;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.ipc.CallCodec;
import io.muninn.model.NodeId;
import io.muninn.report.FileErrors;
import io.muninn.report.NodeReport;
import io.muninn.report.RegionTable;
import io.muninn.report.ReportDrafts;
import io.muninn.report.ReportFile;
import io.muninn.report.ReportJson;
import io.muninn.report.ReportPage;
import io.muninn.report.ReportTable;
import io.muninn.report.RunFailure;
import io.muninn.report.RunReport;
import io.muninn.report.StandardOutput;
import io.muninn.wire.WireReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Collects the result of the run: on every node its exit status, on the root the verdict and the
 * reports of all nodes.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class EndOfRun {
    /** Set by {@code ./dsm} after a build: the machine's uptime at its end, in seconds. */
    private static final String BUILT = "MUNINN_BUILT";

    private final AgentConfig config;
    private final Map<Integer, NodeReport> reports = new TreeMap<>();

    /** The first failure. */
    private Optional<RunFailure> failure = Optional.empty();

    /** The failure of this node's program. */
    private Optional<String> programFailure = Optional.empty();

    private OptionalDouble readySeconds = OptionalDouble.empty();
    private Conclusion conclusion = new Conclusion(false, false, "", 0, "", "");
    private final RaceList races = new RaceList();
    private Optional<String> unchecked = Optional.empty();
    private List<RegionSpec> regions = List.of();
    private boolean written;
    private boolean discarded;

    /** The failure that the written report contains. */
    private Optional<RunFailure> reported = Optional.empty();

    private String table = "";

    /**
     * The content of the call CLOSE. The root's application decides the verdict of the run.
     *
     * @param checked whether the program has verified its result
     * @param right whether the result is right
     * @param detail the verdict in words
     * @param seconds duration of the program
     */
    record Conclusion(
            boolean checked,
            boolean right,
            String detail,
            double seconds,
            String program,
            String version) {
        static Conclusion read(WireReader body) {
            return new Conclusion(
                    body.flag(),
                    body.flag(),
                    CallCodec.text(body),
                    Double.longBitsToDouble(body.i64()),
                    CallCodec.text(body),
                    CallCodec.text(body));
        }
    }

    EndOfRun(AgentConfig config) {
        this.config = config;
    }

    /** Sets the status of the run and its cause, unless a status other than 0 is set already. */
    void failed(int exitStatus, NodeId node, String cause) {
        if (failure.isEmpty() && exitStatus != ExitStatus.OK) {
            String line = cause.lines().findFirst().orElse("");
            failure = Optional.of(new RunFailure(exitStatus, OptionalInt.of(node.index()), line));
        }
    }

    int status() {
        return failure.map(RunFailure::status).orElse(ExitStatus.OK);
    }

    /**
     * Records that all nodes have joined. The start is counted from that of the launcher, the
     * root's parent process, or from the end of the build if the launcher had to build first.
     */
    void ready() {
        if (config.launched() && config.self().isRoot()) {
            readySeconds =
                    ProcessHandle.current()
                            .parent()
                            .map(launcher ->
                                    ProcessAge.seconds(launcher.pid(), System.getenv(BUILT)))
                            .orElse(OptionalDouble.empty());
        }
    }

    /**
     * Records that the program of this node has failed. Its application most likely prints the
     * reason.
     */
    void programFailed(int exitStatus, String reason) {
        programFailure = Optional.of(reason);
        failed(exitStatus, config.self(), reason);
    }

    /** Records the verdict of the root's application. */
    void concluded(Conclusion ofRoot) {
        conclusion = ofRoot;
        if (ofRoot.checked() && !ofRoot.right()) {
            failed(ExitStatus.FAILED, config.self(), "wrong result: " + ofRoot.detail());
        }
    }

    /**
     * Records a race: two nodes accessed one element concurrently. A possible one is no failure.
     */
    void raceFound(String text, boolean isCertain) {
        races.add(text, isCertain);
        if (isCertain) {
            failed(ExitStatus.FAILED, config.self(), races.first());
        }
    }

    void add(NodeReport report) {
        reports.put(report.node(), report);
    }

    boolean isComplete() {
        return reports.size() == config.nodes();
    }

    /**
     * Writes the report, once.
     *
     * @param ofMemory regions of the shared memory
     * @return false if it was written before
     */
    boolean write(List<RegionSpec> ofMemory) {
        if (written) {
            return false;
        }
        written = true;
        regions = ofMemory;
        unchecked =
                config.coherence().checksRaces()
                        ? RaceList.unchecked(regions, config.processes())
                        : Optional.empty();
        RunReport report = report();
        table =
                (config.output().table() ? ReportTable.format(report) : "")
                        + (config.output().stats() ? RegionTable.format(report) : "");
        config.output().json().ifPresent(file -> write(report, file));
        page().ifPresent(file -> writeOrFail(ReportPage.format(report), file));
        return true;
    }

    private RunReport report() {
        return new RunReport(
                conclusion.program(),
                conclusion.version(),
                config.coherence().protocol().map(Protocol::word).orElse("annotated"),
                config.nodes(),
                config.nodeThreads(),
                readySeconds,
                conclusion.seconds(),
                failure,
                conclusion.checked() ? Optional.of(conclusion.right()) : Optional.empty(),
                conclusion.detail(),
                List.copyOf(reports.values()),
                regions,
                config.output().everyPage());
    }

    /** The file of the page for a browser, if this node writes it. */
    private Optional<Path> page() {
        return config.output().page().filter(_ -> config.self().isRoot());
    }

    private void write(RunReport report, Path file) {
        writeOrFail(ReportJson.format(report), file);
        reported = failure;
    }

    private void writeOrFail(String text, Path file) {
        try {
            write(text, file);
        } catch (IOException cannot) {
            String why = "cannot write " + file + ": " + FileErrors.reason(cannot);
            System.err.println("node " + config.self() + ": " + why);
            failed(ExitStatus.FAILED, config.self(), why);
        }
    }

    private void write(String text, Path file) throws IOException {
        if (config.launched()) {
            ReportDrafts.write(text, file);
        } else {
            ReportFile.write(text, file);
        }
    }

    /** Discards the report: the launcher is gone, or has the report of a node that failed. */
    void discard() {
        config.output().json().ifPresent(ReportDrafts::discard);
        page().ifPresent(ReportDrafts::discard);
        written = true;
        discarded = true;
    }

    /**
     * Ends the node. A run that failed also has a report, of the known results. A report that was
     * written before the failure is replaced.
     */
    void close(int exitStatus) {
        failed(exitStatus, config.self(), "its agent ended with status " + exitStatus);
        if (failure.isPresent() && !write(List.of()) && !discarded && !failure.equals(reported)) {
            config.output()
                    .json()
                    .filter(ReportFile::isReplaced)
                    .ifPresent(file -> write(report(), file));
        }
    }

    /**
     * Records the exit of a process after it was permitted.
     *
     * @param process as in "its application"
     * @param exitStatus as the system reports it; the application itself reports the reason of
     *     {@link ExitStatus#FAILED}
     * @return a remaining message to the user
     */
    Optional<String> applicationEnded(String process, int exitStatus) {
        String text = process + " " + ApplicationProcess.describe(exitStatus);
        boolean isNews = failure.isEmpty() && exitStatus != ExitStatus.OK;
        if (exitStatus == ExitStatus.OK && programFailure.isPresent()) {
            return programFailure; // an application that has printed it ends otherwise
        }
        failed(exitStatus == ExitStatus.OK ? exitStatus : ExitStatus.FAILED, config.self(), text);
        return isNews && exitStatus != ExitStatus.FAILED
                ? Optional.of(text + " after the run was over")
                : Optional.empty();
    }

    /**
     * Prints races, the unchecked regions, and the table, if there are any, after the output of the
     * program. The run has failed if the table is lost.
     */
    void print() {
        races.print(System.err::println);
        unchecked.ifPresent(System.err::println);
        System.out.print(table);
        StandardOutput.lost()
                .ifPresent(text -> {
                    System.err.println("node " + config.self() + ": " + text);
                    failed(ExitStatus.FAILED, config.self(), text);
                });
    }
}
