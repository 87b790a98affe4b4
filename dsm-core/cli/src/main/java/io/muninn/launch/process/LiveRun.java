package io.muninn.launch.process;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.api.Protocol;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.spi.NodeCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A live run made by another command: {@code dsm run} in a separate process, whose output is kept
 * and whose report is read. The process ends with this one.
 *
 * @param status one of {@link io.muninn.agent.lifecycle.ExitStatus}
 * @param report as {@code --json} writes it; empty if the run ended before
 * @param output output of all processes of the run
 */
public record LiveRun(int status, Optional<JsonObject> report, String output) {
    private static final long END_SECONDS = 10;

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

    private static LiveRun of(
            List<String> prefix,
            int nodes,
            Optional<Protocol> protocol,
            List<String> options,
            List<String> words)
            throws InterruptedException {
        try (ScratchFolder folder = new ScratchFolder()) {
            Path report = folder.newFile(".json");
            List<String> command = new ArrayList<>(prefix);
            command.addAll(JvmFlags.command(arguments(nodes, protocol, options, words, report)));
            return in(command, report, folder.newFile(".output"));
        } catch (IOException cannot) {
            throw TemporaryFolder.unusable(cannot);
        }
    }

    private static List<String> arguments(
            int nodes,
            Optional<Protocol> protocol,
            List<String> options,
            List<String> words,
            Path report) {
        List<String> arguments = new ArrayList<>(List.of("run", "-n", Integer.toString(nodes)));
        arguments.add("--no-table");
        arguments.addAll(List.of("--json", report.toString()));
        protocol.ifPresent(override -> arguments.addAll(List.of("--protocol", override.word())));
        arguments.addAll(options);
        arguments.add(words.getFirst());
        arguments.add("--"); // all words behind it are the program's
        arguments.addAll(words.subList(1, words.size()));
        return arguments;
    }

    private static LiveRun in(List<String> command, Path report, Path output)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        builder.redirectInput(Path.of("/dev/null").toFile()); // a program would wait for ever
        CompletableFuture<Process> started = new CompletableFuture<>();
        Thread hook = Thread.ofPlatform().unstarted(() -> started.thenAccept(LiveRun::end).join());
        addHook(hook); // added first: a process started while this one ends would outlive it
        Process process = started(builder, started);
        try {
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
