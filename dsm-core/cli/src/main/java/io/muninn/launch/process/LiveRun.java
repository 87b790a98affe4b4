package io.muninn.launch.process;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.api.Protocol;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.spi.NodeCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A live run made by another command: {@code dsm run} or {@code dsm node} in a separate process,
 * whose output is kept and whose report is read. The process ends with this one.
 *
 * @param status one of {@link io.muninn.agent.lifecycle.ExitStatus}
 * @param report as {@code --json} writes it; empty if the run ended before
 * @param output output of all processes of the run
 */
public record LiveRun(int status, Optional<JsonObject> report, String output) {
    private static final long END_SECONDS = 10;
    private static final String RUN = "run";
    private static final String NODE = "node";
    private static final String SIMULATE = "sim";

    /**
     * Makes a live run.
     *
     * @param protocol overrides every annotation
     * @param options further options of {@code dsm run}
     * @param words the program and its options
     */
    public static LiveRun of(
            int nodes, Optional<Protocol> protocol, List<String> options, List<String> words)
            throws InterruptedException {
        return of(List.of(), nodes, protocol, options, words);
    }

    /**
     * Makes a live run of a program with its own protocols.
     *
     * @param prefix a command that runs a command, such as {@code taskset -c 0}
     * @param options further options of {@code dsm run}
     * @param words the program and its options
     */
    public static LiveRun of(
            List<String> prefix, int nodes, List<String> options, List<String> words)
            throws InterruptedException {
        return of(prefix, nodes, Optional.empty(), options, words);
    }

    /**
     * Makes one node of a run.
     *
     * @param prefix a command that runs a command
     * @param options of {@code dsm node}
     * @param words the program and its options
     */
    public static LiveRun node(List<String> prefix, List<String> options, List<String> words)
            throws InterruptedException {
        return run(prefix, NODE, arguments(options, words), Optional.empty());
    }

    /**
     * Executes a command that is {@code dsm run} or {@code dsm sim}, and ends it after a time.
     *
     * @param command its name, and then options, program and options of the program
     */
    public static LiveRun within(Duration limit, List<String> command) throws InterruptedException {
        List<String> options = command.subList(1, command.size());
        return run(List.of(), command.getFirst(), options, Optional.of(limit));
    }

    private static LiveRun of(
            List<String> prefix,
            int nodes,
            Optional<Protocol> protocol,
            List<String> options,
            List<String> words)
            throws InterruptedException {
        return run(prefix, RUN, arguments(nodes, protocol, options, words), Optional.empty());
    }

    private static LiveRun run(
            List<String> prefix, String name, List<String> arguments, Optional<Duration> limit)
            throws InterruptedException {
        try (ScratchFolder folder = new ScratchFolder()) {
            Path report = folder.newFile(".json");
            List<String> words = new ArrayList<>(List.of(name, "--json", report.toString()));
            words.addAll(arguments);
            List<String> command = new ArrayList<>(prefix);
            command.addAll(
                    name.equals(SIMULATE) ? JvmFlags.simulator(words) : JvmFlags.command(words));
            return in(command, report, folder.newFile(".output"), limit);
        } catch (IOException cannot) {
            throw TemporaryFolder.unusable(cannot);
        }
    }

    private static List<String> arguments(
            int nodes, Optional<Protocol> protocol, List<String> options, List<String> words) {
        List<String> all = new ArrayList<>(List.of("-n", Integer.toString(nodes)));
        protocol.ifPresent(override -> all.addAll(List.of("--protocol", override.word())));
        all.addAll(options);
        return arguments(all, words);
    }

    private static List<String> arguments(List<String> options, List<String> words) {
        List<String> arguments = new ArrayList<>(List.of("--no-table"));
        arguments.addAll(options);
        arguments.add(words.getFirst());
        arguments.add("--"); // all words behind it are the program's
        arguments.addAll(words.subList(1, words.size()));
        return arguments;
    }

    private static LiveRun in(
            List<String> command, Path report, Path output, Optional<Duration> limit)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        builder.redirectInput(Path.of("/dev/null").toFile()); // a program would wait for ever
        CompletableFuture<Process> started = new CompletableFuture<>();
        Thread hook = Thread.ofPlatform().unstarted(() -> started.thenAccept(LiveRun::end).join());
        addHook(hook); // added first: a process started while this one ends would outlive it
        Process process = started(builder, started);
        try {
            if (limit.isPresent() && !process.waitFor(limit.get())) {
                end(process);
                process.destroyForcibly();
            }
            int status = process.waitFor();
            TemporaryFolder.requireSpace();
            return new LiveRun(
                    status,
                    Files.exists(report)
                            ? Optional.of(
                                    JsonParser.parseString(Files.readString(report))
                                            .getAsJsonObject())
                            : Optional.empty(),
                    Files.readString(output));
        } finally {
            process.destroy();
            Launcher.removeHook(hook);
        }
    }

    static void addHook(Thread hook) {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException ending) {
            throw new StartException("no run is started: this process ends", ending);
        }
    }

    private static Process started(ProcessBuilder builder, CompletableFuture<Process> started)
            throws IOException {
        try {
            Process process = builder.start();
            started.complete(process);
            return process;
        } catch (IOException cannot) {
            started.completeExceptionally(cannot);
            throw cannot;
        }
    }

    /**
     * Requests the run to end and waits for it, at most for the time that its launcher may take.
     */
    private static void end(Process process) {
        process.destroy();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException told) {
            Thread.currentThread().interrupt();
        }
    }

    /** A sum over all nodes; 0 without a report. */
    public long total(NodeCounter counter) {
        return report.map(json -> json.getAsJsonObject("totals").get(counter.key()).getAsLong())
                .orElse(0L);
    }

    /** Seconds of the parallel part; 0 without a report. */
    public double seconds() {
        return report.map(json -> json.get("seconds").getAsDouble()).orElse(0.0);
    }

    /** True if the run ended and its result is not wrong. */
    public boolean isGood() {
        return status == 0 && report.isPresent();
    }
}
