package io.muninn.apps.tsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.LongArray;
import java.util.BitSet;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TourHeapTest {
    private static final int SLOTS = 64;

    private static TourHeap newHeap(LongArray memory) {
        TourHeap heap = new TourHeap(memory);
        heap.reset();
        return heap;
    }

    @Test
    void entriesInAnyOrder_comeOutByBoundAndThenBySlot() {
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            TourHeap heap = newHeap(LongArray.local(SLOTS + 1));
            PriorityQueue<Long> oracle = new PriorityQueue<>();
            for (int step = 0; step < 300; step++) {
                boolean isAdd = oracle.isEmpty() || oracle.size() < SLOTS && random.nextBoolean();
                if (isAdd) {
                    int bound = random.nextInt(1 + round);
                    oracle.add((long) bound * SLOTS + heap.add(bound));
                } else {
                    long first = oracle.remove();
                    assertEquals(first / SLOTS, heap.bound(1));
                    assertEquals(first % SLOTS, heap.removeFirst());
                }
                assertEquals(oracle.size(), heap.count());
            }
        }
    }

    @Test
    void slotInUse_isNeverHandedOutAgain() {
        TourHeap heap = newHeap(LongArray.local(SLOTS + 1));
        BitSet used = new BitSet();
        Random random = new Random(3);
        for (int step = 0; step < 10_000; step++) {
            if (heap.unused() == 0 || heap.count() > 0 && random.nextBoolean()) {
                used.clear(heap.removeFirst());
            } else {
                int slot = heap.add(random.nextInt(30));
                assertTrue(slot >= 0 && slot < SLOTS, "slot " + slot);
                assertTrue(!used.get(slot), "slot " + slot + " twice");
                used.set(slot);
            }
            if (step % 1000 == 999) {
                heap.dropFrom(0);
                used.clear();
            }
            assertEquals(used.cardinality(), heap.count());
            assertEquals(SLOTS - used.cardinality(), heap.unused());
        }
    }

    @Test
    void slotTakenOut_isTheNextOneTaken() {
        TourHeap heap = newHeap(LongArray.local(SLOTS + 1));
        for (int slot = 0; slot < 10; slot++) {
            assertEquals(slot, heap.add(slot % 3));
        }

        int first = heap.removeFirst();
        int second = heap.removeFirst();

        assertEquals(second, heap.add(7));
        assertEquals(first, heap.add(7));
        assertEquals(10, heap.add(7));
    }

    @Test
    void fewSlotsInUse_touchOnlyTheBeginningOfTheMemory() {
        LongArray memory = LongArray.local(SLOTS + 1);
        TourHeap heap = newHeap(memory);
        int most = 10;
        for (int i = most + 1; i <= SLOTS; i++) {
            memory.set(i, -1);
        }
        Random random = new Random(4);
        for (int step = 0; step < 1000; step++) {
            if (heap.count() == most || heap.count() > 0 && random.nextBoolean()) {
                assertTrue(heap.removeFirst() < most);
            } else {
                assertTrue(heap.add(random.nextInt(30)) < most);
            }
        }
        for (int i = most + 1; i <= SLOTS; i++) {
            assertEquals(-1, memory.get(i), "element " + i);
        }
    }

    @Test
    void noEntry_isSmallerThanTheOneAboveIt() {
        Random random = new Random(2);
        LongArray memory = LongArray.local(SLOTS + 1);
        TourHeap heap = newHeap(memory);
        for (int slot = 0; slot < SLOTS; slot++) {
            heap.add(random.nextInt(20));
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
    void dropping_leavesEveryEntryBelowTheBoundAndTheFirstBelowIt() {
        Random random = new Random(5);
        int dropped = 0;
        for (int round = 0; round < 200; round++) {
            TourHeap heap = newHeap(LongArray.local(SLOTS + 1));
            int below = 0;
            int limit = random.nextInt(20);
            for (int added = 0; added < 40; added++) {
                int bound = random.nextInt(20);
                heap.add(bound);
                below += bound < limit ? 1 : 0;
            }

            heap.dropFrom(limit);

            dropped += 40 - heap.count();
            assertTrue(heap.count() >= below, "dropped too many");
            assertEquals(below == 0, heap.count() == 0);
            int found = 0;
            for (int last = -1; heap.count() > 0; heap.removeFirst()) {
                assertTrue(heap.bound(1) >= last, "out of order");
                last = heap.bound(1);
                found += last < limit ? 1 : 0;
            }
            assertEquals(below, found);
        }
        assertTrue(dropped > 0);
    }

    @Test
    void largestBoundAndSlot_areKept() {
        LongArray memory = LongArray.local(3);
        TourHeap heap = new TourHeap(memory);
        memory.set(1, 1 << 20);

        assertEquals(1 << 20, heap.add(Integer.MAX_VALUE));

        assertEquals(Integer.MAX_VALUE, heap.bound(1));
        assertEquals(1 << 20, heap.removeFirst());
    }

    @Test
    void entryWithoutRoom_isRefusedAndNotCounted() {
        TourHeap heap = newHeap(LongArray.local(2));
        heap.add(5);

        IllegalStateException none = assertThrows(IllegalStateException.class, () -> heap.add(6));

        assertEquals("all 1 slots are in use", none.getMessage());
        assertEquals(1, heap.count());
        assertEquals(5, heap.bound(1));
    }
}
