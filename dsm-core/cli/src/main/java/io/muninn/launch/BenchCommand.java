package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.memory.Engines;
import io.muninn.report.FileErrors;
import io.muninn.report.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code dsm bench}: the costs of single operations, compared with the costs of the machine itself.
 */
@Command(
        name = "bench",
        description = "Measures single operations beside the floor that this machine sets.",
        footer = {
            "",
            "Exit status: 0 everything was measured, 1 not so, 2 wrong usage. A row that misses its"
                    + " limit is",
            "shown, and is no failure."
        },
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    private static final String NAME = "bench";

    @Spec private CommandSpec spec;

    @Option(
            names = "--quick",
            description = "few samples and small sizes: shows that it works, not what comes out")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "of the benchmarks these (default: all)")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--engine",
            paramLabel = "E",
            defaultValue = Engines.AUTO,
            converter = Converters.EngineName.class,
            description = "how page faults are caught, as for 'dsm run' (default: auto)")
    private String engine = Engines.AUTO;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "writes all rows to FILE; - is standard output, and all else goes to standard"
                            + " error then")
    private @Nullable Path json; // null if there is none

    @Mixin private ResultFolder folder = new ResultFolder();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Optional<Benchmarks> found = ServiceLoader.load(Benchmarks.class).findFirst();
        if (found.isEmpty()) {
            err.println("dsm bench: there are no benchmarks on the class path");
            return ExitStatus.FAILED;
        }
        Benchmarks benchmarks = found.get();
        Benchmarks.Request request = request(benchmarks);
        try {
            boolean isOutTaken = json != null && ReportFile.isStandardOutput(json);
            PrintWriter out = isOutTaken ? err : spec.commandLine().getOut();
            boolean isWhole = benchmarks.run(request, new OurProcesses(), out, err);
            return isWhole ? ExitStatus.OK : ExitStatus.FAILED;
        } catch (IOException cannot) {
            err.println("dsm bench: " + FileErrors.reason(cannot));
            return ExitStatus.FAILED;
        }
    }

    private Benchmarks.Request request(Benchmarks benchmarks) {
        try {
            List<String> known = benchmarks.groups();
            for (String name : only) {
                if (!known.contains(name)) {
                    throw new IllegalArgumentException(
                            "unknown benchmark '"
                                    + name
                                    + "'"
                                    + DidYouMean.of(name, known)
                                            .map(near -> "; did you mean " + near + "?")
                                            .orElse("")
                                    + " (known: "
                                    + String.join(", ", known)
                                    + ")");
                }
            }
            NodeOptions.checkEngine(engine);
            TemporaryFolder.requireWritable("bench");
            if (json != null) {
                ReportFile.requireWritable(json);
            }
            List<String> chosen =
                    only.isEmpty() ? known : known.stream().filter(only::contains).toList();
            folder.requireAll(quick || !only.isEmpty(), "--quick or --only");
            return new Benchmarks.Request(
                    quick,
                    chosen,
                    engine,
                    folder.made(NAME),
                    folder.documents(NAME),
                    Optional.ofNullable(json));
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    private static final class OurProcesses implements Benchmarks.Processes {
        @Override
        public Benchmarks.Run run(
                List<String> prefix, int nodes, List<String> options, List<String> words)
                throws InterruptedException {
            LiveRun run = LiveRun.of(prefix, nodes, Optional.empty(), options, words);
            return new Benchmarks.Run(run.isGood(), run.report(), run.output());
        }

        @Override
        public List<String> java(String mainClass, List<String> arguments) {
            return JvmFlags.ours(mainClass, arguments);
        }
    }
}
