package io.muninn.bench.paper;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.bench.output.ResultFolder;
import io.muninn.launch.option.Programs;
import io.muninn.launch.option.Ranges;
import io.muninn.report.FileErrors;
import io.muninn.sim.ncc.NccModel;
import io.muninn.sim.ncc.WritePolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dsm paper ncc}: coherence by software where hardware has none. */
@Command(
        name = "ncc",
        description = "Software coherence of caches: figures, from runs on a pretended machine.",
        footer = {"", "Exit status: 0 every run's result is right; 1 not so; 2 wrong usage."})
final class NccCommand implements Callable<Integer> {
    private static final int JOBS_MAX = 1024;
    private static final int WAYS_MAX = 4; // of the runs of the study

    @Spec private CommandSpec spec;

    @Mixin private ResultFolder folder = new ResultFolder();

    @Option(names = "--quick", description = "small sizes: shows that it works, not what comes out")
    private boolean quick;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "runs at a time (default: as many as there are processors)")
    private @Nullable Integer jobs; // null if not given

    @Option(
            names = "--write-policy",
            paramLabel = "P",
            description = "only runs with this one: write-back, write-through or merge-buffer")
    private @Nullable String policy; // null for all

    @Option(
            names = "--cache-bytes",
            paramLabel = "N",
            description = "of each processor, a power of two (default: 131072)")
    private @Nullable Integer cacheBytes; // null for that of the paper

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        int atATime = jobs == null ? Runtime.getRuntime().availableProcessors() : jobs;
        Path out = out(atATime);
        int bytes = checkedCacheBytes();
        Predicate<NccPoint> isWanted = isWanted();
        Map<String, BuiltInProgram> installed = new TreeMap<>();
        Programs.installed().all().forEach(program -> installed.put(program.name(), program));
        NccRuns runs = new NccRuns(Map.of(), List.of());
        try {
            for (NccProgram program : NccProgram.values()) {
                List<NccPoint> points =
                        NccStudy.points(program).stream()
                                .filter(isWanted)
                                .map(point -> point.withCache(bytes))
                                .toList();
                NccRuns more = NccRuns.of(points, installed, quick, atATime, err);
                runs = runs.plus(more.withCache(NccModel.PAPER.cacheBytes())); // for the figures
                write(runs, out); // also if a later program is interrupted
            }
            runs.failures().forEach(failure -> err.println("dsm paper ncc: " + failure));
            spec.commandLine().getOut().println("results are in " + out);
            return runs.failures().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
        } catch (IOException cannot) {
            err.println("dsm paper ncc: cannot write to " + out + ": " + FileErrors.reason(cannot));
            return ExitStatus.FAILED;
        }
    }

    private Path out(int atATime) {
        try {
            Ranges.require("--jobs", atATime, 1, JOBS_MAX);
            boolean isPart = quick || policy != null || cacheBytes != null;
            folder.requireAll(isPart, "--quick, --write-policy or --cache-bytes");
            return folder.documents("ncc").orElseGet(() -> folder.made("ncc"));
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    private Predicate<NccPoint> isWanted() {
        if (policy == null) {
            return _ -> true;
        }
        for (WritePolicy each : WritePolicy.values()) {
            if (each.text().equals(policy)) {
                return point -> point.policy() == each;
            }
        }
        throw new ParameterException(
                spec.commandLine(),
                "unknown write policy '"
                        + policy
                        + "' (known: "
                        + Arrays.stream(WritePolicy.values())
                                .map(WritePolicy::text)
                                .collect(Collectors.joining(", "))
                        + ")");
    }

    private int checkedCacheBytes() {
        if (cacheBytes == null) {
            return NccModel.PAPER.cacheBytes();
        }
        try {
            return NccModel.PAPER.withCache(cacheBytes, WAYS_MAX).cacheBytes();
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(
                    spec.commandLine(), "--cache-bytes: " + unusable.getMessage(), unusable);
        }
    }

    private void write(NccRuns runs, Path out) throws IOException {
        StringBuilder page = new StringBuilder("# Software coherence of caches, in figures\n\n");
        page.append("Written by `./dsm paper ncc`; not to be edited.\n");
        page.append(
                quick
                        ? "**Small sizes, for a test: of the paper these numbers say nothing.**\n"
                        : "Programs at the paper's sizes.\n");
        if (cacheBytes != null) {
            page.append("**Caches of ").append(cacheBytes).append(" bytes.**\n");
        }
        page.append("Times are ratios of cycles. Every run: [runs.csv](runs.csv).\n\n");
        for (NccFigure figure : NccStudy.figures(runs)) {
            figure.write(out);
            page.append(figure.markdown());
        }
        List<Claim> claims = NccClaims.of(runs);
        Claim.bySection(claims)
                .forEach((section, each) ->
                        page.append("## Claims of section ")
                                .append(section.substring("Section ".length()))
                                .append("\n\n")
                                .append(Report.table(each))
                                .append('\n'));
        Files.writeString(out.resolve("results.md"), page.toString().stripTrailing() + "\n");
        Files.writeString(out.resolve("runs.csv"), runs.csv());
    }
}
