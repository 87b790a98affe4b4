package io.muninn.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.ipc.ControlMemory;
import io.muninn.waits.Hold.Mode;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A thread's record in shared memory, read by the agent. */
class ThreadRecordTest {
    private static final int ID = 4711;
    private static final OptionalInt NONE = OptionalInt.empty();

    private final ControlMemory control =
            new ControlMemory(Arena.ofAuto().allocate(ControlMemory.BYTES, 64));
    private final int number = control.addThread(ID, 5).getAsInt();
    private final ThreadRecord thread = new ThreadRecord(control, number);

    private OptionalInt slot(int slot) {
        return OptionalInt.of(slot);
    }

    @Test
    void thread_isFoundByItsId() {
        int other = control.addThread(ID + 1, 6).getAsInt();

        assertEquals(number, control.threadOf(ID));
        assertEquals(other, control.threadOf(ID + 1));
        assertEquals(-1, control.threadOf(1));
    }

    @Test
    void threadsBeyondTheLast_haveNoRecord() {
        for (int i = 1; i < 256; i++) {
            assertTrue(control.addThread(ID + i, i).isPresent());
        }

        assertEquals(NONE, control.addThread(1, 1));
        assertEquals(-1, control.threadOf(1));
    }

    @Test
    void everyCall_isCounted() {
        thread.enter();
        thread.took(3, Mode.LOCK);
        thread.frees(3, Mode.LOCK);

        assertEquals(3, control.calls(number));
        assertEquals(NONE, control.section(number));
    }

    @Test
    void section_isTheLockThatWasTakenLastOfThoseHeld() {
        thread.took(0, Mode.LOCK);
        assertEquals(slot(0), control.section(number));
        thread.took(8191, Mode.LOCK);
        assertEquals(slot(8191), control.section(number));
        thread.enter();
        assertEquals(slot(8191), control.section(number));
        thread.frees(8191, Mode.LOCK);
        assertEquals(slot(0), control.section(number));
    }

    @Test
    void locks_mayBeFreedInAnyOrder() {
        for (int i = 0; i < 6; i++) {
            thread.took(i, Mode.LOCK);
        }
        thread.frees(0, Mode.LOCK);
        thread.frees(5, Mode.LOCK);
        assertEquals(slot(4), control.section(number));
        thread.frees(4, Mode.LOCK);
        thread.frees(2, Mode.LOCK);
        assertEquals(slot(3), control.section(number));
        thread.frees(3, Mode.LOCK);
        thread.frees(1, Mode.LOCK);
        assertEquals(NONE, control.section(number));
    }

    @Test
    void readerWriterLock_isNoSection() {
        thread.took(1, Mode.LOCK);
        thread.took(2, Mode.READ);
        thread.took(1, Mode.WRITE);
        assertEquals(slot(1), control.section(number));
        thread.frees(1, Mode.LOCK);

        assertEquals(NONE, control.section(number));
        assertEquals(List.of(held(2, Mode.READ), held(1, Mode.WRITE)), control.holds(5));
    }

    @Test
    void holds_areInTheOrderOfTaking() {
        thread.took(8191, Mode.WRITE);
        thread.took(0, Mode.LOCK);
        thread.took(7, Mode.LOCK);
        thread.frees(0, Mode.LOCK);

        assertEquals(List.of(held(8191, Mode.WRITE), held(7, Mode.LOCK)), control.holds(5));
        assertEquals(List.of(), control.holds(6));
    }

    @Test
    void holdsBeyondTheLast_areNotRecorded() {
        for (int i = 0; i <= ControlMemory.HOLDS_MAX; i++) {
            thread.took(i, Mode.LOCK);
        }
        assertEquals(ControlMemory.HOLDS_MAX, control.holds(5).size());
        thread.frees(0, Mode.LOCK);

        assertEquals(held(1, Mode.LOCK), control.holds(5).getFirst());
        assertEquals(ControlMemory.HOLDS_MAX, control.holds(5).size());
        for (int i = ControlMemory.HOLDS_MAX; i > 0; i--) {
            thread.frees(i, Mode.LOCK);
        }
        assertEquals(List.of(), control.holds(5));
    }

    private static ControlMemory.Held held(int slot, Mode mode) {
        return new ControlMemory.Held(slot, mode.ordinal());
    }

    @Test
    void wishToHearOfACall_isTakenOnce() {
        assertFalse(thread.takeWatch());
        control.watchThread(number);
        assertTrue(thread.takeWatch());
        assertFalse(thread.takeWatch());
    }
}
