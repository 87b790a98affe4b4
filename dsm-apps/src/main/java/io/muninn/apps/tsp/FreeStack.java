package io.muninn.apps.tsp;

import io.muninn.api.IntArray;

/**
 * The stack of indices of unused slots of the tour table. Element 0 counts them, the others are the
 * stack, its top last.
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
        int slots = stack.length() - 1;
        stack.set(0, slots);
        for (int i = 1; i <= slots; i++) {
            stack.set(i, slots - i);
        }
    }

    /** Unused slots. */
    int count() {
        return stack.get(0);
    }

    /**
     * Takes an unused slot.
     *
     * @throws IllegalStateException if there is none
     */
    int take() {
        int count = count();
        if (count == 0) {
            throw new IllegalStateException("all " + (stack.length() - 1) + " slots are in use");
        }
        stack.set(0, count - 1);
        return stack.get(count);
    }

    /**
     * Gives a slot back.
     *
     * @throws IllegalStateException if all are unused
     */
    void give(int slot) {
        int count = count();
        if (count == stack.length() - 1) {
            throw new IllegalStateException("slot " + slot + " is given back, but none is in use");
        }
        stack.set(count + 1, slot);
        stack.set(0, count + 1);
    }
}
