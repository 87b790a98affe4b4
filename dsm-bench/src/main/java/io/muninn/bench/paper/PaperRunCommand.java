package io.muninn.bench.paper;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.memory.Engines;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.bench.output.ResultFolder;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.NodeOptions;
import io.muninn.launch.option.Programs;
import io.muninn.launch.option.Ranges;
import io.muninn.launch.process.Progress;
import io.muninn.launch.process.TemporaryFolder;
import io.muninn.model.NodeId;
import io.muninn.report.FileErrors;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dsm paper NAME}: the tables and figures of one paper, from simulated runs. */
@Command(
        footer = {
            "",
            "Programs and versions that are not there are left out. Exit status: 0 every run's"
                    + " result is right;",
            "1 not so; 2 wrong usage."
        },
        mixinStandardHelpOptions = true)
abstract class PaperRunCommand implements Callable<Integer> {
    private static final List<Integer> LIVE_NODES = List.of(2, 4, 8);
    private static final int JOBS_MAX = 1024;

    private final Publication publication;

    @Spec private CommandSpec spec;

    @Mixin private ResultFolder folder = new ResultFolder();

    @Option(
            names = "--programs",
            paramLabel = "LIST",
            split = ",",
            description = "of the paper's programs these (default: all)")
    private List<String> programs = new ArrayList<>();

    @Option(
            names = "--nodes",
            paramLabel = "LIST",
            split = ",",
            description = "on so many nodes (default: as many as the paper, and fewer)")
    private List<Integer> nodes = new ArrayList<>();

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description =
                    "machines of this name only (default: the paper's and today's, those of the"
                            + " tables in the folder itself, others in folders of theirs)")
    private @Nullable String model; // null for all

    @Option(names = "--live", description = "counts messages of live runs on 2, 4, 8 nodes, too")
    private boolean live;

    @Option(
            names = "--engine",
            paramLabel = "E",
            defaultValue = Engines.AUTO,
            converter = Converters.EngineName.class,
            description = "of live runs, as in 'dsm run' (default: auto)")
    private String engine = Engines.AUTO;

    @Option(names = "--quick", description = "small sizes: shows that it works, not what comes out")
    private boolean quick;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "runs at a time (default: as many as there are processors)")
    private @Nullable Integer jobs; // null if not given

    PaperRunCommand(Publication publication) {
        this.publication = publication;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        String name = publication.name();
        PaperRuns paper = prepared();
        Path out = out();
        try {
            PrintWriter progress = Progress.writer(err);
            List<String> failures = new ArrayList<>(paper.simulate(out, progress));
            if (live) {
                failures.addAll(paper.runLive(out, LIVE_NODES, LiveCounts.with(engine), progress));
            }
            failures.forEach(failure -> err.println("dsm paper " + name + ": " + failure));
            spec.commandLine().getOut().println("results are in " + out);
            return failures.isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
        } catch (IOException cannot) {
            err.println(
                    "dsm paper "
                            + name
                            + ": cannot write to "
                            + out
                            + ": "
                            + FileErrors.reason(cannot));
            return ExitStatus.FAILED;
        }
    }

    private PaperRuns prepared() {
        SortedMap<String, BuiltInProgram> installed = new TreeMap<>();
        Programs.installed().all().forEach(program -> installed.put(program.name(), program));
        try {
            requireNames("--programs", programs);
            requireNames("--nodes", nodes);
            nodes.forEach(each -> Ranges.require("--nodes", each, 1, NodeId.LIVE_MAX));
            int atATime = jobs == null ? Runtime.getRuntime().availableProcessors() : jobs;
            Ranges.require("--jobs", atATime, 1, JOBS_MAX);
            NodeOptions.checkEngine(engine);
            if (live) {
                TemporaryFolder.requireWritable("--live");
            }
            List<String> models = model == null ? List.of() : List.of(model);
            return new PaperRuns(
                    publication,
                    new PaperRequest(programs, nodes, models, quick, atATime),
                    installed);
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    /** Everything is written after all runs, so it can be written to the documents directly. */
    private Path out() {
        try {
            boolean isPart = quick || !programs.isEmpty() || isGiven("--nodes");
            folder.requireAll(isPart, "--quick, --programs or --nodes");
            String name = publication.name();
            return folder.documents(name).orElseGet(() -> folder.made(name));
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    private boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /** Refuses an option with an empty list. */
    private void requireNames(String option, List<?> names) {
        if (names.isEmpty() && isGiven(option)) {
            throw new IllegalArgumentException(option + " names none");
        }
    }
}
