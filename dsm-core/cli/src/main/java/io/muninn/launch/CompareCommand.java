package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.memory.Engines;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.NodeOptions;
import io.muninn.launch.option.ProgramOptions;
import io.muninn.launch.option.Programs;
import io.muninn.launch.option.Ranges;
import io.muninn.launch.option.UpdateOptions;
import io.muninn.launch.process.LiveRun;
import io.muninn.launch.process.TemporaryFolder;
import io.muninn.launch.report.ComparisonTable;
import io.muninn.launch.report.Variant;
import io.muninn.report.FileErrors;
import io.muninn.report.ReportFile;
import io.muninn.spi.LazyWriters;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dsm compare}: all versions of a program, one after another, live on this machine. */
@Command(
        name = "compare",
        description = "Runs all versions of a program, one after another, side by side.",
        customSynopsis = {
            "dsm compare [options] PROGRAM [program options]",
            "       dsm compare [options] --class-path JAR CLASS [program options]"
        },
        footer = {
            "",
            "Options may also follow PROGRAM; words behind -- are the program's.",
            "Exit status: 0 every result is right, 1 otherwise, 2 wrong usage."
        },
        mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
    private static final int REPEAT_MAX = 1000;
    private static final String NODES_USUAL = "2";
    private static final String VERSION_OPTION = "--version";
    private static final String PREFETCH_OPTION = "--prefetch";

    @Spec private CommandSpec spec;

    @Option(
            names = {"-n", "--nodes"},
            paramLabel = "NODES",
            defaultValue = NODES_USUAL,
            description = "nodes of all versions except the sequential one (default: 2)")
    private int nodes;

    @Option(
            names = "--repeat",
            paramLabel = "K",
            defaultValue = "1",
            description = "runs of each version; the one of median time is reported (default: 1)")
    private int repeat;

    @Option(
            names = "--engine",
            paramLabel = "E",
            defaultValue = Engines.AUTO,
            converter = Converters.EngineName.class,
            description = "how page faults are caught, as in 'dsm run' (default: auto)")
    private String engine = Engines.AUTO;

    @Option(
            names = UpdateOptions.LAZY_WRITERS,
            paramLabel = "multiple|single",
            converter = Converters.Writers.class,
            description = "nodes that may store to a lazy page at a time, as in 'dsm run'")
    private @Nullable LazyWriters lazyWriters; // null if not given

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "writes times and counts of all versions to FILE; - is standard output, and the"
                            + " table goes to standard error then")
    private @Nullable Path json; // null without a report

    @Mixin private ProgramOptions ofProgram = new ProgramOptions();

    @Parameters(arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        Programs programs = Programs.installed();
        BuiltInProgram program = checked(programs);
        List<String> options = List.copyOf(words.subList(1, words.size()));
        String heading =
                String.join(" ", words)
                        + " on "
                        + (nodes == 1 ? "1 node" : nodes + " nodes")
                        + (repeat == 1 ? "" : ", median of " + repeat + " runs")
                        + (lazyWriters == null ? "" : ", " + String.join(" ", writersOption()));
        ComparisonTable table = new ComparisonTable(heading, nodes);
        for (Variant contestant : Variant.of(program)) {
            table.add(contestant, runs(contestant, options));
        }
        boolean isJsonOnOutput = json != null && ReportFile.isStandardOutput(json);
        PrintWriter out =
                isJsonOnOutput ? spec.commandLine().getErr() : spec.commandLine().getOut();
        out.print(table.text());
        out.flush();
        return isWritten(table) && table.isGood() ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private BuiltInProgram checked(Programs programs) throws InterruptedException {
        try {
            if (words.isEmpty()) {
                throw new IllegalArgumentException(
                        "which program? 'dsm programs' lists those there are");
            }
            Ranges.requireLive("-n", nodes);
            Ranges.require("--repeat", repeat, 1, REPEAT_MAX);
            NodeOptions.checkEngine(engine);
            TemporaryFolder.requireWritable("compare");
            if (json != null) {
                ReportFile.requireWritable(json);
            }
            BuiltInProgram program = ofProgram.named(programs, words.getFirst());
            if (ofProgram.isOfBuiltIn() && words.contains(VERSION_OPTION)) {
                throw new IllegalArgumentException("compare runs all versions: no --version");
            }
            if (program.hidesLatency() && words.contains(PREFETCH_OPTION)) {
                throw new IllegalArgumentException("compare runs all versions: no --prefetch");
            }
            ofProgram.check(program, words.subList(1, words.size()), nodes, 1);
            return program;
        } catch (IllegalArgumentException unusable) {
            throw unusable(unusable.getMessage(), unusable);
        }
    }

    private ParameterException unusable(String text, Exception cause) {
        return new ParameterException(spec.commandLine(), text, cause);
    }

    private List<String> writersOption() {
        return lazyWriters == null
                ? List.of()
                : List.of(UpdateOptions.LAZY_WRITERS, lazyWriters.word());
    }

    private List<LiveRun> runs(Variant contestant, List<String> options)
            throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        List<String> program = new ArrayList<>(List.of(words.getFirst()));
        program.addAll(options);
        program.addAll(contestant.programOptions());
        List<String> runOptions = new ArrayList<>(List.of("--engine", engine));
        runOptions.addAll(writersOption());
        runOptions.addAll(ofProgram.toArguments());
        runOptions.addAll(contestant.runOptions());
        List<LiveRun> runs = new ArrayList<>();
        for (int i = 0; i < repeat; i++) {
            err.println(contestant.label() + (repeat == 1 ? "" : " " + (i + 1) + "/" + repeat));
            err.flush();
            LiveRun run =
                    LiveRun.of(contestant.nodes(nodes), contestant.protocol(), runOptions, program);
            if (!run.isGood()) {
                err.println("dsm compare: " + contestant.label() + " failed:");
                err.print(run.output());
                err.flush();
            }
            runs.add(run);
        }
        return runs;
    }

    private boolean isWritten(ComparisonTable table) {
        if (json == null) {
            return true;
        }
        try {
            ReportFile.write(table.json(), json);
            return true;
        } catch (IOException cannot) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("dsm compare: cannot write " + json + ": " + FileErrors.reason(cannot));
            return false;
        }
    }
}
