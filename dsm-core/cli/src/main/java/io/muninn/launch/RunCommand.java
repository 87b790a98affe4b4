package io.muninn.launch;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.lifecycle.Grace;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.jvm.ConfigBytes;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.launch.option.AgentCount;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.NodeOptions;
import io.muninn.launch.option.Optimization;
import io.muninn.launch.option.Programs;
import io.muninn.launch.process.Launcher;
import io.muninn.launch.process.TemporaryFolder;
import io.muninn.launch.report.RunReports;
import io.muninn.transport.tls.Tls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dsm run}: runs all nodes of a run on this machine. */
@Command(
        name = "run",
        description = "Runs a program on several nodes of this machine.",
        customSynopsis = {
            "dsm run [-n NODES] [options] PROGRAM [program options]",
            "       dsm run [-n NODES] [options] --class-path JAR CLASS [program options]"
        },
        footer = {
            "",
            "The program on node 0 reads standard input; on other nodes it is empty.",
            "Exit status: 0 the result is verified, 1 it is wrong or the program failed, 2 wrong"
                    + " usage,",
            "3 a node was lost."
        },
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    private static final String HELP = "--help";

    @Spec private CommandSpec spec;

    @Option(
            names = {"-n", "--nodes"},
            paramLabel = "NODES",
            defaultValue = "2",
            description = "nodes, each with an application (default: ${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--agents",
            paramLabel = "HOW",
            defaultValue = AgentCount.HOST,
            converter = Converters.OfAgents.class,
            description =
                    "processes that serve the nodes: host (one for all), node (one for each), or a"
                            + " number (default: ${DEFAULT-VALUE})")
    private AgentCount agents = AgentCount.ONE;

    @Option(names = "--list", description = "lists the built-in programs and ends")
    private boolean list;

    @Mixin private NodeOptions options = new NodeOptions();

    @Parameters(arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        Programs programs = Programs.installed();
        if (list) {
            ProgramsCommand.print(programs, spec.commandLine().getOut());
            return ExitStatus.OK;
        }
        if (words.size() == 2 && words.getLast().equals(HELP) && options.isOfBuiltIn()) {
            ProgramsCommand.printUsage(named(programs), spec.commandLine().getOut());
            return ExitStatus.OK;
        }
        Optional<RunReports> reports = options.json().map(RunReports::new);
        Launcher.Plan plan = plan(programs, reports);
        checkMetricsPorts();
        Launcher launcher = new Launcher(plan, System.err);
        return reports.isEmpty()
                ? launcher.run()
                : reports.get().run(launcher, options.known(words.getFirst(), nodes));
    }

    private void checkMetricsPorts() {
        try {
            options.checkMetricsPorts(nodes);
        } catch (IllegalArgumentException taken) {
            throw unusable(taken);
        }
    }

    /** Converts the command line to a plan, without a report. */
    Launcher.Plan plan(Programs programs) {
        return plan(programs, Optional.empty());
    }

    /**
     * Converts the command line to a plan.
     *
     * @param reports the nodes' drafts of the report; empty if no report is requested
     * @throws ParameterException if the command line is invalid
     */
    Launcher.Plan plan(Programs programs, Optional<RunReports> reports) {
        try {
            options.check("-n", nodes, agents.servedMost(nodes));
            options.checkReport();
            if (reports.isPresent()) {
                TemporaryFolder.requireWritable("--json");
            }
            options.checkProgram(programs, words, nodes);
        } catch (IllegalArgumentException unusable) {
            throw unusable(unusable);
        }
        List<String> agent =
                options.isOn(Optimization.AGENT_TUNING)
                        ? JvmFlags.agent(List.of())
                        : JvmFlags.plainAgent(List.of());
        List<String> fast = options.isOn(Optimization.AGENT_C2) ? agent : JvmFlags.withoutC2(agent);
        List<String> jvm =
                options.isOn(Optimization.HANDOVER) ? fast : JvmFlags.withCheckedCodecs(fast);
        List<String> application = options.applicationCommand(programs, words);
        return new Launcher.Plan(
                nodes,
                agents.count(nodes),
                options.heartbeatLimit(),
                Grace.USUAL,
                (served, meeting, secret) -> {
                    List<AgentConfig> configs = new ArrayList<>();
                    for (int node = served.first(); node <= served.last(); node++) {
                        Optional<Path> draft = report(reports, node);
                        configs.add(
                                options.toConfig(
                                        place(node, meeting, draft),
                                        node,
                                        secret.getBytes(StandardCharsets.US_ASCII),
                                        application));
                    }
                    return agent(jvm, configs);
                });
    }

    private static Optional<Path> report(Optional<RunReports> reports, int node) {
        return reports.map(all -> all.draft(node));
    }

    /** The words after the class only appear in the list of processes. */
    private Launcher.AgentStart agent(List<String> jvm, List<AgentConfig> configs) {
        List<String> command = JvmFlags.withRoomFor(configs.size(), jvm);
        String ids = configs.getFirst().self() + "-" + configs.getLast().self();
        command.addAll(
                List.of(
                        "--id=" + ids,
                        "--nodes=" + nodes,
                        "--root=" + configs.getFirst().membership().root()));
        command.addAll(words);
        if (options.isJsonOnStandardOutput()) {
            command = JvmFlags.onStandardError(command);
        }
        return new Launcher.AgentStart(command, ConfigBytes.encodeAll(configs));
    }

    /** The configuration of one node's agent, with that application. */
    AgentConfig config(int node, String meeting, String secret, List<String> application) {
        return options.toConfig(
                place(node, meeting, Optional.empty()),
                node,
                secret.getBytes(StandardCharsets.US_ASCII),
                application);
    }

    private NodeOptions.Place place(int node, String meeting, Optional<Path> report) {
        return new NodeOptions.Place(
                node, nodes, meeting, Optional.empty(), true, report, Tls.USUAL);
    }

    private BuiltInProgram named(Programs programs) {
        try {
            return programs.named(words.getFirst());
        } catch (IllegalArgumentException unknown) {
            throw unusable(unknown);
        }
    }

    private ParameterException unusable(IllegalArgumentException cause) {
        return new ParameterException(spec.commandLine(), cause.getMessage(), cause);
    }
}
