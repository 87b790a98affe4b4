package io.muninn.nativefault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process started by a test, which exchanges lines with it. */
final class Child implements AutoCloseable {
    private static final long ANSWER_SECONDS = 20;

    private final Process process;
    private final PrintStream input;
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
    private final StringBuffer errors = new StringBuffer();
    private final List<Thread> readers;

    private Child(Process process) {
        this.process = process;
        input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        readers =
                List.of(
                        Thread.ofPlatform()
                                .daemon()
                                .start(() -> read(process.inputReader(), output::add)),
                        Thread.ofPlatform()
                                .daemon()
                                .start(() ->
                                        read(
                                                process.errorReader(),
                                                line -> errors.append(line).append('\n'))));
    }

    /** Starts a program that is no JVM. */
    static Child start(List<String> command) {
        return start(command, Map.of());
    }

    /** Starts a JVM. */
    static Child startJvm(Class<?> main, List<String> flags, String... arguments) {
        return startJvm(Map.of(), main, flags, arguments);
    }

    /**
     * Starts a JVM.
     *
     * @param environment added to the inherited one
     */
    static Child startJvm(
            Map<String, String> environment,
            Class<?> main,
            List<String> flags,
            String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-XX:-UsePerfData", "-Xmx64m", "--enable-native-access=ALL-UNNAMED"));
        for (String name : List.of("muninn.native", "jna.boot.library.path", "jna.nounpack")) {
            if (System.getProperty(name) != null) {
                command.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return start(command, environment);
    }

    /**
     * Starts a program that is no JVM.
     *
     * @param environment added to the inherited one
     */
    static Child start(List<String> command, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().putAll(environment);
            return new Child(builder.start());
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private static void read(BufferedReader reader, Consumer<String> sink) {
        try (reader) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                sink.accept(line);
            }
        } catch (IOException _) {
            sink.accept("(its output ended)");
        }
    }

    void say(String line) {
        input.println(line);
    }

    /** The next line of its output. */
    String line() {
        try {
            String line = output.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("no answer; its stderr: " + errors);
            }
            return line;
        } catch (InterruptedException cause) {
            throw new AssertionError(cause);
        }
    }

    /** The next line of its output if there is one already. */
    @Nullable String lineNow() {
        return output.poll();
    }

    /** Waits for its end; returns the exit status. */
    int end(long millis) {
        try {
            if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still alive after " + millis + " ms; stderr: " + errors);
            }
            for (Thread reader : readers) {
                reader.join();
            }
            return process.exitValue();
        } catch (InterruptedException cause) {
            throw new AssertionError(cause);
        }
    }

    String errors() {
        return errors.toString();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Stops it; every one of its threads has stopped when this returns. */
    void stop() {
        signal("STOP");
        long start = System.nanoTime();
        while (!isStopped()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(ANSWER_SECONDS)) {
                throw new AssertionError("process " + process.pid() + " does not stop");
            }
            Thread.onSpinWait();
        }
    }

    /** Field 3 of each thread's {@code stat}, after the name in parentheses, is its state. */
    private boolean isStopped() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", "" + process.pid(), "task"))) {
            for (Path thread : threads.toList()) {
                String line = Files.readString(thread.resolve("stat"));
                if (line.charAt(line.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException _) {
            return false; // a thread ended while we looked
        }
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int status =
                    new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                            .inheritIO()
                            .start()
                            .waitFor();
            if (status != 0) {
                throw new AssertionError("kill -" + name + " failed");
            }
        } catch (IOException | InterruptedException cause) {
            throw new AssertionError(cause);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        end(TimeUnit.SECONDS.toMillis(ANSWER_SECONDS));
    }
}
