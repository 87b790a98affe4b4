package io.muninn.agent.lifecycle;

import io.muninn.application.AgentAddress;
import io.muninn.nativefault.NativeDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** The application: a child of the agent, with its streams passed through. */
final class ApplicationProcess {
    private static final int SIGNALLED = 128;

    /** The state stands behind the command, which is in parentheses and may have some itself. */
    private static final char COMMAND_END = ')';

    private static final String STOPPED = " T ";

    private final Process process;

    private ApplicationProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param onExit hears its exit status, on any thread
     * @throws IOException if the command cannot be run
     */
    static ApplicationProcess start(List<String> command, AgentAddress agent, IntConsumer onExit)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
        builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        agent.putInto(builder.environment());
        NativeDirectory.putInto(builder.environment());
        Process process = builder.start();
        process.onExit().thenAccept(ended -> onExit.accept(ended.exitValue()));
        return new ApplicationProcess(process);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Whether a signal has stopped the process, so that it neither runs nor ends by itself. */
    boolean isStopped() {
        try {
            String stat =
                    Files.readString(
                            Path.of("/proc", Long.toString(pid()), "stat"),
                            StandardCharsets.ISO_8859_1);
            return stat.startsWith(STOPPED, stat.lastIndexOf(COMMAND_END) + 1);
        } catch (IOException gone) {
            return false; // its exit status follows
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /**
     * Waits for its end, and ends it if it takes too long.
     *
     * @return its exit status
     */
    int await(long timeoutMillis) throws InterruptedException {
        if (!process.waitFor(timeoutMillis, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
        return process.waitFor();
    }

    /** Whether an exit status says that a signal ended the process. */
    static boolean isSignal(int status) {
        return status > SIGNALLED;
    }

    /** An exit status in words. */
    static String describe(int status) {
        return isSignal(status)
                ? "was ended by signal " + (status - SIGNALLED)
                : "ended with status " + status;
    }
}
