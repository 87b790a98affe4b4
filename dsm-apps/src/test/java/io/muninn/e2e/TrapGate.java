package io.muninn.e2e;

import io.muninn.e2e.MarkedProcesses.Member;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The gate of a node's traps: two words of the memory that they share with the agent. The first is
 * the step at which traps wait, {@code enum dsm_gate}; the second counts those that have reached
 * it. A process looks at them only if {@link #VARIABLE} is in its environment.
 *
 * @param traps the memory, as a descriptor of an application
 */
record TrapGate(Path traps) {
    /** Any value makes the processes of a run look at their gates. */
    static final String VARIABLE = "MUNINN_TRAP_GATE";

    private static final long GATE = 192;
    private static final long REACHED = 196;
    private static final int OPEN = 0;

    static TrapGate of(Member application) {
        return find(application)
                .orElseThrow(() -> new AssertionError("no memory of traps in " + application));
    }

    /** Empty if the application has no traps yet, or has ended. */
    static Optional<TrapGate> find(Member application) {
        return MemoryFiles.find(application, "muninn-traps").map(TrapGate::new);
    }

    /** Holds the traps that reach this step. */
    void close(int step) throws IOException {
        set(step);
    }

    /** Lets them go on. */
    void open() throws IOException {
        set(OPEN);
    }

    private void set(int step) throws IOException {
        try (RandomAccessFile words = new RandomAccessFile(traps.toFile(), "rw")) {
            words.seek(GATE);
            words.writeInt(Integer.reverseBytes(step));
        }
    }

    /** False also if the application has ended. */
    boolean isReached() {
        try (RandomAccessFile words = new RandomAccessFile(traps.toFile(), "r")) {
            words.seek(REACHED);
            return words.readInt() != 0;
        } catch (IOException ended) {
            return false;
        }
    }
}
