package io.muninn.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The mark that every process of a run has in its environment, so that all can be found, whoever
 * their parents are by now: an application whose agent was killed is nobody's child.
 */
final class RunMark {
    static final String VARIABLE = "MUNINN_RUN";
    private static final int SWEEPS_MAX = 100;
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final String value;

    private RunMark(String value) {
        this.value = value;
    }

    static RunMark random() {
        return new RunMark(UUID.randomUUID().toString());
    }

    String value() {
        return value;
    }

    /** The live processes of the run, this one excepted. */
    List<ProcessHandle> processes() {
        long self = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != self && isMarked(process.pid()))
                .toList();
    }

    /**
     * Waits for the run's processes to end by themselves, then kills those left, stopped ones too,
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

    /**
     * Looks again and again: nothing tells of the end of a process that is not a child, and one
     * whose parent does not take note of its end is in the list of processes for ever.
     */
    private void awaitEnd(List<ProcessHandle> processes, long timeoutNanos) {
        long deadlineNanos = System.nanoTime() + timeoutNanos;
        for (ProcessHandle process : processes) {
            while (isMarked(process.pid()) && deadlineNanos - System.nanoTime() > 0) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    private boolean isMarked(long pid) {
        Path environment = Path.of("/proc", Long.toString(pid), "environ");
        try {
            return Files.readString(environment, StandardCharsets.ISO_8859_1)
                    .contains(VARIABLE + "=" + value + "\0");
        } catch (IOException goneOrForeign) {
            return false; // it has ended, or belongs to another user
        }
    }
}
