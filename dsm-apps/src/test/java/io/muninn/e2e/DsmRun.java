package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;

/**
 * A command in a process of its own, as {@code ./dsm} starts it, but from the classes under test.
 * Its output goes to files beside them. Closing it kills all of its processes.
 */
final class DsmRun implements AutoCloseable {
    /** For a run that should take a few seconds, on a machine that is busy with others. */
    static final Duration LIMIT = Duration.ofSeconds(90);

    /**
     * The quick compiler everywhere, the quick collector in applications: less work in a short run.
     */
    static final String QUICK =
            "--jvm-option -XX:TieredStopAtLevel=1 --gc Serial -Dmuninn.agent-c2=off ";

    /** Programs for tests are here. */
    private static final String PROGRAMS = "io.muninn.e2e.programs.";

    /** Stands for the folder of their classes in a command line, which is split at blanks. */
    private static final String CLASSES = "{classes}";

    private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();

    /** Commands to whose class path {@code ./dsm} adds the simulator. */
    private static final Set<String> WITH_SIMULATOR = Set.of("sim", "compare", "paper", "doctor");

    private static final Path SIMULATOR = MODULE.resolve("../dsm-core/sim/target/dsm-sim.jar");
    private static final Path FLAGS =
            MODULE.resolve("../dsm-core/cli/src/main/resources/io/muninn/launch").normalize();

    /**
     * How it ended.
     *
     * @param status as the shell would say
     * @param out of all processes
     * @param err of all processes
     */
    record Result(int status, String out, String err) {
        Result assertStatus(int expected) {
            assertEquals(expected, status, this::toString);
            return this;
        }

        Result assertErr(String part) {
            assertTrue(err.contains(part), () -> "'" + part + "' is missing in " + this);
            return this;
        }

        Result assertOut(String part) {
            assertTrue(out.contains(part), () -> "'" + part + "' is missing in " + this);
            return this;
        }

        @Override
        public String toString() {
            return "status " + status + "\n---- out\n" + out + "\n---- err\n" + err;
        }
    }

    private final MarkedProcesses processes;
    private final Path folder;
    private final Process process;

    private DsmRun(MarkedProcesses processes, Path folder, Process process) {
        this.processes = processes;
        this.folder = folder;
        this.process = process;
    }

    /** Starts a command line, split at blanks. */
    static DsmRun start(String line) {
        return start(words(line), Map.of(), List.of());
    }

    /** Starts a run of one of the programs for tests, with these options of the run. */
    static DsmRun startProgram(String options, String program) {
        return start(programLine(options, program));
    }

    /** The same, behind a command that runs a command. */
    static DsmRun startProgram(List<String> prefix, String options, String program) {
        return start(words(programLine(options, program)), Map.of(), prefix);
    }

    /**
     * The command line of a program for tests. Its applications are {@link #QUICK}, but for those
     * whose collector matters.
     */
    static String programLine(String options, String program) {
        String quick = options.contains("--gc") ? "" : QUICK;
        return "run " + quick + options + " " + program(program);
    }

    /** The end of a command line that names a program for tests, with its options. */
    static String program(String program) {
        return "--class-path " + CLASSES + " " + PROGRAMS + program;
    }

