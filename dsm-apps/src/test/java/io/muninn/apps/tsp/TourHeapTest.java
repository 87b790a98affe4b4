package io.muninn.apps.tsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.LongArray;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TourHeapTest {
    private static final int SLOTS = 64;

    @Test
    void entriesInAnyOrder_comeOutByBoundAndThenBySlot() {
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            TourHeap heap = new TourHeap(LongArray.local(SLOTS + 1));
            PriorityQueue<Long> oracle = new PriorityQueue<>();
            for (int step = 0; step < 300; step++) {
                boolean isAdd = oracle.isEmpty() || oracle.size() < SLOTS && random.nextBoolean();
                if (isAdd) {
                    int bound = random.nextInt(1 + round);
                    int slot = random.nextInt(SLOTS);
                    heap.add(bound, slot);
                    oracle.add((long) bound * SLOTS + slot);
                } else {
                    long first = oracle.remove();
                    assertEquals(first / SLOTS, heap.firstBound());
                    assertEquals(first % SLOTS, heap.removeFirst());
                }
                assertEquals(oracle.size(), heap.count());
            }
        }
    }

    @Test
    void noEntry_isSmallerThanTheOneAboveIt() {
        Random random = new Random(2);
        LongArray memory = LongArray.local(SLOTS + 1);
        TourHeap heap = new TourHeap(memory);
        for (int slot = 0; slot < SLOTS; slot++) {
            heap.add(random.nextInt(20), slot);
        }
        for (int removed = 0; removed < SLOTS; removed++) {
            for (int i = 2; i <= heap.count(); i++) {
                assertEquals(
                        Math.max(memory.get(i), memory.get(i / 2)), memory.get(i), "entry " + i);
            }
            heap.removeFirst();
        }
    }

    @Test
    void largestBoundAndSlot_areKept() {
        TourHeap heap = new TourHeap(LongArray.local(3));

        heap.add(Integer.MAX_VALUE, 1 << 20);

        assertEquals(Integer.MAX_VALUE, heap.firstBound());
        assertEquals(1 << 20, heap.removeFirst());
    }

    @Test
    void entryWithoutRoom_isRefusedAndNotCounted() {
        TourHeap heap = new TourHeap(LongArray.local(2));
        heap.add(5, 0);

        assertThrows(IndexOutOfBoundsException.class, () -> heap.add(6, 1));
        assertEquals(1, heap.count());
        assertEquals(5, heap.firstBound());
    }
}
