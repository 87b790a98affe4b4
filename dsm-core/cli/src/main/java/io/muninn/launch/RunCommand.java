package io.muninn.launch;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.lifecycle.Grace;
import io.muninn.launch.cluster.HostList;
import io.muninn.launch.cluster.SshAgents;
import io.muninn.launch.jvm.ConfigBytes;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.launch.option.AgentCount;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.ForwardedOptions;
import io.muninn.launch.option.NodeOptions;
import io.muninn.launch.option.Optimization;
import io.muninn.launch.option.Programs;
import io.muninn.launch.process.Launcher;
import io.muninn.launch.process.Streams;
import io.muninn.launch.process.TemporaryFolder;
import io.muninn.launch.report.RunReports;
import io.muninn.transport.net.Address;
import io.muninn.transport.tls.Tls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code dsm run}: runs all nodes of a run on this machine, or on hosts that ssh reaches. */
@Command(
        name = "run",
        description = "Runs a program on several nodes, of this machine or of several hosts.",
        customSynopsis = {
            "dsm run [-n NODES] [options] PROGRAM [program options]",
            "       dsm run --hosts HOST[:NODES],... [options] PROGRAM [program options]",
            "       dsm run [-n NODES] [options] --class-path JAR CLASS [program options]"
        },
        footer = {
            "",
            "Options may also follow PROGRAM; words behind -- are the program's.",
            "The program on node 0 reads standard input; on other nodes, and with --hosts, it is"
                    + " empty.",
            "Exit status: 0 the result is verified, 1 it is wrong or the program failed, 2 wrong"
                    + " usage,",
            "3 a node was lost."
        },
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    private static final String NODES = "--nodes";
    private static final String AGENTS = "--agents";
    private static final String HOSTS = "--hosts";
    private static final String ROOT = "--root";
    private static final String SSH = "--ssh";
    private static final String JSON = "--json";

    /** What {@code dsm node} on another host is not told, or told in other words. */
    private static final Set<String> OWN = Set.of(HOSTS, ROOT, SSH, JSON, "--report");

    /** Hosts and their nodes. */
    static final class Hosts implements ITypeConverter<HostList> {
        @Override
        public HostList convert(String word) {
            return converted(HostList::parse, word);
        }
    }

    /** The address of a host, with a port or without. */
    static final class RootAddress implements ITypeConverter<Address.Tcp> {
        @Override
        public Address.Tcp convert(String word) {
            return converted(Address.Tcp::parse, word);
        }
    }

    private static <T> T converted(Function<String, T> parse, String word) {
        try {
            return parse.apply(word);
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(malformed.getMessage());
        }
    }

    @Spec private CommandSpec spec;

    @Option(
            names = {"-n", NODES},
            paramLabel = "NODES",
            defaultValue = "2",
            description = "nodes, each with an application (default: ${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = AGENTS,
            paramLabel = "HOW",
            defaultValue = AgentCount.HOST,
            converter = Converters.OfAgents.class,
            description =
                    "processes that serve the nodes: host (one for all), node (one for each), or a"
                            + " number (default: ${DEFAULT-VALUE})")
    private AgentCount agents = AgentCount.ONE;

    @Option(
            names = HOSTS,
            paramLabel = "HOST[:NODES],...",
            converter = Hosts.class,
            description =
                    "hosts that ssh reaches without a question, each with its nodes (default: 1)"
                            + " and one agent; the first has node 0. Muninn, and the program, are"
                            + " at the same path on each")
    private @Nullable HostList hosts; // null for this machine alone

    @Option(
            names = ROOT,
            paramLabel = "ADDRESS[:PORT]",
            converter = RootAddress.class,
            description =
                    "with --hosts, where node 0 listens (default: on the address by which ssh"
                            + " reaches its host, and a port from 20000 to 29999)")
    private Address.@Nullable Tcp root; // null for the default

    @Option(
            names = SSH,
            paramLabel = "COMMAND",
            description = "with --hosts, the client of ssh and its options, as in 'ssh -p 2222'")
    private @Nullable String ssh; // null for ssh

    @Option(names = "--list", description = "lists the built-in programs and ends")
    private boolean list;

    @Mixin private NodeOptions options = new NodeOptions();

    @Parameters(arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    private Optional<Streams> streams = Optional.empty();

    /** Sets the streams of all processes; by default those of this process. */
    void streams(Streams ofProcesses) {
        streams = Optional.of(ofProcesses);
    }

    @Override
    public Integer call() {
        Programs programs = Programs.installed();
        if (list) {
            ProgramsCommand.print(programs, spec.commandLine().getOut());
            return ExitStatus.OK;
        }
        try {
            if (ProgramsCommand.printsHelp(
                    options.ofProgram(), words, spec.commandLine().getOut())) {
                return ExitStatus.OK;
            }
        } catch (IllegalArgumentException unknown) {
            throw unusable(unknown);
        }
        try {
            return run(programs, RunReports.of(options.json(), options.page()));
        } catch (InterruptedException stop) { // the run has been ended
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    private int run(Programs programs, Optional<RunReports> reports) throws InterruptedException {
        if (hosts != null) {
            checkDeclarations();
            return runOn(hosts, programs, reports);
        }
        Launcher.Plan plan = plan(programs, reports);
        checkDeclarations();
        checkMetricsPorts();
        Streams given = streams.orElseGet(Streams::inherited);
        options.hints(0, nodes - 1).forEach(hint -> given.messages().println("dsm run: " + hint));
        Launcher launcher = new Launcher(plan, given);
        return reports.isEmpty()
                ? launcher.run()
                : reports.get().run(launcher, options.known(words.getFirst(), nodes));
    }

    /** Runs with an agent on each host. */
    private int runOn(HostList all, Programs programs, Optional<RunReports> reports)
            throws InterruptedException {
        nodes = all.nodes();
        SshAgents agentsThere = agentsOn(all, programs, reports.map(RunReports::folder));
        try {
            agentsThere.reach();
        } catch (IllegalArgumentException unreachable) {
            throw unusable(unreachable);
        }
        Launcher launcher =
                new Launcher(
                        new Launcher.Plan(
                                agentsThere.places(),
                                options.heartbeatLimit(),
                                Grace.USUAL,
                                agentsThere),
                        streams.orElseGet(Streams::inherited));
        return reports.isEmpty()
                ? launcher.run()
                : reports.get()
                        .run(
                                launcher,
                                agentsThere::collectDrafts,
                                options.known(words.getFirst(), nodes));
    }

    /**
     * Converts the command line to the agents of hosts, of which none is asked yet.
     *
     * @param drafts the folder of the nodes' reports; empty if no report is requested
     * @throws ParameterException if the command line is invalid
     */
    SshAgents agentsOn(HostList all, Programs programs, Optional<Path> drafts) {
        ParseResult given = spec.commandLine().getParseResult();
        nodes = all.nodes();
        try {
            for (String meaningless : List.of(NODES, AGENTS)) {
                if (given.hasMatchedOption(meaningless)) {
                    throw new IllegalArgumentException(
                            meaningless
                                    + " means nothing with --hosts, which gives each host its nodes"
                                    + " and one agent");
                }
            }
            options.check(HOSTS, nodes, all.nodesMost());
            options.checkReport();
            if (drafts.isPresent()) {
                TemporaryFolder.requireWritable(JSON);
            }
            options.checkProgram(programs, words, nodes);
        } catch (IllegalArgumentException unusable) {
            throw unusable(unusable);
        }
        return new SshAgents(
                all,
                new SshAgents.Told(
                        List.of((ssh == null ? "ssh" : ssh).trim().split(" +")),
                        Optional.ofNullable(root),
                        ForwardedOptions.words(given, OWN),
                        words,
                        drafts,
                        options.page().isPresent(),
                        options.isJsonOnStandardOutput()));
    }

    private void checkDeclarations() throws InterruptedException {
        try {
            options.checkDeclarations(words);
        } catch (IllegalArgumentException wrong) {
            throw unusable(wrong);
        }
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
            for (String meaningless : List.of(ROOT, SSH)) {
                if (spec.commandLine().getParseResult().hasMatchedOption(meaningless)) {
                    throw new IllegalArgumentException(
                            meaningless + " means nothing without " + HOSTS);
                }
            }
            options.check("-n", nodes, agents.servedMost(nodes));
            options.checkReport();
            if (reports.isPresent()) {
                TemporaryFolder.requireWritable(options.json().isPresent() ? "--json" : "--report");
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
        List<String> checked =
                options.isOn(Optimization.HANDOVER) ? fast : JvmFlags.withCheckedCodecs(fast);
        List<String> jvm =
                options.logLevel()
                        .map(level -> JvmFlags.withLogLevel(level, checked))
                        .orElse(checked);
        return new Launcher.Plan(
                Launcher.Place.here(nodes, agents.count(nodes)),
                options.heartbeatLimit(),
                Grace.USUAL,
                (served, meeting, secret) -> {
                    List<AgentConfig> configs = new ArrayList<>();
                    for (int node = served.first(); node <= served.last(); node++) {
                        int ofNode = node;
                        configs.add(
                                options.toConfig(
                                        place(
                                                node,
                                                meeting,
                                                reports.flatMap(all -> all.draft(ofNode)),
                                                reports.flatMap(RunReports::pageDraft)),
                                        node,
                                        secret.getBytes(StandardCharsets.US_ASCII),
                                        options.applicationCommand(programs, words, node)));
                    }
                    return agent(jvm, configs);
                });
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

    /**
     * The configuration of one node's agent, with that application.
     *
     * @param page the root's draft of the page of {@code --report}; empty if no page is wanted
     */
    AgentConfig config(
            int node,
            String meeting,
            String secret,
            List<String> application,
            Optional<Path> page) {
        return options.toConfig(
                place(node, meeting, Optional.empty(), page),
                node,
                secret.getBytes(StandardCharsets.US_ASCII),
                application);
    }

    private NodeOptions.Place place(
            int node, String meeting, Optional<Path> draft, Optional<Path> page) {
        return new NodeOptions.Place(
                node, nodes, meeting, Optional.empty(), true, draft, page, Tls.USUAL);
    }

    private ParameterException unusable(IllegalArgumentException cause) {
        return new ParameterException(spec.commandLine(), cause.getMessage(), cause);
    }
}
