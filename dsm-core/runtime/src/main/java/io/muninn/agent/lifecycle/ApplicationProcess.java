package io.muninn.agent.lifecycle;

import io.muninn.application.AgentAddress;
import io.muninn.nativefault.EngineKind;
import io.muninn.nativefault.NativeDirectory;
import io.muninn.transport.join.Secret;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** The application's process: a child of the agent that inherits its standard output and error. */
final class ApplicationProcess {
    private static final int SIGNALLED = 128;

    /** Ends the command in {@code /proc/PID/stat}; the command may contain more of them. */
    private static final char COMMAND_END = ')';

    /** No input. */
    static final Redirect NOTHING = Redirect.from(new File("/dev/null"));

    private static final String STOPPED = " T ";

    private static final int WAIT_PARTS = 5;

    private final Process process;

    private ApplicationProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts the process.
     *
     * @param input its standard input: that of the agent, or nothing
     * @param onExit receives the exit status, on any thread
     * @throws IOException if the command cannot be run
     */
    static ApplicationProcess start(
            List<String> command, Redirect input, AgentAddress agent, IntConsumer onExit)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.inheritIO().redirectInput(input);
        builder.environment().remove(Secret.VARIABLE);
        JavaVariables.restore(builder.environment());
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

    /** True if a signal has stopped the process. */
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
     * Waits for the end of the process, and kills it after a limit. The wait is divided into parts:
     * a stop of both processes, however long, ends one part only.
     *
     * @return the exit status
     */
    int await(long timeoutMillis) throws InterruptedException {
        boolean ended = false;
        for (int i = 0; i < WAIT_PARTS && !ended; i++) {
            ended = process.waitFor(timeoutMillis / WAIT_PARTS, TimeUnit.MILLISECONDS);
        }
        if (!ended) {
            process.destroyForcibly();
        }
        return process.waitFor();
    }

    /** True if this is the exit status of a process that a signal ended. */
    static boolean isSignal(int status) {
        return status > SIGNALLED;
    }

    /**
     * Describes an exit status. A JVM ends by SIGABRT; only a process whose engine has lost its
     * handler ends by the engine's signal.
     */
    static String describe(int status, EngineKind engine) {
        return engine.isTrappedBy(status - SIGNALLED)
                ? describe(status)
                        + ", whose handler a library may have replaced (--engine uffd+event needs"
                        + " none),"
                : describe(status);
    }

    /** Describes an exit status. */
    static String describe(int status) {
        return isSignal(status)
                ? "was ended by signal " + (status - SIGNALLED)
                : "ended with status " + status;
    }
}
