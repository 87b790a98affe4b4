package io.muninn.agent.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PageTableTest {
    private static final long PAGE = RegionSpec.MACHINE_PAGE_BYTES;

    private final PageTable table = new PageTable();

    /** Two pages, a gap of two, then 5000 pages of four machine pages each. */
    @BeforeEach
    void addRegions() {
        table.add(region(0, 0, 2, 1));
        table.add(region(1, 4 * PAGE, 5000, 4));
    }

    private static RegionSpec region(int index, long offset, int pages, int unitPages) {
        long bytes = pages * unitPages * PAGE;
        return new RegionSpec(
                index,
                "region" + index,
                Protocol.CONVENTIONAL,
                offset,
                bytes,
                Long.BYTES,
                unitPages,
                List.of(new VariableSpec("region" + index, "long", 0, bytes)));
    }

    @Test
    void everyByteOfAPage_belongsToIt() {
        for (PageId page : List.of(new PageId(0, 0), new PageId(0, 1), new PageId(1, 4999))) {
            long offset = table.offset(page);
            assertEquals(page, table.pageAt(offset));
            assertEquals(page, table.pageAt(offset + table.pageBytes(page) - 1));
        }
        assertEquals(4 * PAGE + 4999 * 4 * PAGE, table.offset(new PageId(1, 4999)));
        assertEquals(4 * PAGE, table.pageBytes(new PageId(1, 0)));
    }

    @Test
    void bytesBetweenAndBehindRegions_belongToNoPage() {
        long behind = 4 * PAGE + 5000 * 4 * PAGE;
        for (long offset : new long[] {2 * PAGE, 4 * PAGE - 1, behind, behind + (1L << 36)}) {
            IllegalArgumentException thrown =
                    assertThrows(IllegalArgumentException.class, () -> table.pageAt(offset));
            int below = offset < 4 * PAGE ? 0 : 1;
            long end = below == 0 ? 2 * PAGE : behind;
            assertEquals(
                    "a thread accesses byte "
                            + offset
                            + " of shared memory, where no variable is, "
                            + (offset - end)
                            + " bytes behind the end of the pages of variable 'region"
                            + below
                            + "': a MemorySegment was reinterpreted beyond its variable",
                    thrown.getMessage());
        }
    }

    @Test
    void stateOfAPage_isItsOwn() {
        PageId page = new PageId(1, 4096);
        PageId neighbour = new PageId(1, 4095);
        assertFalse(table.hasContent(page));

        table.put(page, PageAccess.READ_WRITE);
        assertTrue(table.hasContent(page));
        assertEquals(PageAccess.READ_WRITE, table.access(page));
        assertFalse(table.hasContent(neighbour));
        assertEquals(PageAccess.NONE, table.access(neighbour));

        table.put(page, PageAccess.NONE);
        assertTrue(table.hasContent(page), "content is kept without access");
        table.clear(page);
        assertFalse(table.hasContent(page));

        table.poison(page);
        assertTrue(table.isPoisoned(page));
        assertFalse(table.hasContent(page));
        assertFalse(table.isPoisoned(neighbour));
    }

    @Test
    void withdrawalUnderWay_outlastsWhatBecomesOfThePage() {
        PageId page = new PageId(1, 7);
        table.put(page, PageAccess.READ_WRITE);
        table.withdrawing(page, true);

        table.put(page, PageAccess.READ);
        assertEquals(PageAccess.READ, table.access(page));
        table.clear(page);
        assertFalse(table.hasContent(page));
        table.poison(page);
        assertTrue(table.isWithdrawing(page));
        table.withdrawing(page, false);

        assertFalse(table.isWithdrawing(page));
        assertTrue(table.isPoisoned(page));
    }

    @Test
    void twin_isRemovedOnce() {
        PageId page = new PageId(0, 1);
        assertEquals(0, table.twin(page));

        table.twin(page, 42);

        assertEquals(42, table.twin(page));
        assertEquals(42, table.removeTwin(page));
        assertEquals(0, table.removeTwin(page));
        assertEquals(0, table.twin(page));
    }
}
