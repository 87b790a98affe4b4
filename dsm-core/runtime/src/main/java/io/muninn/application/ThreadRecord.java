package io.muninn.application;

import io.muninn.ipc.ControlMemory;
import java.util.Arrays;

/**
 * The record of one application thread in shared memory, for its agent: the number of calls that it
 * has entered, and the most recently acquired lock that it holds.
 *
 * <p><b>Threads.</b> The thread of the record.
 */
final class ThreadRecord {
    private static final int NO_LOCK = -1;

    private final ControlMemory control;
    private final int number;
    private int calls;
    private long accesses; // operations on remote words
    private int[] held = new int[4]; // slots, in the order of taking
    private int depth;

    /**
     * @param number of the thread in the control memory
     */
    ThreadRecord(ControlMemory control, int number) {
        this.control = control;
        this.number = number;
    }

    /** Records that the thread has made all earlier accesses, and enters a call. */
    void enter() {
        control.enterCall(number, ++calls, depth == 0 ? NO_LOCK : held[depth - 1]);
    }

    /** True once after the agent has requested a notification of the thread's next call. */
    boolean takeWatch() {
        return control.takeThreadWatch(number);
    }

    /** Counts an operation on a remote word that the thread performs itself. */
    void accesses() {
        control.setAccesses(number, ++accesses);
    }

    /** Records that the thread has obtained a lock, for which it entered a call. */
    void took(int slot) {
        if (depth == held.length) {
            held = Arrays.copyOf(held, 2 * depth);
        }
        held[depth++] = slot;
        control.enterCall(number, ++calls, slot);
    }

    /** Records that the thread enters a call that frees a lock which it holds. */
    void frees(int slot) {
        depth--;
        int at = depth;
        while (at > 0 && held[at] != slot) { // usually freed in reverse order
            at--;
        }
        if (at < depth) {
            System.arraycopy(held, at + 1, held, at, depth - at);
        }
        enter();
    }
}
