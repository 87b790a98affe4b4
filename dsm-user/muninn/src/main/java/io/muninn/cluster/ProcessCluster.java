package io.muninn.cluster;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.memory.Engines;
import io.muninn.api.DsmException;
import io.muninn.api.NodeLostException;
import io.muninn.api.Verdict;
import io.muninn.api.spi.ClusterStarter;
import io.muninn.application.LiveProvider;
import io.muninn.launch.Main;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.launch.process.ScratchFolder;
import io.muninn.launch.process.Streams;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Starts a cluster as {@code dsm run} does, with this process as the launcher: it supervises the
 * agents, which end when it ends. The result of the run is read from its report.
 */
public final class ProcessCluster implements ClusterStarter {
    private static final String PREFIX = "dsm run: ";

    @Override
    public Verdict run(Run run) {
        if (new LiveProvider().isAvailable()) {
            throw new IllegalStateException(
                    "this process is a node of a cluster, and starts no other; run the program on"
                            + " this node with Dsm.run(new ...)");
        }
        Engines.unpackedLibraries(); // its exception has the remedy
        try (ScratchFolder folder = new ScratchFolder()) {
            return run(run, folder.newFile(".json"));
        } catch (IOException cannot) {
            throw new DsmException("no cluster can be started: " + cannot, cannot);
        }
    }

    private static Verdict run(Run run, Path report) throws IOException {
        StringWriter wrong = new StringWriter();
        int status;
        if (run.output().isPresent()) {
            Path file = run.output().get();
            try (PrintStream messages = appending(file)) {
                Redirect output = Redirect.appendTo(file.toFile());
                status =
                        run(run, report, new Streams(false, output, messages, false, false), wrong);
            }
        } else {
            Streams inherited = Streams.inherited();
            status =
                    run(
                            run,
                            report,
                            new Streams(
                                    false,
                                    Redirect.INHERIT,
                                    inherited.messages(),
                                    inherited.hasProgress(),
                                    false),
                            wrong);
        }
        return result(run, status, report, text(wrong));
    }

    private static int run(Run run, Path report, Streams streams, StringWriter wrong) {
        List<String> words = new ArrayList<>(run.options());
        words.addAll(List.of("-n", Integer.toString(run.nodes()), "--json", report.toString()));
        words.addAll(List.of("--class-path", classPath(), run.program()));
        words.addAll(run.words());
        if (!run.options().contains("--stats")) {
            words.addFirst("--no-table");
        }
        return Main.run(words, streams, new PrintWriter(wrong, true));
    }

    private static String classPath() {
        return JvmFlags.classPathOfPrograms().stream()
                .map(Path::toString)
                .collect(Collectors.joining(":"));
    }

    private static PrintStream appending(Path file) throws IOException {
        return new PrintStream(
                new FileOutputStream(file.toFile(), true), true, StandardCharsets.UTF_8);
    }

    /** What the command line says, without its name. */
    private static String text(StringWriter wrong) {
        String text = wrong.toString().strip();
        return text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
    }

    private static Verdict result(Run run, int status, Path file, String wrong) throws IOException {
        if (status == ExitStatus.USAGE && !wrong.isEmpty()) {
            throw new IllegalArgumentException(wrong);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new DsmException("the run of " + run.program() + " was interrupted");
        }
        if (!Files.exists(file)) {
            throw new DsmException("the run of " + run.program() + " has no result: " + wrong);
        }
        JsonObject report = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
        boolean isChecked = !report.get("verified").isJsonNull();
        boolean isRight = isChecked && report.get("verified").getAsBoolean();
        if (status == ExitStatus.OK || isChecked && !isRight) {
            String detail = report.get("detail").getAsString();
            return isChecked ? new Verdict(true, isRight, detail) : Verdict.unchecked();
        }
        throw failure(run, status, report);
    }

    private static RuntimeException failure(Run run, int status, JsonObject report) {
        String cause = value(report, "cause").map(JsonElement::getAsString).orElse("");
        if (status == ExitStatus.USAGE) { // as the program says
            return new IllegalArgumentException(cause);
        }
        Optional<Integer> node = value(report, "node").map(JsonElement::getAsInt);
        if (status == ExitStatus.NODE_LOST && node.isPresent()) {
            return new NodeLostException(node.get(), cause);
        }
        return new DsmException(run.program() + ": " + cause);
    }

    private static Optional<JsonElement> value(JsonObject report, String name) {
        return Optional.ofNullable(report.get(name)).filter(value -> !value.isJsonNull());
    }
}
