package io.muninn.application;

import io.muninn.ipc.ControlMemory;
import java.util.Arrays;

/**
 * What one application thread tells its agent in shared memory: how many calls it has entered, and
 * the lock that it took last of those that it holds.
 *
 * <p><b>Threads.</b> The thread that it is about.
 */
final class ThreadRecord {
    private static final int NO_LOCK = -1;

    private final ControlMemory control;
    private final int number;
    private int calls;
    private int[] held = new int[4]; // slots, in the order of taking
    private int depth;

    /**
     * @param number of the thread in the control memory
     */
    ThreadRecord(ControlMemory control, int number) {
        this.control = control;
        this.number = number;
    }

    /** It has done all accesses before, and enters a call. */
    void enter() {
        control.enterCall(number, ++calls, depth == 0 ? NO_LOCK : held[depth - 1]);
    }

    /** True once after its agent has asked to hear of its next call. */
    boolean takeWatch() {
        return control.takeThreadWatch(number);
    }

    /** It has got a lock, having entered a call for it. */
    void took(int slot) {
        if (depth == held.length) {
            held = Arrays.copyOf(held, 2 * depth);
        }
        held[depth++] = slot;
        control.enterCall(number, ++calls, slot);
    }

    /** It enters a call that frees a lock which it holds. */
    void frees(int slot) {
        depth--;
        int at = depth;
        while (at > 0 && held[at] != slot) { // most are freed in the reverse order
            at--;
        }
        if (at < depth) {
            System.arraycopy(held, at + 1, held, at, depth - at);
        }
        enter();
    }
}