    /**
     * Starts a command.
     *
     * @param environment added to the inherited one
     * @param prefix a command that runs a command, such as {@code ip netns exec}
     */
    static DsmRun start(
            List<String> arguments, Map<String, String> environment, List<String> prefix) {
        try {
            Path folder = Files.createTempDirectory(Files.createDirectories(output()), "run");
            MarkedProcesses processes = new MarkedProcesses();
            List<String> command = new ArrayList<>(prefix);
            command.addAll(javaCommand(arguments.getFirst()));
            command.addAll(arguments);
            ProcessBuilder builder = new ProcessBuilder(command);
            processes.putInto(builder.environment());
            builder.environment().putAll(environment);
            builder.redirectInput(Path.of("/dev/null").toFile());
            builder.redirectOutput(folder.resolve("out").toFile());
            builder.redirectError(folder.resolve("err").toFile());
            return new DsmRun(processes, folder, builder.start());
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /** Runs a command line to its end. */
    static Result run(String line) throws InterruptedException {
        try (DsmRun run = start(line)) {
            return run.await();
        }
    }

    /** Runs with {@code --json}, expects success, and gives the report. */
    static JsonObject report(String options, String program) throws InterruptedException {
        try {
            Path json =
                    Files.createTempDirectory(Files.createDirectories(output()), "json")
                            .resolve("report");
            List<String> arguments = new ArrayList<>(List.of("run", "--json", json.toString()));
            arguments.addAll(words(options + " " + program));
            try (DsmRun run = start(arguments, Map.of(), List.of())) {
                run.await().assertStatus(0);
            }
            return JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /** Waits for the end; nothing of it may be left then. */
    Result await() throws InterruptedException {
        return await(LIMIT);
    }

    Result await(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            String dumps = processes.threadDumps();
            Assertions.fail("still running after " + limit + "\n" + result(-1) + "\n" + dumps);
        }
        Result result = result(process.exitValue());
        assertEquals(List.of(), processes.all(), () -> "processes are left of " + result);
        return result;
    }

    /** Waits until a line of standard error has this part, and returns the line. */
    String awaitErr(String part) {
        Supplier<Optional<String>> line =
                () -> read("err").lines().filter(each -> each.contains(part)).findFirst();
        MarkedProcesses.awaitUntil(LIMIT, () -> !process.isAlive() || line.get().isPresent());
        return line.get()
                .orElseGet(() -> Assertions.fail("'" + part + "' is missing in " + result(-1)));
    }

    /** Waits until this has been printed so many times. */
    void awaitOutput(String line, int times) {
        awaitOutput(line, times, LIMIT);
    }

    void awaitOutput(String line, int times, Duration limit) {
        boolean printed =
                MarkedProcesses.awaitUntil(
                        limit,
                        () ->
                                !process.isAlive()
                                        || read("out").lines().filter(line::equals).count()
                                                >= times);
        if (!printed || !process.isAlive()) {
            Assertions.fail(
                    "'"
                            + line
                            + "' is not there "
                            + times
                            + " times; "
                            + result(-1)
                            + "\n"
                            + processes.threadDumps());
        }
    }

    Member member(Role role, int node) {
        return processes
                .find(role, node)
                .orElseThrow(() -> new AssertionError("no " + role + " of node " + node));
    }

    MarkedProcesses processes() {
        return processes;
    }

    Process process() {
        return process;
    }

    String out() {
        return read("out");
    }

    String err() {
        return read("err");
    }

    @Override
    public void close() {
        processes.killAll();
    }

    static List<String> words(String line) {
        String classes = MODULE.resolve("target/test-classes").toString();
        return Arrays.stream(line.split(" "))
                .filter(word -> !word.isEmpty())
                .map(word -> word.equals(CLASSES) ? classes : word)
                .toList();
    }

    private Result result(int status) {
        return new Result(status, read("out"), read("err"));
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private static Path output() {
        return MODULE.resolve("target/e2e");
    }

    /** As the script starts a JVM for a command of ours. */
    private static List<String> javaCommand(String ours) {
        String natives = System.getProperty("muninn.native");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        switch (ours) {
            case "sim", "paper" -> command.add("@" + FLAGS.resolve("sim.jvm"));
            case "run" ->
                    command.addAll(
                            List.of("@" + FLAGS.resolve("agent.jvm"), "-XX:TieredStopAtLevel=1"));
            default -> command.add("@" + FLAGS.resolve("agent.jvm"));
        }
        command.add("-Dmuninn.native=" + natives);
        command.add("-Djava.library.path=" + natives);
        command.add("-Djna.boot.library.path=" + natives);
        command.add("-Djna.nounpack=true");
        command.addAll(fromWhere(ours));
        command.add("io.muninn.launch.Main");
        return command;
    }

    /** The flags for the packaged jars, or for the classes before they are packaged. */
    private static List<String> fromWhere(String ours) {
        String packaged = System.getProperty("muninn.packaged");
        if (packaged == null) {
            return List.of("-cp", classPath());
        }
        String more = WITH_SIMULATOR.contains(ours) ? ":" + SIMULATOR : "";
        Path caches = Path.of(packaged, "start");
        List<String> flags = new ArrayList<>(List.of("-Dmuninn.start=" + caches));
        if (Files.isReadable(caches.resolve("launchers.aot"))) {
            flags.add("-XX:SharedArchiveFile=" + caches.resolve("launchers.aot"));
            flags.addAll(List.of("-Xlog:aot=off", "-Xlog:cds=off"));
        }
        flags.addAll(List.of("-cp", classPath() + more));
        return flags;
    }

    private static Path jar(String module) {
        return MODULE.resolve(module).resolve("target/dsm-" + module + ".jar");
    }

    /** Of everything of ours, as a user would give it; without the programs for tests. */
    static String classPath() {
        String packaged = System.getProperty("muninn.packaged");
        return packaged == null
                ? System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"))
                : packaged + "/lib/*:" + jar("programs") + ":" + jar("papers");
    }
}
