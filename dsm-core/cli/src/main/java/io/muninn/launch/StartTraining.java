package io.muninn.launch;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.LauncherPipe;
import io.muninn.agent.lifecycle.Agent;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.application.ApplicationMain;
import io.muninn.launch.jvm.ConfigBytes;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.launch.jvm.LaunchedAgent;
import io.muninn.launch.jvm.StartCaches;
import io.muninn.launch.option.Programs;
import io.muninn.launch.process.AgentProcess;
import io.muninn.launch.process.SecretFile;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Makes the {@link StartCaches}, as a step of the build after the jars are packaged, and of {@code
 * ./dsm build} in a distribution.
 *
 * <pre>
 * StartTraining FOLDER    makes the caches of this JDK and class path
 * StartTraining --agents RUNS
 *                         runs the agent of each run's nodes, one run after the other, with
 *                         configurations from the launcher's pipe
 * </pre>
 *
 * Three JVMs are recorded: a launcher of the first program, one with the agents of all programs,
 * and one application of the first. All runs write a page as {@code --report} does, whose code
 * would otherwise be loaded from jars at the end of each such run. Each JVM writes its cache when
 * it exits. The caches are renamed when all are complete. A failure to make them is reported, and
 * the build continues.
 */
final class StartTraining {
    private static final String AGENTS = "--agents";

    /** The first gives the launcher and the application; the agents serve all. */
    private static final List<List<String>> PROGRAMS =
            List.of(
                    List.of("hello"),
                    List.of("diff", "--rows", "64", "--columns", "64", "--sweeps", "3"));

    /** The heartbeat limit is long: the machine may be busy, and no launcher sends heartbeats. */
    private static final List<String> RUN =
            List.of("run", "--nodes=2", "--no-table", "--heartbeat=600");

    private static final String PAGE = "page";

    private static final List<String> CACHES =
            List.of(StartCaches.LAUNCHERS, StartCaches.AGENTS, StartCaches.APPLICATIONS);

    private StartTraining() {}

    public static void main(String[] arguments) throws Exception {
        List<String> words = Arrays.asList(arguments);
        if (words.getFirst().equals(AGENTS)) {
            System.exit(beAgents(Integer.parseInt(words.get(1))));
        }
        Path folder = Files.createDirectories(Path.of(words.getFirst()).toAbsolutePath());
        for (String name : CACHES) {
            Files.deleteIfExists(folder.resolve(name)); // made from other jars
        }
        Path draft = Files.createTempDirectory(folder, "draft");
        try {
            make(draft);
            for (String name : CACHES) {
                Files.move(
                        draft.resolve(name),
                        folder.resolve(name),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException cannot) {
            System.err.println("dsm: starts will be slower: " + cannot.getMessage());
        } finally {
            deleteAll(draft);
        }
    }

    private static void make(Path draft) throws IOException, InterruptedException {
        Process agents =
                start(
                        AgentProcess.withPipe(
                                recorded(draft, StartCaches.AGENTS, agents(PROGRAMS.size()))));
        try (OutputStream pipe = agents.getOutputStream()) {
            for (int i = 0; i < PROGRAMS.size(); i++) {
                send(pipe, PROGRAMS.get(i), draft, i == 0);
            }
            pipe.flush();
            await(agents);
        }
        List<String> run = new ArrayList<>(RUN);
        run.add("--report=" + draft.resolve(PAGE));
        run.addAll(PROGRAMS.getFirst());
        await(start(recorded(draft, StartCaches.LAUNCHERS, JvmFlags.command(run))));
    }

    private static List<String> agents(int runs) {
        return JvmFlags.agent(
                StartTraining.class.getName(), List.of(AGENTS, Integer.toString(runs)));
    }

    /**
     * Sends the configurations of a run's two nodes.
     *
     * @param draft folder for pages and for the record of the first node's application
     * @param isRecorded true if the first node's application is recorded
     */
    private static void send(
            OutputStream pipe, List<String> program, Path draft, boolean isRecorded)
            throws IOException {
        List<String> words = new ArrayList<>(RUN);
        words.addAll(program);
        CommandLine main = Main.commandLine(words);
        main.parseArgs(words.toArray(String[]::new));
        RunCommand run = Main.subcommand(main, RUN.getFirst()).getCommand();
        Programs installed = Programs.installed();
        run.plan(installed); // checks the options
        BuiltInProgram named = installed.named(program.getFirst());
        List<String> plain = application(named, List.of(), program);
        String meeting =
                "unix:@muninn-training-" + ProcessHandle.current().pid() + program.getFirst();
        String secret = SecretFile.random();
        List<AgentConfig> configs = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            List<String> application =
                    node == 0 && isRecorded ? recordedApplication(draft, named, program) : plain;
            Optional<Path> page = Optional.of(draft.resolve(PAGE));
            configs.add(run.config(node, meeting, secret, application, page));
        }
        pipe.write(ConfigBytes.encodeAll(configs));
    }

    private static List<String> recorded(Path draft, String name, List<String> command) {
        List<String> all = new ArrayList<>(command);
        all.addAll(1, recording(draft, name));
        return all;
    }

    /**
     * Returns the flags of a JVM that is recorded. The cache has no profiles: a JVM that starts
     * with profiles first compiles the methods that were hot in training, which other programs
     * hardly use.
     */
    private static List<String> recording(Path draft, String name) {
        return List.of(
                "-XX:AOTCacheOutput=" + draft.resolve(name),
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTRecordTraining",
                "-Xlog:aot=off");
    }

    /** Starts a process whose pipe stays open, as a launcher's does. */
    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Waits for a process and all its children, such as an application that outlives its agent. */
    private static void await(Process process) throws IOException, InterruptedException {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != ExitStatus.OK) {
            throw new IOException(said.lines().reduce((_, line) -> line).orElse("no output"));
        }
    }

    /** Reads all configurations first, because agents take later bytes for heartbeats. */
    private static int beAgents(int runs) throws Exception {
        LaunchedAgent.avoidSearches();
        loadListeners();
        List<List<AgentConfig>> agents = new ArrayList<>();
        try (InputStream pipe = LauncherPipe.open()) {
            for (int i = 0; i < runs; i++) {
                agents.add(ConfigBytes.readAll(pipe));
            }
        }
        int status = ExitStatus.OK;
        for (List<AgentConfig> nodes : agents) {
            status = Math.max(status, Agent.run(nodes));
        }
        return status;
    }

    /**
     * Loads Netty's class for a listener of a completed future, which otherwise depends on timing.
     */
    private static void loadListeners() {
        GlobalEventExecutor.INSTANCE
                .submit(() -> {})
                .syncUninterruptibly()
                .addListener(_ -> {})
                .syncUninterruptibly();
    }

    /**
     * Returns the command of an application that is recorded. A shell is its parent, because the
     * agent would kill an application that writes its cache after the exit limit.
     */
    private static List<String> recordedApplication(
            Path draft, BuiltInProgram named, List<String> program) {
        List<String> flags = new ArrayList<>(recording(draft, StartCaches.APPLICATIONS));
        flags.add("-D" + ApplicationMain.LOAD_ALL_PROPERTY + "=true");
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "\"$@\" & wait $!", "sh"));
        command.addAll(application(named, flags, program));
        return command;
    }

    private static List<String> application(
            BuiltInProgram named, List<String> flags, List<String> program) {
        return JvmFlags.application(Optional.of(named), flags, List.of(), program);
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.toList()) {
                Files.delete(entry);
            }
        }
        Files.delete(folder);
    }
}
