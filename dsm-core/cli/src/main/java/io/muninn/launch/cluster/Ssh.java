package io.muninn.launch.cluster;

import io.muninn.agent.LauncherPipe;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Commands on other hosts, by a client of ssh that asks no questions. The shell of the user there
 * may be any: it only starts {@code sh}.
 *
 * @param client the client and its options
 */
record Ssh(List<String> client) {
    /** The exit status of a client that has no connection, or has lost it. */
    static final int NO_CONNECTION = 255;

    private static final List<String> QUIET = List.of("-o", "BatchMode=yes", "-T");
    private static final String SCRIPT = "exec /bin/sh -c ";

    /** Longer than a client tries to connect. */
    private static final long ANSWER_SECONDS = 30;

    private static final String CONNECT_LIMIT = "ConnectTimeout=15";

    /** In front of an answer, because the start of a shell may print something, too. */
    private static final String ANSWER = "muninn-answer ";

    /**
     * How a command ended.
     *
     * @param status its exit status, or {@link #NO_CONNECTION}
     * @param out what it has answered
     * @param err the last line of its errors; empty if there is none
     */
    record Answer(int status, String out, String err) {}

    Ssh {
        client = List.copyOf(client);
    }

    /**
     * A command that runs an agent, whose pipe is the standard input of the client.
     *
     * @param folder where it runs, if this folder is there
     * @param variables each as {@code NAME=value}
     * @param command program and arguments
     */
    List<String> agent(String host, String folder, List<String> variables, List<String> command) {
        String script =
                "cd -- "
                        + quoted(folder)
                        + " 2>/dev/null; exec env "
                        + quoted(variables)
                        + " "
                        + quoted(command)
                        + " "
                        + LauncherPipe.DESCRIPTOR
                        + "<&0 </dev/null";
        return command(host, script);
    }

    private List<String> command(String host, String script) {
        List<String> words = new ArrayList<>(client);
        words.addAll(QUIET);
        words.addAll(List.of("-o", CONNECT_LIMIT, "--", host, SCRIPT + quoted(script)));
        return words;
    }

    /**
     * Starts a script of {@code sh} whose output is wanted: all that it prints after {@link
     * #answerOf}.
     *
     * @throws IOException if there is no such client on this machine
     */
    Process ask(String host, String script) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command(host, "printf '" + ANSWER + "'; " + script));
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        return builder.start();
    }

    /** Reads what a script prints until its end, and waits at most for half a minute. */
    static Answer answerOf(Process asked) throws InterruptedException {
        CompletableFuture<String> errors = read(asked.getErrorStream());
        CompletableFuture<String> output = read(asked.getInputStream());
        if (!asked.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
            asked.destroyForcibly();
            return new Answer(NO_CONNECTION, "", "no answer within " + ANSWER_SECONDS + " s");
        }
        String out = output.join();
        int start = out.indexOf(ANSWER);
        String last =
                errors.join()
                        .lines()
                        .filter(line -> !line.isBlank())
                        .reduce((_, line) -> line)
                        .orElse("");
        return new Answer(
                asked.exitValue(),
                start < 0 ? "" : out.substring(start + ANSWER.length()),
                last.strip());
    }

    private static CompletableFuture<String> read(InputStream in) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (in) {
                        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException cut) {
                        throw new UncheckedIOException(cut);
                    }
                },
                Thread::startVirtualThread);
    }

    private static String quoted(List<String> words) {
        return words.stream().map(Ssh::quoted).collect(Collectors.joining(" "));
    }

    /** A word that a shell reads as it is. */
    static String quoted(String word) {
        return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
