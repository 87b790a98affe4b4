package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.lifecycle.ServedNodes;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.launch.cluster.HostList;
import io.muninn.launch.cluster.SshAgents;
import io.muninn.launch.option.Programs;
import io.muninn.launch.process.Launcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands of {@code dsm run --hosts}, whose client of ssh is a shell here. */
class HostsCommandTest {
    private static final String SECRET = "a secret of some length";

    /** Looks like a client: drops its options, up to the host, and runs what is left there. */
    private static final String CLIENT =
            "while [ \"$1\" != -- ]; do shift; done; shift 2; eval \"$1\"";

    /** A program. */
    public static final class Nothing implements DsmProgram {
        @Override
        public void run(DsmNode node) {}
    }

    @TempDir private Path folder;

    @Test
    void nodeOfAHost_isToldTheOptionsOfTheRun() {
        Launcher.AgentStart agent =
                agent(
                        "run --hosts a,me@b:2 --root a:7000 --ssh /bin/client --threads 2 --pool"
                                + " --heartbeat=2.5 -Dmuninn.mailboxes=off --protocol weak"
                                + " --jvm-option -Da=b --jvm-option -Xmx1g --class-path"
                                + " target/test-classes "
                                + Nothing.class.getName()
                                + " --threads 9",
                        new ServedNodes(1, 2));

        assertEquals(
                List.of("/bin/client", "-o", "BatchMode=yes", "-T", "-o", "ConnectTimeout=15"),
                agent.command().subList(0, 6));
        assertEquals(List.of("--", "me@b"), agent.command().subList(6, 8));
        String command = agent.command().getLast();
        for (String part :
                List.of(
                        " node --launched --id=1-2 --nodes=3 --root=a:7000 ",
                        " --threads=2 ",
                        " --pool ",
                        " --heartbeat=2.5 ",
                        " -Dmuninn.mailboxes=off ",
                        " --protocol=weak ",
                        " --jvm-option -Da=b --jvm-option -Xmx1g ",
                        " --class-path " + Path.of("target/test-classes").toAbsolutePath() + " ",
                        " --threads 9 3<&0 </dev/null'")) {
            assertTrue(command.contains(part), () -> part + " is missing in " + command);
        }
        assertFalse(command.contains("--hosts") || command.contains("--ssh"), command);
    }

    @Test
    void secret_isSentAndOnNoCommandLine() {
        Launcher.AgentStart agent =
                agent(
                        "run --hosts a --root a:7000 --class-path target/test-classes "
                                + Nothing.class.getName(),
                        ServedNodes.of(0));

        assertEquals(SECRET + "\n", new String(agent.configuration(), StandardCharsets.US_ASCII));
        assertFalse(agent.command().toString().contains(SECRET));
        assertEquals("ssh", agent.command().getFirst());
    }

    /** Through two shells: what a program gets is what the user has typed. */
    @Test
    void oddWords_passTheShellsOfAHost() throws IOException, InterruptedException {
        List<String> odd = List.of("it's", "$HOME", "a b", "\"", "*", "`x`", "\\", "", "é;#");
        List<String> line =
                new ArrayList<>(
                        List.of(
                                "run",
                                "--hosts=a",
                                "--root=a:7000",
                                "--class-path=target/test-classes",
                                Nothing.class.getName()));
        line.addAll(odd);
        String command = agent(line, ServedNodes.of(0)).command().getLast();
        String before = "target/test-classes ";
        int program = command.lastIndexOf(before) + before.length();
        String words = command.substring(program, command.indexOf(" 3<&0"));

        Process shell =
                new ProcessBuilder(
                                "/bin/sh",
                                "-c",
                                CLIENT,
                                "client",
                                "--",
                                "a",
                                "exec /bin/sh -c 'printf \"<%s>\" " + words + "'")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertEquals(0, shell.waitFor(), printed);
        List<String> expected = new ArrayList<>(odd);
        expected.addFirst(Nothing.class.getName());
        assertEquals("<" + String.join("><", expected) + ">", printed);
    }

    /** The root listens where ssh has reached it, on a port below those of connections. */
    @Test
    void root_isWhereItsHostWasReached() throws IOException, InterruptedException {
        SshAgents agents = reached("--hosts a,b:2", "10.0.0.9 40000 10.0.0.$2 22");

        String node = agents.of(new ServedNodes(1, 2), "", SECRET).command().getLast();
        assertTrue(node.matches("(?s).* --root=10\\.0\\.0\\.1:2\\d{4} .*"), node);
        String told =
                reached("--root c:7 --hosts a,b", "10.0.0.9 40000 10.0.0.$2 22")
                        .of(ServedNodes.of(0), "", SECRET)
                        .command()
                        .getLast();
        assertTrue(told.contains(" --root=c:7 "), told);
        String hostAlone =
                reached("--root c --hosts a,b", "::1 40000 ::1 22")
                        .of(ServedNodes.of(0), "", SECRET)
                        .command()
                        .getLast();
        assertTrue(hostAlone.matches("(?s).* --root=c:2\\d{4} .*"), hostAlone);
    }

    @Test
    void hostThatCannotTakePart_isNamedWithTheReason() throws IOException {
        assertUnusable(
                "127.0.0.1 40000 $([ $2 = 1 ] && echo 127.0.0.1 || echo 10.0.0.2) 22",
                "host a was reached on the loopback address, on which other hosts cannot reach it:"
                        + " name it as they do, or give --root HOST");
        assertUnusable(
                "unknown",
                "host a does not say on which address it was reached: SSH_CONNECTION is 'unknown'");
        assertUnusable(
                "none\"; exit 1; \"",
                "host a cannot execute "
                        + Path.of(System.getProperty("java.home"), "bin", "java")
                        + ": install the same version of Muninn there, at the same path");
    }

    private void assertUnusable(String connection, String expected) throws IOException {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class, () -> reached("--hosts a,b", connection));
        assertEquals(expected, refused.getMessage());
    }

    /**
     * Asks hosts whose client of ssh runs everything here.
     *
     * @param connection what a server says; $2 is 1 for host a and 2 for host b
     */
    private SshAgents reached(String options, String connection)
            throws IOException, InterruptedException {
        Path client = folder.resolve("client");
        Files.writeString(
                client,
                "while [ \"$1\" != -- ]; do shift; done\n"
                        + "script=$3; set -- \"$2\" \"$([ $2 = a ] && echo 1 || echo 2)\"\n"
                        + "export SSH_CONNECTION=\""
                        + connection
                        + "\"\n"
                        + "eval \"$script\"\n");
        List<String> line = new ArrayList<>(List.of(("run " + options).split(" ")));
        line.addAll(List.of("--ssh", "sh " + client, "--class-path", "target/test-classes"));
        line.add(Nothing.class.getName());
        SshAgents agents = agents(line);
        agents.reach();
        return agents;
    }

    private static Launcher.AgentStart agent(String line, ServedNodes served) {
        return agent(List.of(line.split(" ")), served);
    }

    private static Launcher.AgentStart agent(List<String> line, ServedNodes served) {
        return agents(line).of(served, "unix:@unused", SECRET);
    }

    private static SshAgents agents(List<String> line) {
        CommandLine main = Main.commandLine();
        main.parseArgs(line.toArray(String[]::new));
        CommandLine run = main.getSubcommands().get("run");
        HostList hosts = run.getParseResult().matchedOptionValue("--hosts", null);
        RunCommand command = run.getCommand();
        return command.agentsOn(hosts, Programs.of(List.of()), Optional.empty());
    }
}
