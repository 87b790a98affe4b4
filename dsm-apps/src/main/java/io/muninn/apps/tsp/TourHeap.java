package io.muninn.apps.tsp;

import io.muninn.api.LongArray;

/**
 * The priority queue of slots of the tour table, the smallest lower bound first, and of equal ones
 * the lower slot. Element 0 counts the entries; entry 1 is the first, and entry <i>i</i> comes
 * before entries 2<i>i</i> and 2<i>i</i> + 1. An entry is the bound in the upper and the slot in
 * the lower 32 bits.
 *
 * <p><b>Threads.</b> Whoever holds the lock of the queue.
 */
final class TourHeap {
    private final LongArray heap;

    /**
     * @param heap of as many elements as slots, and one more
     */
    TourHeap(LongArray heap) {
        this.heap = heap;
    }

    int count() {
        return (int) heap.get(0);
    }

    /**
     * @param bound 0 or more
     * @throws IndexOutOfBoundsException if there is no room
     */
    void add(int bound, int slot) {
        long entry = (long) bound << Integer.SIZE | slot;
        int at = count() + 1;
        while (at > 1 && heap.get(at / 2) > entry) {
            heap.set(at, heap.get(at / 2));
            at /= 2;
        }
        heap.set(at, entry);
        heap.set(0, heap.get(0) + 1);
    }

    /** The first entry's lower bound; there must be one. */
    int firstBound() {
        return (int) (heap.get(1) >>> Integer.SIZE);
    }

    /** Takes the first entry out; there must be one. Returns its slot. */
    int removeFirst() {
        int slot = (int) heap.get(1);
        int count = count();
        long last = heap.get(count);
        int at = 1;
        int child = 2;
        while (child < count) {
            if (child + 1 < count && heap.get(child + 1) < heap.get(child)) {
                child++;
            }
            if (heap.get(child) >= last) {
                break;
            }
            heap.set(at, heap.get(child));
            at = child;
            child = 2 * at;
        }
        heap.set(at, last);
        heap.set(0, count - 1L);
        return slot;
    }
}
