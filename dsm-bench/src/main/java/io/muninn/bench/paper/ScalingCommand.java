package io.muninn.bench.paper;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.bench.output.ResultFolder;
import io.muninn.bench.paper.ScalingPoint.Program;
import io.muninn.launch.option.Programs;
import io.muninn.report.FileErrors;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dsm paper scaling}: what protocols cost on 4 to 1024 nodes. */
@Command(
        name = "scaling",
        description =
                "Weak scaling of diff and jacobi on 4 to 1024 simulated nodes, under every"
                        + " protocol.",
        footer = {"", "Exit status: 0 every run's result is right; 1 not so; 2 wrong usage."})
final class ScalingCommand implements Callable<Integer> {
    private static final List<Integer> NODES = List.of(4, 16, 64, 256, 1024);
    private static final List<Integer> QUICK_NODES = List.of(4, 16, 64);

    @Spec private CommandSpec spec;

    @Mixin private ResultFolder folder = new ResultFolder();

    @Option(names = "--quick", description = "at most 64 nodes")
    private boolean quick;

    @Option(
            names = "--programs",
            paramLabel = "P",
            split = ",",
            description = "diff, jacobi (default: both)")
    private @Nullable List<String> programs; // null for all

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        List<Program> chosen = chosen();
        Path out = out();
        Map<String, BuiltInProgram> installed = new TreeMap<>();
        Programs.installed().all().forEach(program -> installed.put(program.name(), program));
        int status = ExitStatus.OK;
        try {
            for (Program program : chosen) {
                ScalingRuns runs = new ScalingRuns(Map.of(), List.of());
                for (int nodes : quick ? QUICK_NODES : NODES) {
                    List<ScalingPoint> points = ScalingRuns.points(program, nodes);
                    runs = runs.plus(ScalingRuns.of(points, installed, err));
                    write(program, runs, out); // also if a larger run is interrupted
                }
                for (String failure : runs.failures()) {
                    err.println("dsm paper scaling: " + failure);
                    status = ExitStatus.FAILED;
                }
            }
        } catch (IOException cannot) {
            err.println(
                    "dsm paper scaling: cannot write to " + out + ": " + FileErrors.reason(cannot));
            return ExitStatus.FAILED;
        }
        spec.commandLine().getOut().println("results are in " + out);
        return status;
    }

    private static void write(Program program, ScalingRuns runs, Path out) throws IOException {
        ScalingTables tables = new ScalingTables(program, runs);
        Files.writeString(out.resolve(program.word() + ".md"), tables.page());
        Files.writeString(out.resolve(program.word() + ".csv"), runs.csv());
        tables.plot(out);
    }

    private List<Program> chosen() {
        if (programs == null) {
            return List.of(Program.values());
        }
        List<Program> chosen = new ArrayList<>();
        for (String word : programs) {
            chosen.add(
                    Arrays.stream(Program.values())
                            .filter(each -> each.word().equals(word))
                            .findFirst()
                            .orElseThrow(() ->
                                    new ParameterException(
                                            spec.commandLine(),
                                            "unknown program '"
                                                    + word
                                                    + "' (known: diff, jacobi)")));
        }
        return chosen;
    }

    private Path out() {
        try {
            folder.requireAll(quick || programs != null, "--quick or --programs");
            return folder.documents("scaling").orElseGet(() -> folder.made("scaling"));
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }
}
