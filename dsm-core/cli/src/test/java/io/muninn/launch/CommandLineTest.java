package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.Idle;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.lifecycle.ServedNodes;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.launch.jvm.ConfigBytes;
import io.muninn.launch.option.Programs;
import io.muninn.launch.process.Launcher;
import io.muninn.launch.report.RunReports;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WeakRules;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CommandLineTest {
    private static final String SECRET = "a secret of some length";
    private static final String MEETING = "unix:@meeting";

    /** A program. */
    public static final class Nothing implements DsmProgram {
        @Override
        public void run(DsmNode node) {}
    }

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "frob | unknown command 'frob'",
                "rum | did you mean run?",
                "bench | unknown command 'bench'", // of a module that is not on the class path
                "run --thread 3 hello | unknown option '--thread'; did you mean --threads?",
                "run -n 0 hello | -n 0 is outside the range 1 to 64",
                "run -n 65 hello | -n 65: a live run has at most 64 nodes, because its messages",
                "run -n 1025 hello | -n 1025 is outside the range 1 to 64",
                "run -n two hello | 'two' is not an int",
                "run --threads 0 hello | --threads 0 is outside the range 1 to 1024",
                "run --protocol mesi hello | unknown protocol 'mesi'",
                "run --engine mprotect hello | unknown engine 'mprotect' (known: auto, uffd+signal,",
                "compare --engine mprotect hello | unknown engine 'mprotect' (known: auto,",
                "doctor --jsn | unknown option '--jsn'; did you mean --json?",
                "doctor --all --seconds 0 | --seconds 0 is outside the range 1 to 3600",
                "doctor --seconds 9 | --seconds means nothing without --all",
                "completion fish | 'fish' is neither bash nor zsh",
                "completion | missing required parameter: 'bash|zsh'",
                "run --diff-kernel sse hello | unknown diff kernel 'sse' (known: auto, portable,",
                "run -Dmuninn.mailbox=off hello | unknown property 'muninn.mailbox'; did you mean"
                        + " muninn.mailboxes?",
                "run -Dmuninn.mailboxes=no hello | -Dmuninn.mailboxes=no is neither on nor off",
                "run --memory 0 hello | '0' is no size",
                "run --heartbeat never hello | 'never' is no number of seconds",
                "run --heartbeat 0.001 hello | '0.001' is outside the range 0.1 to 86400 s",
                "run --join-timeout 1e-9 hello | '1e-9' is outside the range 0.1 to 86400 s",
                "run --jvm-option x hello | --jvm-option 'x' is no option of a JVM",
                "run --gc CMS hello | unknown collector 'CMS'",
                "run --report - hello | --report - is no file",
                "run --report /no/such/run.html hello | cannot write --report /no/such/run.html",
                "run --jfr /no/such hello | cannot write --jfr /no/such: no writable folder",
                "run --metrics 65535 -n 2 hello | --metrics 65535 is outside the range 1 to 65534",
                "run --json /no/such/folder/x hello | no writable folder /no/such/folder",
                "run nothing | unknown program 'nothing'",
                "run Primes --rows 5 | unknown program 'Primes'; a class of your own needs"
                        + " --class-path, as in --class-path classes Primes",
                "run hello -n 65 | one word of 64 bits; dsm sim runs up to 1024",
                "run --log-level loud hello | unknown log level 'loud' (known: error, warn,",
                "run hello -n | dsm run: missing required parameter for option '-n'",
                "run | which program?",
                "run --class-path /no.jar X | cannot read class path entry /no.jar",
                "sim nothing | unknown program 'nothing'",
                "sim --class-path /no.jar X | cannot read class path entry /no.jar",
                "sim -Dmuninn.mailboxes=off hello | -Dmuninn.mailboxes means nothing for a simul",
                "compare --class-path /no.jar X | cannot read class path entry /no.jar",
                "sim | which program?",
                "compare nothing | unknown program 'nothing'",
                "compare -n 0 nothing | -n 0 is outside the range 1 to 64",
                "compare nothing -n two | 'two' is not an int",
                "compare --repeat 0 nothing | --repeat 0 is outside the range 1 to 1000",
                "compare | which program?",
                "sim -n 0 nothing | -n 0 is outside the range 1 to 1024",
                "sim -n 1025 hello | -n 1025 is outside the range 1 to 1024",
                "sim -n 513 --processes 2 hello | are more than the 1024 that a program can see",
                "sim --pool -n 65 hello | --pool: -n 65 is outside the range 1 to 64",
                "sim --protocol mesi | unknown protocol 'mesi'",
                "sim --network token-ring | unknown network 'token-ring'",
                "sim --network smp-1998 --l1-bytes 5000 hello | a first-level cache of 5000: not a",
                "sim --network smp-1998 --l2-bytes 4096 hello | a second-level cache of 4096 bytes",
                "sim --network smp-1998 --handlers some hello | unknown choice of handlers 'some'",
                "sim --network smp-1998 --processors 1 hello | options of processors mean nothing",
                "sim --network smp-1998 --handler-seed 2 hello | --handler-seed means nothing",
                "sim --network rack --handlers idle hello | --handlers means nothing without a",
                "sim --l2-bytes 4096 hello | --l2-bytes means nothing without a --network",
                "sim --protocol aurc hello | --protocol aurc means nothing without a --network",
                "run --protocol aurc hello | 'aurc' needs hardware that sends stores, and is only",
                "sim --processors 0 x | --processors 0 is outside the range 1 to 1024",
                "sim --processors 1 --switch-cost -1 x | --switch-cost -1 is outside the range 0",
                "sim --arrival-cost -3 x | --arrival-cost -3 is outside the range 0 to 1000000",
                "sim --switch-cost 5 x | --switch-cost means nothing without --processors",
                "sim --processors 1 --prefetch-cost -1 x | --prefetch-cost -1 is outside the range 0",
                "sim --agents-share x | --agents-share means nothing without --processors 1",
                "sim --processors 2 --agents-share x | --agents-share means nothing without",
                "sim --update-timeout 5 | '5' is no time; write 50ms, 200us or 2s",
                "run --update-timeout 2h x | '2h' is no time; write 50ms, 200us or 2s",
                "run --update-timeout 3601s x | '3601s' is no time; write 50ms, 200us or 2s",
                "run --update-lists maybe x | 'maybe' is neither on nor off",
                "run --packet-bytes 5 x | --packet-bytes means nothing without --update-lists on",
                "run --read-ahead 4097 x | '4097' is no read-ahead; write auto, off, or pages",
                "run --update-lists on --packet-bytes -1 x | --packet-bytes -1 is outside the range",
                "run --lazy-bytes 0 x | '0' is no size; write bytes, at least 1, or a number",
                "compare --lazy-writers 1 hello | '1' is neither multiple nor single",
                "run --lazy-writers two x | 'two' is neither multiple nor single",
                "run --weak-transition soon x | 'soon' is neither delayed nor immediate",
                "run --weak-lists many x | 'many' is neither distributed nor centralized",
                "run --weak-notices never x | 'never' is neither transition nor publish",
                "run --weak-unsafe-after -1 x | --weak-unsafe-after -1 is outside the range 0",
                "run --weak-safe-after 0 x | --weak-safe-after 0 is outside the range 1",
                "run --weak-lists centralized --weak-safe-after 2 x | --weak-safe-after means nothing"
                        + " with --weak-lists centralized",
                "run --weak-lists centralized --weak-unsafe-after 2 x | --weak-unsafe-after means"
                        + " nothing with --weak-lists centralized",
                "sim --pool --weak-lists centralized hello | --pool needs --weak-lists distributed",
                "run --pool --protocol lazy hello | --pool means nothing with --protocol lazy: only",
                "sim --pool --protocol home-based hello | --pool means nothing with --protocol",
                "sim --hosts 2 hello | --hosts means nothing without --pool",
                "sim --pool -n 2 --hosts 3 hello | --hosts 3 is outside the range 1",
                "run --weak-transition immediate --weak-notices publish x | --weak-notices publish"
                        + " needs --weak-transition delayed",
                "node --id 0 x | which node of which run? give --id, --nodes and --root, or start it",
                "node --id 0 --nodes 2 --root a:1 --port 7 x | --port means nothing with --root",
                "node --id 0 --nodes 2 --root a:1 -- x | no secret: all nodes of the run need the",
                "run --hosts a,b,a hello | host a is there twice; a:2 gives it two nodes",
                "run --hosts a:0 hello | 'a:0' is no host, as in b, user@b or [fd00::2], and no",
                "run --hosts a,,b hello | '' is no host, as in b, user@b",
                "run --hosts a,-Fx hello | '-Fx' is no host, as in b, user@b",
                "run --hosts a:64,b hello | --hosts 65: a live run has at most 64 nodes",
                "run --hosts a -n 2 hello | --nodes means nothing with --hosts, which gives each",
                "run --hosts a --agents 2 hello | --agents means nothing with --hosts",
                "run --ssh x hello | --ssh means nothing without --hosts",
                "run --root a:7 hello | --root means nothing without --hosts",
                "run --hosts a --root a:x hello | address 'a:x' does not end in a port number",
                "k8s hello | missing required option: '--image=IMAGE'",
                "k8s --image x -n 65 hello | -n 65: a live run has at most 64 nodes",
                "k8s --image x nothing | unknown program 'nothing'",
                "k8s --image x | which program?",
                "k8s --image x --class-path a.jar X | --class-path a.jar is no absolute path in the",
                "k8s --image x --class-path /a.jar --name X x | 'X' cannot name a job: --name takes",
                "k8s --image x --class-path /a.jar --dsm dsm x | --dsm dsm is no absolute path in",
                "node --id 2 --nodes 2 --root a:1 --secret-file - x | --id 2 is outside the range",
                "node --id 0 --nodes 0 --root a:1 --secret-file - x | --nodes 0 is outside",
                "node --id 0 --nodes 2 --root a --secret-file - x | neither host:port nor unix:@",
                "node --id 0 --nodes 2 --root a:0 --secret-file - x | address 'a:0' has no port",
                "node --id 0 --nodes 2 --root a:1 --secret-file /no/file -- x | secret file /no/file",
                "node --id 0 --nodes 2 --root a:1 --secret-file - --tls-cert /no/c -- x | --tls-cert"
                        + " and --tls-key belong together",
                "node --id 0 --nodes 2 --root a:1 --secret-file - --tls-ca /no/c -- x | --tls-cert"
                        + " and --tls-key belong together",
                "node --id 0 --nodes 2 --root a:1 --secret-file - --tls-cert /no/c --tls-key /no/k"
                        + " -- x | --tls-key: cannot read /no/k",
                "node --id 0 --nodes 2 --root a:1 --secret-file - --plaintext --tls-loopback -- x |"
                        + " --plaintext excludes the options that begin with --tls",
                "run --checksums perhaps hello | 'perhaps' is neither on nor off"
            })
    void unusableCommandLine_isOneClearLineAndStatus2(String arguments, String expected) {
        StringWriter err = new StringWriter();
        PrintWriter out = new PrintWriter(new StringWriter());

        int status = Main.execute(List.of(arguments.split(" ")), out, new PrintWriter(err, true));

        assertEquals(ExitStatus.USAGE, status);
        assertTrue(err.toString().contains(expected), err.toString());
        assertEquals(1, err.toString().lines().count(), err.toString());
    }

    @Test
    void metricsPortThatIsTaken_isNamedBeforeAnythingStarts() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            unusableCommandLine_isOneClearLineAndStatus2(
                    "run -n 1 --metrics "
                            + port
                            + " --class-path target/test-classes "
                            + Nothing.class.getName(),
                    "dsm run: cannot serve metrics on port " + port + ": Address already in use");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "256.1.1.1:70 | ::1 | --root: '256.1.1.1' is no numeric address",
                "1.2.3.4.5:70 | ::1 | --root: '1.2.3.4.5' is no numeric address",
                "[::1:70 | ::1 | --root: '[::1' is no numeric address",
                "a/b:70 | ::1 | --root: 'a/b' is neither a host's name nor its address",
                "a:70000 | ::1 | port 70000",
                "a:-1 | ::1 | port -1",
                "a:x | ::1 | does not end in a port number",
                "unix:@0123456789012345678901234567890123456789012345678901234567890123456789"
                        + "01234567890 | ::1 | exceeds 80 characters",
                "a:70 | 10.0.0.256 | --listen: '10.0.0.256' is no numeric address",
                "a:70 | 10.0.0.0/8 | --listen: '10.0.0.0/8' is neither a host's name",
            })
    void addressThatCannotBe_isOneClearLineAndStatus2(String root, String listen, String expected)
            throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), SECRET);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));

        unusableCommandLine_isOneClearLineAndStatus2(
                "node --id 0 --nodes 2 --root "
                        + root
                        + " --listen "
                        + listen
                        + " --secret-file "
                        + secret
                        + " -- x",
                expected);
    }

    @Test
    void keyFileThatOthersCanRead_isOneClearLineAndStatus2() throws IOException {
        Path key = Files.writeString(folder.resolve("key"), "a key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        String options =
                "node --id 0 --nodes 2 --root a:1 --secret-file - --tls-cert /no/c --tls-key "
                        + key
                        + " -- x";

        unusableCommandLine_isOneClearLineAndStatus2(
                options, "everybody can read the key file " + key + " (rw-r--r--): chmod 600 it");

        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        unusableCommandLine_isOneClearLineAndStatus2(options, "--tls-cert: cannot read /no/c");
    }

    @Test
    void checksums_areOnUnlessTheyAreSwitchedOff() throws IOException {
        assertTrue(config(runCommand("echo").plan(echo()), 0).membership().links().checksums());
        assertFalse(
                config(runCommand("--checksums off echo").plan(echo()), 0)
                        .membership()
                        .links()
                        .checksums());
    }

    @Test
    void diffKernelOfAnotherArchitecture_isOneClearLineThatNamesThoseThatRun() {
        String other = System.getProperty("os.arch").equals("amd64") ? "neon" : "avx2";
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setErr(new PrintWriter(err, true));

        assertEquals(ExitStatus.USAGE, command.execute("run", "--diff-kernel", other, "hello"));
        assertTrue(
                err.toString().contains(other + ": this machine can run portable"), err.toString());
    }

    @Test
    void nodeOfALauncher_isConfiguredAsTheRunWas() throws IOException {
        Path json = folder.resolve("run.json");
        Programs programs = Programs.of(List.of(new Echo()));
        Path page = folder.resolve("run.html");
        RunReports reports = RunReports.of(Optional.of(json), Optional.of(page)).orElseThrow();

        Launcher.Plan plan =
                runCommand(
                                "-n 3 --threads 2 --engine auto --protocol write-shared --json "
                                        + json
                                        + " --report "
                                        + page
                                        + " --metrics 9000 --heartbeat 2.5 --join-timeout 7"
                                        + " --hold-micros 50 --flush-micros 70 --memory 1g"
                                        + " --update-timeout 7ms --update-lists on"
                                        + " --packet-bytes 900 --read-ahead 9 --steady-access off"
                                        + " --lazy-bytes 64k --lazy-writers single"
                                        + " --weak-notices publish --weak-unsafe-after 3"
                                        + " --byte-diffs --check-races"
                                        + " --diff-kernel portable --idle spin -Dmuninn.mailboxes=off"
                                        + " --no-table --stats --pages --gc zgc --jvm-option -Xmx1g"
                                        + " --jvm-option -Da=b echo --words 3")
                        .plan(programs, Optional.of(reports));
        AgentConfig config = config(plan, 1);

        assertEquals(1, config.self().index());
        assertEquals(3, config.nodes());
        assertEquals(MEETING, config.membership().root());
        assertEquals(SECRET, new String(config.membership().secret(), StandardCharsets.UTF_8));
        assertEquals(2, config.threads());
        assertEquals(Optional.of(Protocol.WRITE_SHARED), config.coherence().protocol());
        assertTrue(config.coherence().byteDiffs());
        assertEquals("portable", config.mechanism().diffKernel());
        assertEquals(Idle.SPIN, config.mechanism().idle());
        assertFalse(config.mechanism().mailboxes());
        assertTrue(config.coherence().checksRaces());
        assertEquals(Duration.ofMillis(2500), config.membership().heartbeatLimit());
        assertEquals(Duration.ofSeconds(7), config.membership().joinTimeout());
        assertEquals(50_000, config.coherence().holdNanos());
        assertEquals(70_000, config.coherence().flushDelayNanos());
        assertEquals(
                new UpdateRules(7_000_000, 900, false, ReadAheadRules.upTo(9), 64 << 10)
                        .withLazyWriters(LazyWriters.SINGLE)
                        .withWeak(
                                new WeakRules(
                                        WeakRules.Transition.DELAYED,
                                        WeakRules.Lists.DISTRIBUTED,
                                        WeakRules.Notices.PUBLISH,
                                        3,
                                        WeakRules.DEFAULT.safeAfter())),
                config.coherence().updates());
        assertEquals(1L << 30, config.coherence().memoryBytes());
        assertEquals(reports.draft(1), config.output().json());
        assertEquals(OptionalInt.of(9001), config.output().metricsPort());
        assertTrue(config.launched());
        assertFalse(config.output().table());
        assertTrue(config.output().stats());
        assertTrue(config.output().everyPage());
        assertEquals(reports.pageDraft(), config.output().page());
        assertTrue(config.command().containsAll(List.of("-XX:+UseZGC", "-Xmx1g", "-Da=b")));
        assertEquals(
                List.of("echo", "--words", "3"),
                config.command().subList(config.command().size() - 3, config.command().size()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo | update timeout 50000 us, update lists off, steady access on,"
                        + " read-ahead off",
                "--update-timeout off --read-ahead off echo"
                        + " | update timeout off, update lists off, steady access on,"
                        + " read-ahead off",
                "--update-timeout 2s --read-ahead auto echo"
                        + " | update timeout 2000000 us, update lists off, steady access on,"
                        + " read-ahead up to 256 pages",
                "--update-timeout 20us --update-lists off --read-ahead 1 --steady-access off echo"
                        + " | update timeout 20 us, update lists off, steady access off,"
                        + " read-ahead up to 1 pages",
                "--update-lists on --read-ahead 4096 echo"
                        + " | update timeout 50000 us, update lists above 8192 bytes,"
                        + " steady access on, read-ahead up to 4096 pages",
                "--lazy-bytes 4m --read-ahead off echo"
                        + " | update timeout 50000 us, update lists off, steady access on,"
                        + " read-ahead off",
                "--lazy-bytes 1000 --read-ahead off echo"
                        + " | update timeout 50000 us, update lists off, steady access on,"
                        + " read-ahead off, lazy data up to 1000 bytes",
                "--lazy-writers multiple echo | update timeout 50000 us, update lists off,"
                        + " steady access on, read-ahead off",
                "--lazy-writers single echo | update timeout 50000 us, update lists off,"
                        + " steady access on, read-ahead off, single writers of lazy pages",
                "--weak-transition delayed --weak-lists distributed --weak-safe-after 8 echo"
                        + " | update timeout 50000 us, update lists off, steady access on,"
                        + " read-ahead off",
                "--weak-transition immediate --weak-lists centralized echo | update timeout 50000"
                        + " us, update lists off, steady access on, read-ahead off, weak pages:"
                        + " immediate transitions, centralized lists, notices at each transition,"
                        + " unsafe after 8, safe after 8"
            })
    void updates_areAsAskedFor(String arguments, String text) throws IOException {
        assertEquals(
                text,
                nodeCommand(arguments)
                        .configs(echo(), Map.of())
                        .getFirst()
                        .coherence()
                        .updates()
                        .text());
    }

    /** As that node's agent reads it. */
    private static AgentConfig config(Launcher.Plan plan, int node) throws IOException {
        Launcher.AgentStart agent = plan.agents().of(ServedNodes.of(node), MEETING, SECRET);
        ByteArrayInputStream pipe = new ByteArrayInputStream(agent.configuration());
        List<AgentConfig> configs = ConfigBytes.readAll(pipe);
        assertEquals(0, pipe.available(), "heartbeats follow");
        return configs.getFirst();
    }

    @Test
    void applicationOfABuiltInProgram_isToldItsClass() throws IOException {
        List<String> command = config(runCommand("echo").plan(echo()), 0).command();

        String told = "-Dmuninn.program.class=" + Echo.class.getName();
        assertTrue(command.contains(told), command::toString);
        assertEquals("echo", command.getLast());
    }

    @Test
    void heartbeatsOfTheLauncher_fitTheLimitSeveralTimes() {
        assertEquals(Duration.ofSeconds(1), runCommand("echo").plan(echo()).heartbeat());
        assertEquals(
                Duration.ofMillis(200), runCommand("--heartbeat 1 echo").plan(echo()).heartbeat());
    }

    @Test
    void wordsBehindTheProgram_areItsOwn() throws IOException {
        AgentConfig config =
                nodeCommand("echo --words 2 -- --threads 9").configs(echo(), Map.of()).getFirst();

        assertEquals(1, config.threads());
        assertEquals(
                List.of("echo", "--words", "2", "--", "--threads", "9"),
                config.command().subList(config.command().size() - 6, config.command().size()));
    }

    @Test
    void wordsBehindTwoDashes_areAWholeCommand() throws IOException {
        AgentConfig config =
                nodeCommand("-- java -cp x Y --threads 9").configs(echo(), Map.of()).getFirst();

        assertEquals(List.of("java", "-cp", "x", "Y", "--threads", "9"), config.command());
    }

    @Test
    void secretOfAFile_isTheConfigurations() throws IOException {
        AgentConfig config = nodeCommand("echo").configs(echo(), Map.of()).getFirst();

        assertEquals(SECRET, new String(config.membership().secret(), StandardCharsets.UTF_8));
        assertFalse(config.launched());
        assertTrue(config.output().table());
        assertEquals(Optional.empty(), config.membership().listen());
    }

    private static final Map<String, String> TASK =
            Map.of(
                    "SLURM_PROCID", "1",
                    "SLURM_STEP_NUM_TASKS", "2",
                    "SLURM_STEP_NUM_NODES", "1",
                    "SLURM_STEP_NODELIST", "vm",
                    "SLURM_JOB_ID", "5",
                    "SLURM_STEP_ID", "0",
                    "MUNINN_SECRET", SECRET);

    @Test
    void taskOfAScheduler_needsNoIds() {
        AgentConfig config = task("echo", TASK);

        assertEquals(1, config.self().index());
        assertEquals(2, config.nodes());
        assertEquals("unix:@muninn-slurm-5.0", config.membership().root());
        assertEquals(SECRET, new String(config.membership().secret(), StandardCharsets.UTF_8));
    }

    @Test
    void options_overrideTheEnvironment() throws IOException {
        Path other = Files.writeString(folder.resolve("other"), "another secret of some length");
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-------"));

        AgentConfig config =
                task("--id 2 --nodes 3 --root a:1 --secret-file " + other + " echo", TASK);

        assertEquals(2, config.self().index());
        assertEquals(3, config.nodes());
        assertEquals("a:1", config.membership().root());
        assertTrue(
                new String(config.membership().secret(), StandardCharsets.UTF_8).startsWith("an"));
        assertEquals("vm:7", task("--port 7 echo", TASK).membership().root());
    }

    @Test
    void rootOfAKubernetesJob_listensOnItsOwnName() {
        Map<String, String> pod =
                Map.of("JOB_COMPLETION_INDEX", "0", "HOSTNAME", "sor-0", "MUNINN_SECRET", SECRET);

        AgentConfig config = task("--nodes 2 echo", pod);

        assertEquals("sor-0.sor:7000", config.membership().root());
        assertEquals(Optional.of("sor-0"), config.membership().listen());
        assertEquals(
                Optional.of("0.0.0.0"),
                task("--nodes 2 --listen 0.0.0.0 echo", pod).membership().listen());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes 1 echo | 1 | SLURM_PROCID 1 is outside the range 0 to 0",
                "--port 0 echo | 1 | --port 0 is outside the range 1 to 65535",
                "echo | x | SLURM_PROCID is 'x', not a number, 0 to 63; --id overrides it"
            })
    void environmentThatCannotBe_isTold(String arguments, String rank, String expected) {
        Map<String, String> variables = new TreeMap<>(TASK);
        variables.put("SLURM_PROCID", rank);

        CommandLine.ParameterException refused =
                org.junit.jupiter.api.Assertions.assertThrows(
                        CommandLine.ParameterException.class, () -> task(arguments, variables));

        assertEquals(expected, refused.getMessage());
    }

    @Test
    void secretOfTheVariable_isNotPrintedIfItIsTooShort() {
        Map<String, String> variables = new TreeMap<>(TASK);
        variables.put("MUNINN_SECRET", "short");

        CommandLine.ParameterException refused =
                org.junit.jupiter.api.Assertions.assertThrows(
                        CommandLine.ParameterException.class, () -> task("echo", variables));

        assertEquals(
                "the secret in MUNINN_SECRET has 5 bytes; it needs at least 16",
                refused.getMessage());
    }

    private static AgentConfig task(String arguments, Map<String, String> variables) {
        NodeCommand command = nodeCommand(Arrays.asList(arguments.split(" ")));
        return command.configs(echo(), variables).getFirst();
    }

    @Test
    void optionThatTheProgramRefuses_isToldBeforeAnythingIsStarted() {
        CommandLine.ParameterException refused =
                org.junit.jupiter.api.Assertions.assertThrows(
                        CommandLine.ParameterException.class,
                        () -> runCommand("echo --wrods 3").plan(echo()));

        assertTrue(refused.getMessage().startsWith("echo: unknown option --wrods"));
    }

    @Test
    void clusterThatTheProgramRefuses_isToldBeforeAnythingIsStarted() {
        for (String arguments : List.of("-n 5 echo", "-n 1 --threads 5 echo")) {
            CommandLine.ParameterException refused =
                    org.junit.jupiter.api.Assertions.assertThrows(
                            CommandLine.ParameterException.class,
                            () -> runCommand(arguments).plan(echo()));

            assertEquals("echo: 5 are too many", refused.getMessage());
        }
        CommandLine.ParameterException refused =
                org.junit.jupiter.api.Assertions.assertThrows(
                        CommandLine.ParameterException.class,
                        () -> nodeCommand("--threads 3 echo").configs(echo(), Map.of()).getFirst());

        assertEquals("echo: 6 are too many", refused.getMessage());
    }

    private static Programs echo() {
        return Programs.of(List.of(new Echo()));
    }

    private static RunCommand runCommand(String arguments) {
        return parsed("run", Arrays.asList(arguments.split(" ")));
    }

    private NodeCommand nodeCommand(String arguments) throws IOException {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "--id=1",
                                "--nodes=2",
                                "--root=127.0.0.1:7000",
                                "--secret-file=" + secretFile()));
        all.addAll(Arrays.asList(arguments.split(" ")));
        return nodeCommand(all);
    }

    private static NodeCommand nodeCommand(List<String> arguments) {
        return parsed("node", arguments);
    }

    private static <C> C parsed(String name, List<String> arguments) {
        List<String> all = new ArrayList<>(arguments);
        all.addFirst(name);
        CommandLine main = Main.commandLine();
        main.parseArgs(all.toArray(String[]::new));
        return main.getSubcommands().get(name).getCommand();
    }

    private Path secretFile() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** A program that takes one option, and runs on four threads at most unless it is given. */
    private static final class Echo implements BuiltInProgram {
        @Override
        public String name() {
            return "echo";
        }

        @Override
        public String summary() {
            return "says it again";
        }

        @Override
        public String usage() {
            return "--words N";
        }

        @Override
        public List<String> versions() {
            return List.of("dsm");
        }

        @Override
        public DsmProgram create(List<String> options) {
            if (!options.contains("--")) {
                Options.parse(options, "words=");
            }
            return _ -> {};
        }

        @Override
        public void checkCluster(List<String> options, int nodes, int threads) {
            if (options.isEmpty() && nodes * threads > 4) {
                throw new IllegalArgumentException(nodes * threads + " are too many");
            }
        }
    }
}
