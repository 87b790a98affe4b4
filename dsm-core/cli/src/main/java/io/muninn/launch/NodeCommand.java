package io.muninn.launch;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.LauncherPipe;
import io.muninn.agent.lifecycle.Agent;
import io.muninn.agent.lifecycle.ServedNodes;
import io.muninn.launch.cluster.ClusterEnvironment;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.NodeOptions;
import io.muninn.launch.option.Programs;
import io.muninn.launch.option.Ranges;
import io.muninn.launch.option.TlsOptions;
import io.muninn.launch.process.SecretFile;
import io.muninn.model.NodeId;
import io.muninn.report.ReportDrafts;
import io.muninn.report.ReportFile;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.join.Secret;
import io.muninn.transport.net.Address;
import io.muninn.transport.tls.Tls;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dsm node}: one node of a run; called by a user or by each task of a scheduler. */
@Command(
        name = "node",
        description =
                "Runs one or several nodes of a run: an agent, and an application for"
                        + " each node.",
        synopsisHeading = "",
        customSynopsis = {
            "Usage: dsm node --id I --nodes N --root ADDRESS --secret-file FILE [options]"
                    + " PROGRAM ...",
            "       dsm node --id I --nodes N --root ADDRESS --secret-file FILE [options]"
                    + " -- java ...",
            "       srun [options] dsm node [options] PROGRAM ...",
            "       mpirun [options] dsm node [options] PROGRAM ..."
        },
        footer = {
            "",
            "A task of srun, of mpirun or of an Indexed Job of Kubernetes is one node; without"
                    + " --id, --nodes",
            "and --root it takes them from the environment. Without --secret-file the secret is in"
                    + " "
                    + Secret.VARIABLE
                    + "."
        },
        mixinStandardHelpOptions = true)
final class NodeCommand implements Callable<Integer> {
    private static final String COMMAND_FOLLOWS = "--";
    private static final String NODES = "--nodes";
    private static final int PORT_MAX = 65_535;

    /**
     * This agent's place in the run.
     *
     * @param idName the option or variable that says which node this is
     * @param listen on which address; empty for the usual one
     */
    private record Membership(
            String idName, ServedNodes ids, int nodes, String root, Optional<String> listen) {}

    @Spec private CommandSpec spec;

    @Option(
            names = "--id",
            paramLabel = "I[-J]",
            converter = Converters.OfIds.class,
            description =
                    "this node, from 0, or the nodes from I to J, which one agent serves; node 0 is"
                            + " the root")
    private @Nullable ServedNodes ids; // null for the environment's

    @Option(names = NODES, paramLabel = "N", description = "nodes of the run")
    private @Nullable Integer nodes; // null for the environment's

