package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.Dsm;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.MachineOptions;
import io.muninn.launch.option.ProgramOptions;
import io.muninn.launch.option.Programs;
import io.muninn.launch.option.Ranges;
import io.muninn.launch.option.SimulatedProtocol;
import io.muninn.launch.option.UpdateOptions;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.pool.PoolLayout;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.processor.ProcessorRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dsm sim}: runs the kernels under virtual time. */
@Command(
        name = "sim",
        description = "Runs the kernels of a cluster in this process, under virtual time.",
        customSynopsis = {
            "dsm sim [-n NODES] [options] PROGRAM [program options]",
            "       dsm sim [-n NODES] [options] --class-path JAR CLASS [program options]",
            "       dsm sim [random | litmus | pool | mutants] [options]"
        },
        footer = {
            "",
            "A program runs unchanged on simulated nodes, and is counted as by 'dsm run'.",
            "In a checkout, random programs and litmus tests check the kernel, and mutants",
            "of the kernel check these tests; without any of these words, random programs run.",
            "Options may also follow PROGRAM; words behind -- are the program's.",
            "",
            "Exit status: 0 the result is verified, 1 otherwise, 2 wrong usage."
        },
        mixinStandardHelpOptions = true)
final class SimCommand implements Callable<Integer> {
    private static final int NODES = 4;

    @Spec private CommandSpec spec;

    @Option(
            names = {"-n", "--nodes"},
            paramLabel = "NODES",
            description = "simulated nodes (default: 4)")
    private @Nullable Integer nodes; // null if not given

    @Option(
            names = "--processes",
            paramLabel = "P",
            defaultValue = "1",
            description =
                    "application processes per node; a program sees N * P nodes (default:"
                            + " ${DEFAULT-VALUE})")
    private int processes;

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "application threads per process (default: 1)")
    private @Nullable Integer threads; // null if not given

    @Option(
            names = "--protocol",
            paramLabel = "P",
            converter = Converters.SimulatedProtocolName.class,
            description =
                    "overrides every annotation; aurc, for smp networks only, is home-based with"
                            + " hardware that sends stores as they happen")
    private @Nullable SimulatedProtocol protocol; // null as annotated

    @Option(names = "--byte-diffs", description = "compares pages with their twins byte by byte")
    private boolean byteDiffs;

    @Option(
            names = "--check-races",
            description =
                    "looks for elements of write-shared variables that one node stores to, and"
                            + " another loads or stores to at the same time; ends with status 1 if"
                            + " there are any")
    private boolean checksRaces;

    @Mixin private MachineOptions machines = new MachineOptions();

    @Option(names = "--hold-micros", paramLabel = "N", description = "as for 'dsm run'")
    private @Nullable Long holdMicros; // null if not given

    @Mixin private UpdateOptions updates = new UpdateOptions();

    @Option(
            names = "--hosts",
            paramLabel = "H",
            defaultValue = "1",
            description =
                    "with --pool: hosts between which the nodes are divided, each with a pool"
                            + " (default: ${DEFAULT-VALUE})")
    private int hosts;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "writes the counts of the run to FILE; - is standard output, and all else goes"
                            + " to standard error then")
    private @Nullable Path json; // null without a report

    @Option(names = "--report", paramLabel = "FILE", description = "as for 'dsm run'")
    private @Nullable Path page; // null without a page

    @Option(names = "--stats", description = "as for 'dsm run'")
    private @Nullable Boolean stats; // null if not given

    @Option(names = "--pages", description = "as for 'dsm run'")
    private @Nullable Boolean everyPage; // null if not given

    @Mixin private ProgramOptions ofProgram = new ProgramOptions();

    @Parameters(arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        try {
            return run();
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    private int run() throws InterruptedException {
        if (ProgramsCommand.printsHelp(ofProgram, words, spec.commandLine().getOut())) {
            return ExitStatus.OK;
        }
        if (words.isEmpty()) {
            throw new IllegalArgumentException(
                    "which program? 'dsm programs' lists those there are");
        }
        Ranges.requireProcesses(processes, nodes(), NodeId.NODES_MAX);
        if (threads != null) {
            Ranges.require("--threads", threads, 1, Dsm.THREADS_MAX);
        }
        if (holdMicros != null) {
            Ranges.require("--hold-micros", holdMicros, 0, TimeUnit.SECONDS.toMicros(1));
        }
        Optional<MachineOptions.Smp> smp = machines.smp(protocol != null && protocol.hasUpdates());
        ProcessorRules rules = machines.processors().rules();
        if (everyPage != null && json == null) {
            throw new IllegalArgumentException("--pages means nothing without --json");
        }
        updates.check(processes, Optional.ofNullable(protocol).map(SimulatedProtocol::protocol));
        Ranges.require("--hosts", hosts, 1, nodes());
        if (hosts > 1 && !updates.rules(processes).weak().isPooled()) {
            throw new IllegalArgumentException("--hosts means nothing without --pool");
        }
        if (updates.rules(processes).weak().isPooled()) {
            Ranges.require("--pool: -n", nodes(), 1, PoolLayout.POOL_NODES_MAX);
        }
        ofProgram.setProperties();
        BuiltInProgram program = ofProgram.named(Programs.installed(), words.getFirst());
        List<String> options = List.copyOf(words.subList(1, words.size()));
        NodeThreads each = new NodeThreads(processes, Optional.ofNullable(threads).orElse(1));
        ofProgram.check(program, options, nodes() * processes, each.perProcess());
        SimulatedRun run = new SimulatedRun(program, options, nodes(), each);
        if (byteDiffs) {
            run.byteDiffs();
        }
        if (checksRaces) {
            run.checkRaces();
        }
        Optional.ofNullable(protocol).ifPresent(run::protocol);
        MachineModel costs = machines.costs();
        smp.ifPresentOrElse(
                run::machine,
                () -> run.machines(costs, machines.processors().delays(costs), rules));
        Optional.ofNullable(holdMicros).ifPresent(run::holdMicros);
        run.updates(updates.rules(processes), updates.twins());
        run.hosts(hosts);
        Optional.ofNullable(json).ifPresent(run::json);
        Optional.ofNullable(page).ifPresent(run::page);
        if (stats != null) {
            run.stats();
        }
        if (everyPage != null) {
            run.everyPage();
        }
        return run.run(spec.commandLine().getOut(), spec.commandLine().getErr());
    }

    private int nodes() {
        if (nodes == null) {
            return NODES;
        }
        Ranges.require("-n", nodes, 1, NodeId.NODES_MAX);
        return nodes;
    }
}
