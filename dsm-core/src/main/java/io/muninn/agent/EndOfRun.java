package io.muninn.agent;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.metrics.NodeReport;
import io.muninn.metrics.RegionTable;
import io.muninn.metrics.ReportJson;
import io.muninn.metrics.ReportTable;
import io.muninn.metrics.RunReport;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What a node knows of how the run ended: its exit status, and on the root verdict and reports.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class EndOfRun {
    /** Set by {@code ./dsm} after a build: the machine's uptime then, in seconds. */
    private static final String BUILT = "MUNINN_BUILT";

    private final AgentConfig config;
    private final Map<Integer, NodeReport> reports = new TreeMap<>();
    private int status = ExitStatus.OK;
    private boolean checked;
    private boolean right;
    private String detail = "";
    private OptionalDouble readySeconds = OptionalDouble.empty();
    private double seconds;
    private String program = "";
    private String version = "";
    private final RaceList races = new RaceList();
    private boolean written;
    private String table = "";

    EndOfRun(AgentConfig config) {
        this.config = config;
    }

    /** The run ends with that status; the first that is not 0 stays. */
    void failed(int exitStatus) {
        if (status == ExitStatus.OK) {
            status = exitStatus;
        }
    }

    int status() {
        return status;
    }

    /**
     * All nodes have joined. The launcher is the command that a user gave, and the root's parent;
     * if it had to build first, that is no part of the start.
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

    /** The root's application has closed, with a verdict. */
    void concluded(ByteBuf body) {
        checked = body.readBoolean();
        right = body.readBoolean();
        detail = CallConnection.readText(body);
        seconds = body.readDoubleLE();
        program = CallConnection.readText(body);
        version = CallConnection.readText(body);
        if (checked && !right) {
            failed(ExitStatus.FAILED);
        }
    }

    /** Two nodes have stored to one element at the same time. */
    void raceFound(String text) {
        races.add(text);
        failed(ExitStatus.FAILED);
    }

    void add(NodeReport report) {
        reports.put(report.node(), report);
    }

    boolean isComplete() {
        return reports.size() == config.nodes();
    }

    /**
     * Writes the file, once.
     *
     * @param regions the shared memory
     * @return false if that was done before
     */
    boolean write(List<RegionSpec> regions) {
        if (written) {
            return false;
        }
        written = true;
        RunReport report =
                new RunReport(
                        program,
                        version,
                        config.protocol().map(Protocol::word).orElse("annotated"),
                        config.nodes(),
                        config.threads(),
                        readySeconds,
                        seconds,
                        checked ? Optional.of(right) : Optional.empty(),
                        detail,
                        List.copyOf(reports.values()),
                        regions,
                        config.everyPage());
        table =
                (config.table() ? ReportTable.format(report) : "")
                        + (config.stats() ? RegionTable.format(report) : "");
        if (config.json().isPresent()) {
            try {
                ReportJson.write(report, config.json().get());
            } catch (IOException cannot) {
                System.err.println(
                        "node 0: cannot write " + config.json().get() + ": " + cannot.getMessage());
                failed(ExitStatus.FAILED);
            }
        }
        return true;
    }

    /** Prints races and the table, if there are any; the program has had its last word by now. */
    void print() {
        races.print(System.err::println);
        System.out.print(table);
        System.out.flush();
    }
}
