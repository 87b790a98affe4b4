package io.muninn.launch.cluster;

import io.muninn.agent.lifecycle.ServedNodes;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.launch.process.Launcher;
import io.muninn.launch.process.StartException;
import io.muninn.report.ReportDrafts;
import io.muninn.transport.net.Address;
import io.muninn.transport.net.RandomBytes;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The agents of a run on several hosts: {@code dsm node} on each, started by ssh from the same path
 * as here. The secret goes through standard input, before the launcher's heartbeats; so an agent
 * ends when its launcher does, or when the connection is cut.
 *
 * <p><b>Threads.</b> Used by the launcher's thread.
 */
public final class SshAgents implements Launcher.Agents {
    /** The script in the folder that {@code ./dsm} passes to its JVM. */
    private static final String SCRIPT = "dsm";

    private static final String HOME = "muninn.home";

    /** Below the ports that Linux chooses for connections. */
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 10_000;

    private final Ssh ssh;
    private final HostList hosts;
    private final List<String> dsm;
    private final List<String> options;
    private final List<String> program;
    private final Optional<Path> drafts;
    private final boolean writesPage;
    private final boolean isOutputReserved;
    private Optional<Address.Tcp> root;

    /**
     * What all agents are told.
     *
     * @param client of ssh, with its options
     * @param root where the root listens; empty for the address by which ssh reaches its host. Port
     *     0 stands for one that is chosen here
     * @param options of {@code dsm node}
     * @param program its name and its options
     * @param drafts the folder of the nodes' reports, on each host; empty for no report
     * @param writesPage whether the root also writes a page for a browser there
     * @param isOutputReserved whether the output of nodes belongs to standard error
     */
    public record Told(
            List<String> client,
            Optional<Address.Tcp> root,
            List<String> options,
            List<String> program,
            Optional<Path> drafts,
            boolean writesPage,
            boolean isOutputReserved) {}

    public SshAgents(HostList hosts, Told told) {
        this.hosts = hosts;
        ssh = new Ssh(told.client());
        root = told.root();
        options = List.copyOf(told.options());
        program = List.copyOf(told.program());
        drafts = told.drafts();
        writesPage = told.writesPage();
        isOutputReserved = told.isOutputReserved();
        dsm = dsm();
    }

    /** A JVM that was not started by the script starts JVMs as itself. */
    private static List<String> dsm() {
        return Optional.ofNullable(System.getProperty(HOME))
                .map(home -> List.of(Path.of(home, SCRIPT).toString()))
                .orElseGet(() -> JvmFlags.command(List.of()));
    }

    /** The places of the agents: one for each host. */
    public List<Launcher.Place> places() {
        List<ServedNodes> shares = hosts.shares();
        List<Launcher.Place> places = new ArrayList<>();
        for (int i = 0; i < shares.size(); i++) {
            places.add(new Launcher.Place(shares.get(i), Optional.of(hosts.hosts().get(i).name())));
        }
        return places;
    }

    /**
     * Connects to every host once, and finds out where the root can listen. Nothing is started
     * before all hosts can be reached.
     *
     * @throws IllegalArgumentException if a host cannot be reached, or has no Muninn; the text
     *     names it, for the user
     */
    public void reach() throws InterruptedException {
        String test = "test -x " + Ssh.quoted(dsm.getFirst()) + " && echo \"$SSH_CONNECTION\"";
        List<InetAddress> addresses = new ArrayList<>();
        List<Process> asked = askAll(test);
        try {
            for (int i = 0; i < asked.size(); i++) {
                String host = hosts.hosts().get(i).name();
                Ssh.Answer answer = Ssh.answerOf(asked.get(i));
                require(host, answer);
                addresses.add(addressOfServer(host, answer.out().strip()));
            }
        } finally {
            asked.forEach(Process::destroy);
        }
        root = Optional.of(rootFrom(addresses));
    }

    private List<Process> askAll(String script) {
        List<Process> asked = new ArrayList<>();
        try {
            for (HostList.Host host : hosts.hosts()) {
                asked.add(ssh.ask(host.name(), script));
            }
            return asked;
        } catch (IOException none) {
            asked.forEach(Process::destroy);
            throw new IllegalArgumentException(
                    "--hosts needs a client of ssh on this machine: " + none.getMessage(), none);
        }
    }

