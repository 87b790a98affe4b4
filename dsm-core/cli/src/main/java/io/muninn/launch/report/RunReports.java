package io.muninn.launch.report;

import com.google.gson.FormattingStyle;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.lifecycle.NodeEnd;
import io.muninn.launch.process.Launcher;
import io.muninn.launch.process.StartException;
import io.muninn.launch.process.TemporaryFolder;
import io.muninn.model.NodeThreads;
import io.muninn.report.FileErrors;
import io.muninn.report.ReportDrafts;
import io.muninn.report.ReportFile;
import io.muninn.report.ReportJson;
import io.muninn.report.RunFailure;
import io.muninn.report.RunReport;
import io.muninn.report.UnnamedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The reports of {@code dsm run --json} and {@code --report}. Nodes write drafts, and the launcher
 * writes the file, because it has the user's descriptors and still exists if the root is lost. A
 * failed run has a report too.
 */
public final class RunReports {
    private static final String FOLDER = "muninn-report-";
    private static final int PAGE = -1; // in place of a node

    private final Optional<Path> json;
    private final Optional<Path> page;
    private final ReportDrafts drafts; // of other hosts
    private final Map<Integer, UnnamedFile> drafted = new TreeMap<>(); // of this host, by node

    private RunReports(Optional<Path> json, Optional<Path> page) {
        this.json = json;
        this.page = page;
        this.drafts = new ReportDrafts(TemporaryFolder.path().resolve(FOLDER + UUID.randomUUID()));
    }

    /** The folder of the drafts, of no other run; other hosts use the same path. */
    public Path folder() {
        return drafts.folder();
    }

    /**
     * The reports that the user wants, if any.
     *
     * @param json the file of {@code --json}
     * @param page the file of {@code --report}
     */
    public static Optional<RunReports> of(Optional<Path> json, Optional<Path> page) {
        return json.isPresent() || page.isPresent()
                ? Optional.of(new RunReports(json, page))
                : Optional.empty();
    }

    /** The file of a node's draft; empty if no JSON is wanted. */
    public Optional<Path> draft(int node) {
        return json.map(_ -> unnamed(node));
    }

    /** The file of the root's draft of the page; empty if no page is wanted. */
    public Optional<Path> pageDraft() {
        return page.map(_ -> unnamed(PAGE));
    }

    private Path unnamed(int node) {
        UnnamedFile draft = drafted.get(node);
        if (draft == null) {
            try {
                draft = UnnamedFile.create(TemporaryFolder.path(), FOLDER);
            } catch (IOException cannot) {
                throw TemporaryFolder.unusable(cannot);
            }
            drafted.put(node, draft);
        }
        return draft.path();
    }

    private Optional<String> drafted(int node) throws IOException {
        UnnamedFile draft = drafted.get(node);
        if (draft != null) {
            return draft.text();
        }
        return drafts.text(node == PAGE ? drafts.page() : drafts.of(node));
    }

    /** The data of a run that are known before it starts. */
    public record Known(String program, String protocol, int nodes, NodeThreads threads) {
        /** Creates a report without counts. */
        public RunReport failed(RunFailure failure) {
            return new RunReport(
                    program,
                    "",
                    protocol,
                    nodes,
                    threads,
                    OptionalDouble.empty(),
                    0,
                    Optional.of(failure),
                    Optional.empty(),
                    "",
                    List.of(),
                    List.of(),
                    false);
        }
    }

    /**
     * Runs, and writes the report in any case.
     *
     * @return one of {@link ExitStatus}
     * @throws StartException if the run cannot be started
     */
    public int run(Launcher launcher, Known known) throws InterruptedException {
        return run(launcher, () -> {}, known);
    }

    /** Brings the drafts of other hosts here, where {@link #draft} says. */
    public interface Collector {
        void collect() throws InterruptedException;
    }

    /** The same, for a run on several hosts, whose drafts are collected when it has ended. */
    public int run(Launcher launcher, Collector others, Known known) throws InterruptedException {
        Thread hook = Thread.ofPlatform().unstarted(this::delete);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            int status = launcher.run();
            others.collect();
            Optional<RunFailure> failure = NodeEnd.failure(launcher.endings());
            int written =
                    json.isEmpty()
                            ? status
                            : written(text(launcher.endings(), known, failure), json.get(), status);
            return page.isEmpty() ? written : writtenPage(page.get(), written);
        } catch (StartException cannot) {
            RunFailure failure =
                    new RunFailure(
                            ExitStatus.FAILED,
                            OptionalInt.empty(),
                            String.valueOf(cannot.getMessage()));
            if (json.isPresent()) {
                String text = ReportJson.format(known.failed(failure));
                written(text, json.get(), ExitStatus.FAILED);
            }
            throw cannot;
        } catch (IOException cannot) {
            System.err.println("dsm run: no report of this run: " + FileErrors.reason(cannot));
            return ExitStatus.FAILED;
        } finally {
            delete();
            Launcher.removeHook(hook);
        }
    }

    /** The root's draft, or otherwise that of the first node to end with one. */
    private String text(List<NodeEnd> endings, Known known, Optional<RunFailure> failure)
            throws IOException {
        Optional<String> draft = drafted(0);
        for (NodeEnd ending : endings) {
            int last = ending.nodes().last();
            for (int node = ending.nodes().first(); node <= last && draft.isEmpty(); node++) {
                draft = drafted(node);
            }
        }
        if (failure.isEmpty()) {
            return draft.orElseThrow(() -> new IOException("node 0 has written none"));
        }
        return draft.map(text -> corrected(text, known, failure.get()))
                .orElseGet(() -> ReportJson.format(known.failed(failure.get())));
    }

    /**
     * Corrects a draft: a node does not know the ends of the others, nor its program's data before
     * the program's end.
     */
    private static String corrected(String draft, Known known, RunFailure failure) {
        JsonObject report = JsonParser.parseString(draft).getAsJsonObject();
        report.addProperty("status", failure.status());
        if (report.get("cause").isJsonNull()) {
            report.addProperty("cause", failure.cause());
            failure.node().ifPresent(node -> report.addProperty("node", node));
        }
        if (report.get("program").getAsString().isEmpty()) {
            report.addProperty("program", known.program());
        }
        GsonBuilder gson = new GsonBuilder().setFormattingStyle(FormattingStyle.PRETTY);
        return gson.serializeNulls().disableHtmlEscaping().create().toJson(report) + "\n";
    }

    /** Copies the root's page; a run that failed early has none. */
    private int writtenPage(Path target, int status) throws IOException {
        Optional<String> text = drafted(PAGE);
        if (text.isEmpty()) {
            if (status == ExitStatus.OK) {
                throw new IOException("node 0 has written no page for --report");
            }
            System.err.println("dsm run: no page for --report: node 0 has reported nothing");
            return status;
        }
        return written(text.get(), target, status);
    }

    /**
     * Writes a report. Returns the status of the run, or a failure if the report cannot be written.
     */
    private int written(String text, Path target, int status) {
        try {
            ReportFile.write(text, target);
            return status;
        } catch (IOException cannot) {
            System.err.println(
                    "dsm run: cannot write " + target + ": " + FileErrors.reason(cannot));
            return status == ExitStatus.OK ? ExitStatus.FAILED : status;
        }
    }

    private void delete() {
        try {
            drafts.delete();
            for (UnnamedFile draft : drafted.values()) {
                draft.close();
            }
        } catch (IOException cannot) {
            System.err.println(
                    "dsm run: a temporary file is left over: " + FileErrors.reason(cannot));
        }
    }
}
