package io.muninn.bench;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.memory.Engines;
import io.muninn.bench.output.ResultFolder;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.DidYouMean;
import io.muninn.launch.option.NodeOptions;
import io.muninn.launch.process.TemporaryFolder;
import io.muninn.report.FileErrors;
import io.muninn.report.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
    private @Nullable Path json; // null if the option is absent

    @Mixin private ResultFolder folder = new ResultFolder();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        BenchRequest request = request();
        try {
            boolean isOutTaken = json != null && ReportFile.isStandardOutput(json);
            PrintWriter out = isOutTaken ? err : spec.commandLine().getOut();
            return Suite.run(request, out, err) ? ExitStatus.OK : ExitStatus.FAILED;
        } catch (IOException cannot) {
            err.println("dsm bench: " + FileErrors.reason(cannot));
            return ExitStatus.FAILED;
        }
    }

    private BenchRequest request() {
        try {
            requireKnown();
            NodeOptions.checkEngine(engine);
            TemporaryFolder.requireWritable("bench");
            if (json != null) {
                ReportFile.requireWritable(json);
            }
            List<Group> chosen =
                    Arrays.stream(Group.values())
                            .filter(group -> only.isEmpty() || only.contains(group.word()))
                            .toList();
            boolean isPage = only.isEmpty() || chosen.equals(List.of(Group.LINKS));
            folder.requireAll(quick || !isPage, "--quick or --only, except --only links");
            return new BenchRequest(
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

    /** Rejects names in {@code --only} that are no benchmark. */
    private void requireKnown() {
        List<String> known = Group.words();
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
    }
}
