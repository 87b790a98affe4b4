package io.muninn.launch;

import io.muninn.agent.Agent;
import io.muninn.agent.AgentConfig;
import io.muninn.agent.ExitStatus;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Makes the {@link StartCaches}; a step of the build, once the jars are there.
 *
 * <pre>
 * StartTraining FOLDER PROGRAM [options]       makes the caches of this JDK and class path
 * StartTraining --act FOLDER PROGRAM [options] is launcher, then two agents, then ends
 * </pre>
 *
 * The acting process is recorded, so one cache serves launchers and agents; and so is the
 * application of one of its agents. A cache appears under its name when it is whole. Where none can
 * be made, this is told, and it is no failure.
 */
final class StartTraining {
    private static final String ACT = "--act";
    private static final String RECORD = ".recorded";

    /** The machine may be busy, and nobody sends heartbeats. */
    private static final String HEARTBEAT = "--heartbeat=600";

    private StartTraining() {}

    public static void main(String[] arguments) throws Exception {
        List<String> words = Arrays.asList(arguments);
        if (words.getFirst().equals(ACT)) {
            System.exit(act(Path.of(words.get(1)), words.subList(2, words.size())));
        }
        Path folder = Files.createDirectories(Path.of(words.getFirst()).toAbsolutePath());
        Path draft = Files.createTempDirectory(folder, "draft");
        try {
            make(draft, words.subList(1, words.size()));
            for (String name : List.of(StartCaches.AGENTS, StartCaches.APPLICATIONS)) {
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

    private static void make(Path draft, List<String> program)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(ACT, draft.toString()));
        arguments.addAll(program);
        List<String> acting = JvmFlags.ours(StartTraining.class.getName(), arguments);
        acting.addAll(1, recording(draft, StartCaches.AGENTS));
        await(start(acting));
        Process agents =
                start(
                        creating(
                                draft,
                                StartCaches.AGENTS,
                                JvmFlags.agentFlags(),
                                JvmFlags.classPath()));
        Process applications =
                start(
                        creating(
                                draft,
                                StartCaches.APPLICATIONS,
                                JvmFlags.applicationFlags(),
                                JvmFlags.applicationClassPath()));
        await(agents);
        await(applications);
    }

    private static List<String> recording(Path draft, String name) {
        return List.of(
                "-XX:AOTMode=record",
                "-XX:AOTConfiguration=" + draft.resolve(name + RECORD),
                "-Xlog:aot=off");
    }

    private static List<String> creating(
            Path draft, String name, List<String> flags, String classPath) {
        List<String> command = new ArrayList<>(List.of(JvmFlags.java()));
        command.addAll(flags);
        command.add("-XX:AOTMode=create");
        command.add("-XX:AOTConfiguration=" + draft.resolve(name + RECORD));
        command.add("-XX:AOTCache=" + draft.resolve(name));
        command.addAll(List.of("-Xlog:aot=off", "-cp", classPath));
        return command;
    }

    /** Its standard input stays open, as a launcher's pipe does. */
    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Waits for all that print to its output: the application outlives its agent. */
    private static void await(Process process) throws IOException, InterruptedException {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != ExitStatus.OK) {
            throw new IOException(said.lines().reduce((_, line) -> line).orElse("no output"));
        }
    }

    /** What the processes of a run do, in this one. */
    private static int act(Path draft, List<String> program) throws Exception {
        RunCommand run = parsed("run", List.of("-n", "2", "--no-table", HEARTBEAT), program);
        int status = run.call();
        String meeting = "unix:@muninn-training-" + ProcessHandle.current().pid();
        String secret = SecretFile.random();
        Launcher.AgentStart launched =
                run.plan(Programs.installed()).agents().of(1, meeting, secret);
        FutureTask<Integer> other =
                started(ConfigBytes.read(new ByteArrayInputStream(launched.configuration())));
        NodeCommand node =
                parsed(
                        "node",
                        List.of(
                                "--id=0",
                                "--nodes=2",
                                HEARTBEAT,
                                "--no-table",
                                "--root=" + meeting,
                                "--secret-file=" + secretFile(draft, secret),
                                "--"),
                        recordedApplication(draft, program));
        FutureTask<Integer> root = started(node.config(Programs.installed()));
        return Math.max(status, Math.max(root.get(), other.get()));
    }

    /**
     * Behind a shell: the agent would kill an application that takes its time to end. Without
     * profiles: C2 would begin by compiling for this program what another hardly uses.
     */
    private static List<String> recordedApplication(Path draft, List<String> program) {
        List<String> flags = new ArrayList<>(recording(draft, StartCaches.APPLICATIONS));
        flags.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTRecordTraining"));
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "\"$@\" & wait $!", "sh"));
        command.addAll(JvmFlags.application(Optional.empty(), flags, List.of(), program));
        return command;
    }

    private static Path secretFile(Path draft, String secret) throws IOException {
        Path file = Files.createTempFile(draft, "secret", ""); // nobody else can read it
        return Files.writeString(file, secret);
    }

    private static <C> C parsed(String command, List<String> options, List<String> words) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(options);
        all.addAll(words);
        CommandLine main = Main.commandLine();
        main.parseArgs(all.toArray(String[]::new));
        return main.getSubcommands().get(command).getCommand();
    }

    private static FutureTask<Integer> started(AgentConfig config) {
        FutureTask<Integer> agent = new FutureTask<>(() -> Agent.run(config));
        Thread.ofPlatform().name("training-" + config.self()).start(agent);
        return agent;
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
