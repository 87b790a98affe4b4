package io.muninn.apps.tsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.IntArray;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FreeStackTest {
    private static final int SLOTS = 50;

    private static FreeStack newStack() {
        FreeStack stack = new FreeStack(IntArray.local(SLOTS + 1));
        stack.reset();
        return stack;
    }

    @Test
    void slotInUse_isNeverHandedOutAgain() {
        FreeStack stack = newStack();
        BitSet used = new BitSet();
        List<Integer> taken = new ArrayList<>();
        Random random = new Random(3);
        for (int step = 0; step < 10_000; step++) {
            if (!taken.isEmpty() && (stack.count() == 0 || random.nextBoolean())) {
                int slot = taken.remove(random.nextInt(taken.size()));
                used.clear(slot);
                stack.give(slot);
            } else {
                int slot = stack.take();
                assertTrue(slot >= 0 && slot < SLOTS, "slot " + slot);
                assertTrue(!used.get(slot), "slot " + slot + " twice");
                used.set(slot);
                taken.add(slot);
            }
            assertEquals(SLOTS - taken.size(), stack.count());
        }
    }

    @Test
    void freshStack_handsOutEverySlotFromZeroOn() {
        FreeStack stack = newStack();

        for (int slot = 0; slot < SLOTS; slot++) {
            assertEquals(slot, stack.take());
        }
        assertEquals(0, stack.count());
    }

    @Test
    void tooManyTakenOrGiven_areRefused() {
        FreeStack stack = newStack();
        assertThrows(IllegalStateException.class, () -> stack.give(0));
        for (int i = 0; i < SLOTS; i++) {
            stack.take();
        }
        IllegalStateException none = assertThrows(IllegalStateException.class, stack::take);

        assertEquals("all 50 slots are in use", none.getMessage());
    }
}
