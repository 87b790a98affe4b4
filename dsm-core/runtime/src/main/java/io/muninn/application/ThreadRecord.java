package io.muninn.application;

import io.muninn.ipc.ControlMemory;
import io.muninn.waits.Hold;
import java.util.Arrays;

/**
 * The record of one application thread in shared memory, for its agent: the number of calls that it
 * has entered, and the locks that it holds.
 *
 * <p><b>Threads.</b> The thread of the record.
 */
final class ThreadRecord {
    private static final int NO_LOCK = -1;

    private final ControlMemory control;
    private final int number;
    private int calls;
    private long accesses; // operations on remote words
    private int[] slots = new int[4]; // of the locks that it holds, in the order of taking
    private Hold.Mode[] modes = new Hold.Mode[4];
    private int depth;
    private int section = NO_LOCK; // of the most recently acquired lock that has no readers

    /**
     * @param number of the thread in the control memory
     */
    ThreadRecord(ControlMemory control, int number) {
        this.control = control;
        this.number = number;
    }

    /** Records that the thread has made all earlier accesses, and enters a call. */
    void enter() {
        control.enterCall(number, ++calls, section);
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
    void took(int slot, Hold.Mode mode) {
        if (depth == slots.length) {
            slots = Arrays.copyOf(slots, 2 * depth);
            modes = Arrays.copyOf(modes, 2 * depth);
        }
        slots[depth] = slot;
        modes[depth] = mode;
        control.setHold(number, depth, slot, mode.ordinal());
        depth++;
        if (mode == Hold.Mode.LOCK) {
            section = slot;
        }
        enter();
    }

    /** Records that the thread enters a call that frees a lock which it holds. */
    void frees(int slot, Hold.Mode mode) {
        depth--;
        int at = depth;
        while (at > 0 && (slots[at] != slot || modes[at] != mode)) {
            at--; // usually freed in reverse order
        }
        for (int place = at; place < depth; place++) {
            slots[place] = slots[place + 1];
            modes[place] = modes[place + 1];
            control.setHold(number, place, slots[place], modes[place].ordinal());
        }
        control.endHolds(number, depth);
        if (mode == Hold.Mode.LOCK) {
            section = lastLock();
        }
        enter();
    }

    private int lastLock() {
        int at = depth - 1;
        while (at >= 0 && modes[at] != Hold.Mode.LOCK) {
            at--;
        }
        return at < 0 ? NO_LOCK : slots[at];
    }
}
