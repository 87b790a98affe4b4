package io.muninn.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A child process whose standard output is read. Its standard input is a pipe from this process, so
 * that it reads end of file when this process ends. {@link #close} kills it.
 */
final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final Thread hook;

    private Child(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.UTF_8);
        hook = Thread.ofPlatform().unstarted(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static Child start(List<String> prefix, List<String> command) throws IOException {
        List<String> words = new ArrayList<>(prefix);
        words.addAll(command);
        return new Child(
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    long pid() {
        return process.pid();
    }

    /** The next line of its standard output; null at end of file. */
    @Nullable String line() throws IOException {
        return output.readLine();
    }

    /** Reads all remaining lines and waits until the process has ended. */
    List<String> rest() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        String line = line();
        while (line != null) {
            lines.add(line);
            line = line();
        }
        int status = process.waitFor();
        if (status != 0) {
            throw new BenchmarkFailedException(
                    process.info().command().orElse("a process") + " ended with status " + status);
        }
        return lines;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return; // the JVM is shutting down: the hook runs or has run
        }
    }
}
