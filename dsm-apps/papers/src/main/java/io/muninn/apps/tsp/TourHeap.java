package io.muninn.apps.tsp;

import io.muninn.api.LongArray;

/**
 * The slots of the tour table: those in use are a priority queue, the smallest lower bound first,
 * and of equal ones the lower slot; the unused ones are a stack. Each slot is in one of the two, so
 * one array holds both, and what an access touches lies together, on one page as long as few slots
 * are in use.
 *
 * <p>Element 0 counts the entries of the queue. They follow: entry 1 is the first, and entry
 * <i>i</i> comes before entries 2<i>i</i> and 2<i>i</i> + 1. Behind them follows the stack, its top
 * first. An element is a bound in the upper and a slot in the lower 32 bits; in the stack only the
 * slot has a meaning.
 *
 * <p><b>Threads.</b> The one that holds the lock of the queue.
 */
final class TourHeap {
    private final LongArray slots;

    /**
     * @param slots of as many elements as slots, and one more
     */
    TourHeap(LongArray slots) {
        this.slots = slots;
    }

    /** All slots become unused; the first to be taken is slot 0. */
    void reset() {
        slots.set(0, 0);
        for (int slot = 0; slot < slots.length() - 1; slot++) {
            slots.set(1 + slot, slot);
        }
    }

    /** Slots in use. */
    int count() {
        return (int) slots.get(0);
    }

    int unused() {
        return slots.length() - 1 - count();
    }

    /**
     * Takes an unused slot and puts it into the queue.
     *
     * @param bound 0 or more
     * @throws IllegalStateException if all are in use
     */
    int add(int bound) {
        int at = count() + 1;
        if (at == slots.length()) {
            throw new IllegalStateException("all " + count() + " slots are in use");
        }
        int slot = (int) slots.get(at);
        long entry = (long) bound << Integer.SIZE | slot;
        slots.set(0, at);
        while (at > 1 && slots.get(at / 2) > entry) {
            slots.set(at, slots.get(at / 2));
            at /= 2;
        }
        slots.set(at, entry);
        return slot;
    }

    /** An entry's lower bound; the first is entry 1. */
    int bound(int entry) {
        return (int) (slots.get(entry) >>> Integer.SIZE);
    }

    /**
     * Drops entries at the end of the queue, as long as their bounds are not below this one. If
     * none is below, all are dropped; if any entry remains, the first is below.
     */
    void dropFrom(int bound) {
        int kept = count();
        while (kept > 0 && bound(kept) >= bound) {
            kept--;
        }
        if (kept < count()) {
            slots.set(0, kept);
        }
    }

    /**
     * Takes the first entry out; there must be one. Its slot is unused then, and the next taken.
     */
    int removeFirst() {
        int slot = (int) slots.get(1);
        int count = count();
        long last = slots.get(count);
        int at = 1;
        int child = 2;
        while (child < count) {
            if (child + 1 < count && slots.get(child + 1) < slots.get(child)) {
                child++;
            }
            if (slots.get(child) >= last) {
                break;
            }
            slots.set(at, slots.get(child));
            at = child;
            child = 2 * at;
        }
        slots.set(at, last);
        slots.set(count, slot);
        slots.set(0, count - 1L);
        return slot;
    }
}
