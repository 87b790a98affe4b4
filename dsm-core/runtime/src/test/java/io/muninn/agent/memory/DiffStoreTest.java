package io.muninn.agent.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.model.PageId;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class DiffStoreTest {
    private static final PageId PAGE = new PageId(1, 5);

    private final DiffStore diffs = new DiffStore();

    private void save(PageId page, long interval) {
        byte[] bytes = {(byte) interval, 9};
        diffs.save(page, interval, diffs.copyOf(MemorySegment.ofArray(bytes)), 0, bytes.length);
    }

    private void assertSaved(PageId page, long interval) {
        assertEquals((byte) interval, diffs.saved(page, interval).get(JAVA_BYTE, 0));
    }

    private void assertMissing(long interval) {
        assertThrows(IllegalStateException.class, () -> diffs.saved(PAGE, interval));
    }

    @Test
    void diffsOfSeveralIntervals_areKeptAndDroppedOneByOne() {
        for (long interval : new long[] {3, 4, 7}) {
            save(PAGE, interval);
        }
        save(new PageId(1, 6), 4);

        diffs.dropSaved(PAGE, 4);
        assertMissing(4);
        assertSaved(PAGE, 3);
        assertSaved(PAGE, 7);
        diffs.dropSaved(PAGE, 7);
        assertMissing(7);
        assertSaved(PAGE, 3);
        diffs.dropSaved(PAGE, 3);
        assertMissing(3);

        assertSaved(new PageId(1, 6), 4);
        save(PAGE, 4); // a page without any begins again
        assertSaved(PAGE, 4);
    }

    @Test
    void secondDiffOfAnInterval_isRefused() {
        save(PAGE, 3);
        save(PAGE, 4);

        assertThrows(IllegalStateException.class, () -> save(PAGE, 3));
    }

    @Test
    void keptDiffsOfAPage_areDroppedOneByOne() {
        for (byte number = 1; number <= 3; number++) {
            diffs.keep(PAGE, number, MemorySegment.ofArray(new byte[] {number}));
        }
        MemorySegment second = diffs.kept(PAGE, 2);

        diffs.dropKept(PAGE, 2);

        assertThrows(IllegalStateException.class, () -> second.get(JAVA_BYTE, 0));
        assertThrows(IllegalStateException.class, () -> diffs.kept(PAGE, 2));
        assertEquals(1, diffs.kept(PAGE, 1).get(JAVA_BYTE, 0));
        assertEquals(3, diffs.kept(PAGE, 3).get(JAVA_BYTE, 0));
    }

    @Test
    void keptDiffThatIsNotThere_isNotDropped() {
        diffs.keep(PAGE, 1, MemorySegment.ofArray(new byte[] {1}));
        save(PAGE, 2);

        assertThrows(IllegalStateException.class, () -> diffs.dropKept(PAGE, 2));
        diffs.dropKept(PAGE, 1);
        IllegalStateException thrown =
                assertThrows(IllegalStateException.class, () -> diffs.dropKept(PAGE, 1));

        assertEquals("page 1/5 has no kept diff 1", thrown.getMessage());
    }

    @Test
    void secondKeptDiffOfANumber_isRefused() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[] {1});
        diffs.keep(PAGE, 1, bytes);

        assertThrows(IllegalStateException.class, () -> diffs.keep(PAGE, 1, bytes));
    }

    @Test
    void intervalThatIsNotThere_isDroppedInSilence() {
        save(PAGE, 3);

        diffs.dropSaved(PAGE, 2);
        diffs.dropSaved(new PageId(0, 0), 3);

        assertSaved(PAGE, 3);
    }

    /** Diffs of one comparison share memory, which ends with the last of them. */
    @Test
    void diffsOfOneBatch_shareMemoryUntilTheLastIsDropped() {
        DiffStore.Memory memory = diffs.copyOf(MemorySegment.ofArray(new byte[] {1, 2, 3}));
        PageId other = new PageId(0, 1);
        diffs.save(PAGE, 5, memory, 0, 1);
        diffs.save(other, 5, memory, 1, 2);

        diffs.dropSaved(PAGE, 5);
        MemorySegment left = diffs.saved(other, 5);
        assertEquals(2, left.get(JAVA_BYTE, 0));
        diffs.dropSaved(other, 5);

        assertThrows(IllegalStateException.class, () -> left.get(JAVA_BYTE, 0));
    }
}
