package io.muninn.apps.tsp;

import io.muninn.api.IntArray;

/**
 * The stack of indices of unused slots of the tour table. Element 0 counts the slots in use; behind
 * as many elements as that follows the stack, its top first. So what changes lies together, on one
 * page as long as few slots are in use.
 *
 * <p><b>Threads.</b> Whoever holds the lock of the queue.
 */
final class FreeStack {
    private final IntArray stack;

    /**
     * @param stack of as many elements as slots, and one more
     */
    FreeStack(IntArray stack) {
        this.stack = stack;
    }

    /** All slots become unused; the first to be taken is slot 0. */
    void reset() {
        stack.set(0, 0);
        for (int slot = 0; slot < slots(); slot++) {
            stack.set(1 + slot, slot);
        }
    }

    private int slots() {
        return stack.length() - 1;
    }

    /** Unused slots. */
    int count() {
        return slots() - stack.get(0);
    }

    /**
     * Takes an unused slot.
     *
     * @throws IllegalStateException if there is none
     */
    int take() {
        int used = stack.get(0);
        if (used == slots()) {
            throw new IllegalStateException("all " + used + " slots are in use");
        }
        stack.set(0, used + 1);
        return stack.get(1 + used);
    }

    /**
     * Gives a slot back.
     *
     * @throws IllegalStateException if all are unused
     */
    void give(int slot) {
        int used = stack.get(0);
        if (used == 0) {
            throw new IllegalStateException("slot " + slot + " is given back, but none is in use");
        }
        stack.set(used, slot);
        stack.set(0, used - 1);
    }
}