    private void require(String host, Ssh.Answer answer) {
        if (answer.status() == Ssh.NO_CONNECTION) {
            throw new IllegalArgumentException(
                    "cannot reach host "
                            + host
                            + ": "
                            + answer.err().replaceFirst("\\.$", "")
                            + "; '"
                            + String.join(" ", ssh.client())
                            + " "
                            + host
                            + " true' has to succeed without a question: run it by hand, and"
                            + " 'ssh-copy-id "
                            + host
                            + "' if it asks for a password");
        }
        if (answer.status() != 0) {
            throw new IllegalArgumentException(
                    "host "
                            + host
                            + " cannot execute "
                            + dsm.getFirst()
                            + ": install the same version of Muninn there, at the same path");
        }
    }

    /** The third of client, port, server and port, as sshd tells its children. */
    private static InetAddress addressOfServer(String host, String connection) {
        String[] parts = connection.split(" ");
        try {
            return InetAddress.ofLiteral(parts[Math.min(2, parts.length - 1)]);
        } catch (IllegalArgumentException noAddress) {
            throw new IllegalArgumentException(
                    "host "
                            + host
                            + " does not say on which address it was reached: SSH_CONNECTION is '"
                            + connection
                            + "'",
                    noAddress);
        }
    }

    private Address.Tcp rootFrom(List<InetAddress> addresses) {
        InetAddress first = addresses.getFirst();
        boolean isTold = root.isPresent();
        if (!isTold
                && first.isLoopbackAddress()
                && addresses.stream().anyMatch(each -> !each.isLoopbackAddress())) {
            throw new IllegalArgumentException(
                    "host "
                            + hosts.hosts().getFirst().name()
                            + " was reached on the loopback address, on which other hosts cannot"
                            + " reach it: name it as they do, or give --root HOST");
        }
        String host = isTold ? root.get().host() : first.getHostAddress();
        int port = isTold ? root.get().port() : 0;
        return new Address.Tcp(host, port == 0 ? randomPort() : port);
    }

    private static int randomPort() {
        return FIRST_PORT
                + Math.floorMod(ByteBuffer.wrap(RandomBytes.of(Integer.BYTES)).getInt(), PORTS);
    }

    /** The agent of a host; the address at which nodes of one host would meet is not used. */
    @Override
    public Launcher.AgentStart of(ServedNodes served, String meeting, String secret) {
        String host = hosts.hosts().get(hosts.shares().indexOf(served)).name();
        List<String> command = new ArrayList<>(dsm);
        command.addAll(
                List.of(
                        "node",
                        "--launched",
                        "--id=" + served.first() + "-" + served.last(),
                        "--nodes=" + hosts.nodes(),
                        "--root=" + root.orElseThrow()));
        drafts.ifPresent(folder -> command.add("--json=" + folder));
        if (writesPage) {
            drafts.ifPresent(folder -> command.add("--report=" + folder));
        }
        command.addAll(options);
        command.addAll(program);
        List<String> variables = List.of("JAVA_HOME=" + System.getProperty("java.home"));
        String folder = Path.of("").toAbsolutePath().toString();
        List<String> client = ssh.agent(host, folder, variables, command);
        return new Launcher.AgentStart(
                isOutputReserved ? JvmFlags.onStandardError(client) : client,
                (secret + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Brings the reports of the nodes here and deletes them there. A host that cannot be reached
     * any more, or whose nodes have written none, has none.
     */
    public void collectDrafts() throws InterruptedException {
        if (drafts.isEmpty()) {
            return;
        }
        ReportDrafts local = new ReportDrafts(drafts.get());
        String folder = Ssh.quoted(drafts.get().toString());
        String mark = drafts.get().getFileName() + "/"; // no file contains such a line
        String script =
                "cd "
                        + folder
                        + " 2>/dev/null || exit 0;"
                        + " for each in *; do [ -f \"$each\" ] || continue; echo; echo "
                        + mark
                        + "\"$each\"; cat \"$each\"; done; rm -rf "
                        + folder;
        try {
            List<Process> asked = askAll(script);
            List<Ssh.Answer> answers = new ArrayList<>();
            for (Process each : asked) {
                answers.add(
                        Ssh.answerOf(each)); // all, before the first is written: a host may be this
            }
            for (Ssh.Answer answer : answers) {
                String[] files = ("\n" + answer.out()).split("\n" + Pattern.quote(mark));
                for (String file : List.of(files).subList(1, files.length)) {
                    int line = file.indexOf('\n');
                    Path draft = local.folder().resolve(file.substring(0, line));
                    ReportDrafts.write(file.substring(line + 1), draft);
                }
            }
        } catch (IOException cannot) {
            throw new StartException("no report: " + cannot.getMessage(), cannot);
        }
    }
}
