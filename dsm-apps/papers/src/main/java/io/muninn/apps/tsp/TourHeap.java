package io.muninn.apps.tsp;

import io.muninn.api.LongArray;

/**
 * The slots of the tour table. Slots in use form a priority queue, ordered by lower bound, then by
 * slot; unused slots form a stack. Each slot is in one of the two, so one array holds both. The
 * elements that an operation accesses are close together: on one page as long as few slots are in
 * use.
 *
 * <p>Element 0 is the number of entries of the queue, which follow as a binary heap: entry 1 is the
 * first, and entry <i>i</i> precedes entries 2<i>i</i> and 2<i>i</i> + 1. After them follows the
 * stack, top first. An element has a bound in the upper and a slot in the lower 32 bits; in the
 * stack only the slot is used.
 *
 * <p><b>Threads.</b> The holder of the queue's lock.
 */
final class TourHeap {
    private final LongArray slots;

    /**
     * @param slots one more element than slots
     */
    TourHeap(LongArray slots) {
        this.slots = slots;
    }

    /** Makes all slots unused. Slot 0 is taken first. */
    void reset() {
        slots.set(0, 0);
        for (int slot = 0; slot < slots.length() - 1; slot++) {
            slots.set(1 + slot, slot);
        }
    }

    /** Number of slots in use. */
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
     * @throws IllegalStateException if all slots are in use
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
     * Drops entries at the end of the queue while their bounds are at least {@code bound}.
     * Afterwards the queue is empty, or the bound of its first entry is less.
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
     * Removes the first entry, which must exist. Its slot becomes unused and is the next to be
     * taken.
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