    @Option(
            names = "--root",
            paramLabel = "ADDRESS",
            description = "where the root listens: host:port, or unix:@name within one machine")
    private @Nullable String root; // null for the environment's

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description =
                    "where --root is not given, the port at which the root listens (default:"
                            + " within one host none, else one that follows from the job)")
    private @Nullable Integer port; // null for the default

    @Option(
            names = "--listen",
            paramLabel = "HOST[:PORT]",
            description =
                    "address of this machine on which this node listens (default: on the root the"
                            + " one that --root names; on others the one from which they reach the"
                            + " root, and any port)")
    private @Nullable String listen; // null for the default

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description =
                    "its first line is the secret that the nodes of the run share, at least"
                            + " 16 bytes; only its owner may write it, and only owner and group may"
                            + " read it; - for standard input")
    private @Nullable String secretFile; // null for the variable's

    @Option(
            names = "--launched",
            hidden = true,
            description =
                    "started by 'dsm run --hosts': the secret comes through the launcher's pipe")
    private boolean launched;

    @Mixin private TlsOptions tls = new TlsOptions();

    @Mixin private NodeOptions options = new NodeOptions();

    @Parameters(arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        List<AgentConfig> configs = configs(Programs.installed(), System.getenv());
        options.logLevel().ifPresent(JvmFlags::setLogLevel);
        options.hints(configs.getFirst().self().index(), configs.getLast().self().index())
                .forEach(hint -> System.err.println("dsm node: " + hint));
        if (options.isJsonOnStandardOutput()) {
            System.setOut(System.err); // only the report is written there
        }
        tls.warning().ifPresent(text -> System.err.println("dsm: " + text));
        return Agent.run(configs);
    }

    /**
     * Converts the command line to a configuration of each node, and reads the secret and the files
     * of TLS.
     *
     * @param variables the environment of this process
     * @throws ParameterException if it is invalid
     */
    List<AgentConfig> configs(Programs programs, Map<String, String> variables) {
        try {
            Membership member = membership(variables);
            options.check(NODES, member.nodes(), member.ids().count());
            Ranges.require(member.idName(), member.ids().last(), 0, member.nodes() - 1);
            checkAddresses(member);
            Tls links = tls.read();
            if (isWholeCommand()) {
                return configs(member, links, secret(variables), _ -> words);
            }
            options.checkProgram(programs, words, member.nodes());
            return configs(
                    member,
                    links,
                    secret(variables),
                    id -> options.applicationCommand(programs, words, id));
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    /**
     * @param commands the application of a node
     */
    private List<AgentConfig> configs(
            Membership member, Tls links, byte[] secret, IntFunction<List<String>> commands) {
        ClusterConfig.builder( // checks the ranges
                NodeId.of(member.ids().first()),
                member.nodes(),
                Address.parse(member.root()),
                new Secret(secret));
        Optional<Path> report = options.json().map(ReportFile::absolute);
        Optional<Path> page = options.page().map(ReportFile::absolute);
        List<AgentConfig> configs = new ArrayList<>();
        for (int id = member.ids().first(); id <= member.ids().last(); id++) {
            int node = id;
            NodeOptions.Place place =
                    new NodeOptions.Place(
                            id,
                            member.nodes(),
                            member.root(),
                            member.listen(),
                            launched,
                            launched ? report.map(all -> new ReportDrafts(all).of(node)) : report,
                            launched ? page.map(all -> new ReportDrafts(all).page()) : page,
                            links);
            List<String> command = commands.apply(id);
            configs.add(
                    options.toConfig(
                            place,
                            id - member.ids().first(),
                            secret,
                            options.isJsonOnStandardOutput()
                                    ? JvmFlags.onStandardError(command)
                                    : command));
        }
        return configs;
    }

    /** Takes from the environment what no option says. */
    private Membership membership(Map<String, String> variables) {
        Optional<ClusterEnvironment> task = ClusterEnvironment.of(variables);
        if (task.isEmpty() && (ids == null || nodes == null || root == null)) {
            throw new IllegalArgumentException(
                    "which node of which run? give --id, --nodes and --root, or start it with"
                            + " srun, with mpirun or in an Indexed Job of Kubernetes");
        }
        if (port != null) {
            if (root != null) {
                throw new IllegalArgumentException("--port means nothing with --root");
            }
            Ranges.require("--port", port, 1, PORT_MAX);
        }
        ServedNodes served = ids == null ? ServedNodes.of(task.get().rank()) : ids;
        Optional<String> told = Optional.ofNullable(listen);
        if (root == null && served.hasRoot()) {
            told = told.or(task.get()::listenOfRoot);
        }
        return new Membership(
                ids == null ? task.get().rankVariable() : "--id",
                served,
                nodes == null ? task.get().size() : nodes,
                root == null ? task.get().root(portToUse()).toString() : root,
                told);
    }

    private OptionalInt portToUse() {
        return port == null ? OptionalInt.empty() : OptionalInt.of(port);
    }

    private byte[] secret(Map<String, String> variables) {
        if (launched) {
            try (InputStream pipe = LauncherPipe.open()) {
                return SecretFile.read(SecretFile.STANDARD_INPUT, pipe);
            } catch (IOException none) {
                throw new IllegalArgumentException("there is no launcher", none);
            }
        }
        return secretFile == null
                ? SecretFile.fromVariable(variables)
                : SecretFile.read(secretFile, new FileInputStream(FileDescriptor.in));
    }

    /**
     * Checks the addresses as far as possible before anything is started; host names are not
     * resolved.
     */
    private static void checkAddresses(Membership member) {
        if (Address.parse(member.root()) instanceof Address.Tcp(String host, int port)) {
            if (port == 0) {
                throw new IllegalArgumentException("address '" + member.root() + "' has no port");
            }
            checkHost("--root", host);
        }
        if (member.listen().isPresent()) {
            Address.Tcp told = Address.Tcp.parse(member.listen().get());
            checkHost("--listen", told.host());
            if (told.port() != 0 && member.ids().count() > 1) {
                throw new IllegalArgumentException(
                        "--listen "
                                + member.listen().get()
                                + ": "
                                + member.ids()
                                + " cannot listen on one port; give the host alone");
            }
        }
    }

    /** Checks that a host is a valid numeric address or has the characters of a name. */
    private static void checkHost(String option, String host) {
        boolean isNumeric = host.indexOf(':') >= 0 || host.matches("[\\d.]+");
        try {
            if (isNumeric) {
                InetAddress.ofLiteral(host);
            }
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    option + ": '" + host + "' is no numeric address", malformed);
        }
        if (!isNumeric && !host.matches("[\\w.-]{1,253}")) {
            throw new IllegalArgumentException(
                    option + ": '" + host + "' is neither a host's name nor its address");
        }
    }

    /** True if the first word that is not an option follows {@code --}. */
    private boolean isWholeCommand() {
        List<String> all = spec.commandLine().getParseResult().originalArgs();
        int before = all.size() - words.size() - 1;
        return !words.isEmpty() && before >= 0 && all.get(before).equals(COMMAND_FOLLOWS);
    }
}
