package io.muninn.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The word of a reader-writer lock: threads enter and leave, the agent opens and closes it. */
@Timeout(60)
class ReaderWordTest {
    private static final int SLOT = 3;
    private static final int READERS = 3;
    private static final int ROUNDS = 20_000;

    private final ControlMemory control =
            new ControlMemory(Arena.ofShared().allocate(ControlMemory.BYTES, 64));
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger reports = new AtomicInteger(); // by last readers
    private volatile boolean isOver;

    @Test
    void closedWord_letsNobodyIn() {
        assertFalse(control.enterRead(SLOT));
        control.admitReaders(SLOT, 1, false);
        assertFalse(control.enterRead(SLOT));
        assertEquals(1, control.closeReaders(SLOT));
        assertTrue(control.leaveRead(SLOT), "it was the last one in a closed word");
        assertEquals(0, control.closeReaders(SLOT));
    }

    @Test
    void openWord_countsReadersAndReportsNone() {
        control.admitReaders(SLOT, 1, true);
        assertTrue(control.enterRead(SLOT));
        assertFalse(control.leaveRead(SLOT));
        assertFalse(control.leaveRead(SLOT), "the word is open");
        assertEquals(0, control.closeReaders(SLOT));
        assertFalse(control.enterRead(SLOT));
    }

    @Test
    void writerThatGoesOnAsAReader_isInTheClosedWord() {
        control.alsoRead(SLOT);
        assertFalse(control.enterRead(SLOT));
        control.admitReaders(SLOT, 0, true);
        assertTrue(control.enterRead(SLOT));
        assertEquals(2, control.closeReaders(SLOT));
    }

    /** A neighbour's word does not change. */
    @Test
    void words_areApart() {
        control.admitReaders(SLOT, 2, true);
        assertFalse(control.enterRead(SLOT + 1));
        assertEquals(0, control.closeReaders(SLOT + 1));
        assertEquals(2, control.closeReaders(SLOT));
    }

    @Test
    void readersThatWereInside_areCounted_andTheLastOneReportsOnce() throws Exception {
        List<FutureTask<Void>> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            FutureTask<Void> reader = new FutureTask<>(this::read, null);
            readers.add(reader);
            Thread.ofPlatform().daemon(true).start(reader);
        }

        int expected = 0;
        for (int round = 0; round < ROUNDS; round++) {
            control.admitReaders(SLOT, 0, true);
            for (int spin = round % 64; spin > 0; spin--) {
                Thread.onSpinWait();
            }
            expected += control.closeReaders(SLOT) > 0 ? 1 : 0;
            while (reports.get() < expected) {
                Thread.onSpinWait();
            }
            assertEquals(expected, reports.get());
            assertEquals(0, inside.get(), "somebody reads under a closed word without readers");
        }
        isOver = true;
        for (FutureTask<Void> reader : readers) {
            reader.get();
        }

        assertTrue(expected > 0, "no reader was ever inside when the word was closed");
    }

    private void read() {
        while (!isOver) {
            if (control.enterRead(SLOT)) {
                inside.incrementAndGet();
                inside.decrementAndGet();
                if (control.leaveRead(SLOT)) {
                    reports.incrementAndGet();
                }
            }
        }
    }
}
