package io.muninn.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.ipc.ControlMemory;
import java.lang.foreign.Arena;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A thread's record in shared memory, read by the agent. */
class ThreadRecordTest {
    private static final int ID = 4711;
    private static final OptionalInt NONE = OptionalInt.empty();

    private final ControlMemory control =
            new ControlMemory(Arena.ofAuto().allocate(ControlMemory.BYTES, 64));
    private final int number = control.addThread(ID).getAsInt();
    private final ThreadRecord thread = new ThreadRecord(control, number);

    private OptionalInt slot(int slot) {
        return OptionalInt.of(slot);
    }

    @Test
    void thread_isFoundByItsId() {
        int other = control.addThread(ID + 1).getAsInt();

        assertEquals(number, control.threadOf(ID));
        assertEquals(other, control.threadOf(ID + 1));
        assertEquals(-1, control.threadOf(1));
    }

    @Test
    void threadsBeyondTheLast_haveNoRecord() {
        for (int i = 1; i < 256; i++) {
            assertTrue(control.addThread(ID + i).isPresent());
        }

        assertEquals(NONE, control.addThread(1));
        assertEquals(-1, control.threadOf(1));
    }

    @Test
    void everyCall_isCounted() {
        thread.enter();
        thread.took(3);
        thread.frees(3);

        assertEquals(3, control.calls(number));
        assertEquals(NONE, control.section(number));
    }

    @Test
    void section_isTheLockThatWasTakenLastOfThoseHeld() {
        thread.took(0);
        assertEquals(slot(0), control.section(number));
        thread.took(8191);
        assertEquals(slot(8191), control.section(number));
        thread.enter();
        assertEquals(slot(8191), control.section(number));
        thread.frees(8191);
        assertEquals(slot(0), control.section(number));
    }

    @Test
    void locks_mayBeFreedInAnyOrder() {
        for (int i = 0; i < 6; i++) {
            thread.took(i);
        }
        thread.frees(0);
        thread.frees(5);
        assertEquals(slot(4), control.section(number));
        thread.frees(4);
        thread.frees(2);
        assertEquals(slot(3), control.section(number));
        thread.frees(3);
        thread.frees(1);
        assertEquals(NONE, control.section(number));
    }

    @Test
    void wishToHearOfACall_isTakenOnce() {
        assertFalse(thread.takeWatch());
        control.watchThread(number);
        assertTrue(thread.takeWatch());
        assertFalse(thread.takeWatch());
    }
}
