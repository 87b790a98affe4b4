package io.muninn.agent.lifecycle;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.calls.CallConnection;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.report.NodeReport;
import io.muninn.report.RegionTable;
import io.muninn.report.ReportDrafts;
import io.muninn.report.ReportFile;
import io.muninn.report.ReportJson;
import io.muninn.report.ReportTable;
import io.muninn.report.RunFailure;
import io.muninn.report.RunReport;
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

    private OptionalDouble readySeconds = OptionalDouble.empty();
    private Conclusion conclusion = new Conclusion(false, false, "", 0, "", "");
    private final RaceList races = new RaceList();
    private Optional<String> unchecked = Optional.empty();
    private boolean written;
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
                    CallConnection.readText(body),
                    Double.longBitsToDouble(body.i64()),
                    CallConnection.readText(body),
                    CallConnection.readText(body));
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

    /** Records the verdict of the root's application. */
    void concluded(Conclusion ofRoot) {
        conclusion = ofRoot;
        if (ofRoot.checked() && !ofRoot.right()) {
            failed(ExitStatus.FAILED, config.self(), "wrong result: " + ofRoot.detail());
        }
    }

    /** Records a race: two nodes stored to one element concurrently. */
    void raceFound(String text) {
        races.add(text);
        failed(ExitStatus.FAILED, config.self(), races.first());
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
     * @param regions of the shared memory
     * @return false if it was written before
     */
    boolean write(List<RegionSpec> regions) {
        if (written) {
            return false;
        }
        written = true;
        unchecked = config.checksRaces() ? RaceList.unchecked(regions) : Optional.empty();
        RunReport report =
                new RunReport(
                        conclusion.program(),
                        conclusion.version(),
                        config.protocol().map(Protocol::word).orElse("annotated"),
                        config.nodes(),
                        config.threads(),
                        readySeconds,
                        conclusion.seconds(),
                        failure,
                        conclusion.checked() ? Optional.of(conclusion.right()) : Optional.empty(),
                        conclusion.detail(),
                        List.copyOf(reports.values()),
                        regions,
                        config.everyPage());
        table =
                (config.table() ? ReportTable.format(report) : "")
                        + (config.stats() ? RegionTable.format(report) : "");
        if (config.json().isPresent()) {
            try {
                write(ReportJson.format(report), config.json().get());
            } catch (IOException cannot) {
                String text = "cannot write " + config.json().get() + ": " + cannot.getMessage();
                System.err.println("node " + config.self() + ": " + text);
                failed(ExitStatus.FAILED, config.self(), text);
            }
        }
        return true;
    }

    private void write(String text, Path file) throws IOException {
        if (config.launched()) {
            ReportDrafts.write(text, file);
        } else {
            ReportFile.write(text, file);
        }
    }

    /** Discards the report, because the launcher is gone. */
    void launcherGone() {
        config.json().ifPresent(ReportDrafts::discard);
        written = true;
    }

    /** Ends the node. A run that failed has a report, too, of what is known by then. */
    void close(int exitStatus) {
        failed(exitStatus, config.self(), "its agent ended with status " + exitStatus);
        if (failure.isPresent()) {
            write(List.of());
        }
    }

    /**
     * Prints races, what was not checked, and the table, if there are any, after the output of the
     * program.
     */
    void print() {
        races.print(System.err::println);
        unchecked.ifPresent(System.err::println);
        System.out.print(table);
        System.out.flush();
    }
}
