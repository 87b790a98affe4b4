package io.muninn.launch;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.lifecycle.Agent;
import io.muninn.agent.lifecycle.ServedNodes;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.NodeOptions;
import io.muninn.launch.option.Programs;
import io.muninn.launch.option.Ranges;
import io.muninn.launch.option.TlsOptions;
import io.muninn.launch.process.SecretFile;
import io.muninn.model.NodeId;
import io.muninn.report.ReportFile;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.join.Secret;
import io.muninn.transport.net.Address;
import io.muninn.transport.tls.Tls;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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
                    + " -- java ..."
        },
        mixinStandardHelpOptions = true)
final class NodeCommand implements Callable<Integer> {
    private static final String COMMAND_FOLLOWS = "--";

    @Spec private CommandSpec spec;

    @Option(
            names = "--id",
            paramLabel = "I[-J]",
            required = true,
            converter = Converters.OfIds.class,
            description =
                    "this node, from 0, or the nodes from I to J, which one agent serves; node 0 is"
                            + " the root")
    private ServedNodes ids = ServedNodes.of(0);

    @Option(names = "--nodes", paramLabel = "N", required = true, description = "nodes of the run")
    private int nodes;

    @Option(
            names = "--root",
            paramLabel = "ADDRESS",
            required = true,
            description = "where the root listens: host:port, or unix:@name within one machine")
    private String root = "";

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
            required = true,
            description =
                    "its first line is the secret that the nodes of the run share, at least"
                            + " 16 bytes; only its owner may write it, and only owner and group may"
                            + " read it; - for standard input")
    private String secretFile = "";

    @Mixin private TlsOptions tls = new TlsOptions();

    @Mixin private NodeOptions options = new NodeOptions();

    @Parameters(arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        List<AgentConfig> configs = configs(Programs.installed());
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
     * @throws ParameterException if it is invalid
     */
    List<AgentConfig> configs(Programs programs) {
        try {
            options.check("--nodes", nodes, ids.count());
            Ranges.require("--id", ids.last(), 0, nodes - 1);
            checkAddresses();
            Tls links = tls.read();
            List<String> command;
            if (isWholeCommand()) {
                command = words;
            } else {
                options.checkProgram(programs, words, nodes);
                command = options.applicationCommand(programs, words);
            }
            byte[] secret = SecretFile.read(secretFile, new FileInputStream(FileDescriptor.in));
            ClusterConfig.builder( // checks the ranges
                    NodeId.of(ids.first()), nodes, Address.parse(root), new Secret(secret));
            if (options.isJsonOnStandardOutput()) {
                command = JvmFlags.onStandardError(command);
            }
            Optional<Path> report = options.json().map(ReportFile::absolute);
            Optional<String> told = Optional.ofNullable(listen);
            List<AgentConfig> configs = new ArrayList<>();
            for (int id = ids.first(); id <= ids.last(); id++) {
                NodeOptions.Place place =
                        new NodeOptions.Place(id, nodes, root, told, false, report, links);
                configs.add(options.toConfig(place, id - ids.first(), secret, command));
            }
            return configs;
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    /**
     * Checks the addresses as far as possible before anything is started; host names are not
     * resolved.
     */
    private void checkAddresses() {
        if (Address.parse(root) instanceof Address.Tcp(String host, int port)) {
            if (port == 0) {
                throw new IllegalArgumentException("address '" + root + "' has no port");
            }
            checkHost("--root", host);
        }
        if (listen != null) {
            Address.Tcp told = Address.Tcp.parse(listen);
            checkHost("--listen", told.host());
            if (told.port() != 0 && ids.count() > 1) {
                throw new IllegalArgumentException(
                        "--listen "
                                + listen
                                + ": "
                                + ids
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
