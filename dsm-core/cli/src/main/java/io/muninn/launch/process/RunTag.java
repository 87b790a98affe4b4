package io.muninn.launch.process;

import io.muninn.application.AgentAddress;
import io.muninn.transport.net.RandomBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The mark in the environment of every process of a run, by which they are found regardless of
 * their parents: an application whose agent was killed has no parent in the run.
 */
final class RunTag {
    static final String VARIABLE = AgentAddress.RUN_VARIABLE;
    private static final int VALUE_BYTES = 16;
    private static final int ENVIRONMENT_LENGTH = 1 << 15;
    private static final int SWEEPS_MAX = 100;
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long NO_ENVIRONMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final String value;
    private final long sinceTicks;

    private RunTag(String value, long sinceTicks) {
        this.value = value;
        this.sinceTicks = sinceTicks;
    }

    /** Creates a mark for processes started by this one, directly or indirectly. */
    static RunTag random() {
        long bornTicks = ProcessStat.of(ProcessHandle.current().pid()).startTicks();
        return new RunTag(HexFormat.of().formatHex(RandomBytes.of(VALUE_BYTES)), bornTicks);
    }

    String value() {
        return value;
    }

    /**
     * Waits for the run's processes to end, then kills the remaining ones, including stopped ones,
     * until there is none.
     */
    void end(long patienceNanos) {
        List<ProcessHandle> left = processes();
        awaitEnd(left, patienceNanos);
        for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
            left = processes();
            if (left.isEmpty()) {
                return;
            }
            left.forEach(ProcessHandle::destroyForcibly);
            awaitEnd(left, SWEEP_NANOS);
        }
    }

    /** The live processes of the run, except this one. */
    private List<ProcessHandle> processes() {
        long self = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != self && isMarked(process.pid()))
                .toList();
    }

    /**
     * Polls, because there is no notification of the end of a process that is not a child, and a
     * process whose parent does not wait for it stays in the list of processes for ever.
     */
    private void awaitEnd(List<ProcessHandle> processes, long timeoutNanos) {
        long deadlineNanos = System.nanoTime() + timeoutNanos;
        for (ProcessHandle process : processes) {
            while (isMarked(process.pid()) && deadlineNanos - System.nanoTime() > 0) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    /**
     * Polls until the result is certain; a process that shows no variable for a long time has none.
     */
    private boolean isMarked(long pid) {
        long deadlineNanos = System.nanoTime() + NO_ENVIRONMENT_NANOS;
        Standing standing = standing(pid);
        while (standing == Standing.UNKNOWN && deadlineNanos - System.nanoTime() > 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            standing = standing(pid);
        }
        return standing == Standing.OURS;
    }

    /** The relation of a process to this run. */
    enum Standing {
        OURS,
        /**
         * The process shows no environment at this moment: it is executing another program or is
         * about to end.
         */
        UNKNOWN,
        NOT_OURS
    }

    private Standing standing(long pid) {
        String environment;
        try {
            environment = environment(Path.of("/proc", Long.toString(pid), "environ"));
        } catch (AccessDeniedException foreign) {
            return Standing.NOT_OURS;
        } catch (IOException noMemory) {
            environment = ""; // a kernel thread, or a process that has ended
        }
        return environment.isEmpty() ? standingOfNone(ProcessStat.of(pid)) : standing(environment);
    }

    /** Reads everything at once: between two reads the process could execute another program. */
    private static String environment(Path file) throws IOException {
        for (int length = ENVIRONMENT_LENGTH; ; length *= 2) {
            byte[] bytes = new byte[length];
            try (InputStream in = Files.newInputStream(file)) {
                int count = Math.max(0, in.read(bytes));
                if (count < length) {
                    return new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
                }
            }
        }
    }

    private Standing standing(String environment) {
        boolean marked = environment.contains(VARIABLE + "=" + value + "\0");
        return marked ? Standing.OURS : Standing.NOT_OURS;
    }

    /** The relation of a process whose environment could not be read or is empty. */
    Standing standingOfNone(ProcessStat stat) {
        boolean cannotBeOurs =
                stat.hasEnded() || stat.isKernelThread() || stat.startTicks() < sinceTicks;
        return cannotBeOurs ? Standing.NOT_OURS : Standing.UNKNOWN;
    }
}
