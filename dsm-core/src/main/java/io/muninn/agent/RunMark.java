package io.muninn.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The mark that every process of a run has in its environment, so that all can be found, whoever
 * their parents are by now: an application whose agent was killed is nobody's child.
 */
final class RunMark {
    static final String VARIABLE = "MUNINN_RUN";
    private static final int SWEEPS_MAX = 100;

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
    void end(long patienceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + patienceNanos;
        for (ProcessHandle process : processes()) {
            awaitEnd(process, deadline - System.nanoTime());
        }
        for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
            List<ProcessHandle> left = processes();
            if (left.isEmpty()) {
                return;
            }
            left.forEach(ProcessHandle::destroyForcibly);
            long second = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            for (ProcessHandle process : left) {
                awaitEnd(process, second - System.nanoTime());
            }
        }
    }

    private static void awaitEnd(ProcessHandle process, long timeoutNanos)
            throws InterruptedException {
        try {
            process.onExit().get(Math.max(0, timeoutNanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException stillThere) {
            return; // the caller looks again, and kills
        } catch (ExecutionException cause) {
            throw new IllegalStateException("cannot wait for process " + process.pid(), cause);
        }
    }

    private boolean isMarked(long pid) {
        Path environment = Path.of("/proc", Long.toString(pid), "environ");
        try {
            return Files.readString(environment, StandardCharsets.ISO_8859_1)
                    .contains(VARIABLE + "=" + value + "\0");
        } catch (IOException goneOrForeign) {
            return false; // it has ended meanwhile, or belongs to another user
        }
    }
}
