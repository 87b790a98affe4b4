package io.muninn.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectoryTest {
    private static final int MANY_PAGES = 5_000;

    @Test
    void entryOfTheRoot_isOwnedAndHeldByIt() {
        DirectoryEntry<String> entry = directory(0).entry(new PageId(1, 0));

        assertTrue(entry.isOwnedBy(NodeId.ROOT));
        assertEquals(Copyset.of(NodeId.ROOT), entry.copyset());
        assertEquals("new", entry.state());
    }

    @Test
    void entryOfAnotherNode_hasTheRootAsProbableOwnerAndNoHolders() {
        DirectoryEntry<String> entry = directory(2).entry(new PageId(1, 0));

        assertEquals(NodeId.ROOT, entry.probableOwner());
        assertEquals(Copyset.EMPTY, entry.copyset());
    }

    @Test
    void samePage_isTheSameEntry() {
        Directory<String> directory = directory(0);

        directory.entry(new PageId(3, MANY_PAGES - 1)).become("seen");

        assertEquals("seen", directory.entry(new PageId(3, MANY_PAGES - 1)).state());
        assertSame(directory.entry(new PageId(1, 0)), directory.entry(new PageId(1, 0)));
    }

    @Test
    void pagesOfNoRegionHere_areRefused() {
        Directory<String> directory = directory(0);

        for (PageId stranger :
                List.of(
                        new PageId(0, 0), // another protocol's region
                        new PageId(1, 2), // beyond its end
                        new PageId(2, 0),
                        new PageId(4, 0))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> directory.entry(stranger),
                    stranger::toString);
        }
    }

    @Test
    void entries_areVisitedByRegionAndPage() {
        Directory<String> directory = directory(0);
        List<PageId> expected =
                List.of(
                        new PageId(1, 1),
                        new PageId(3, 0),
                        new PageId(3, 1_500),
                        new PageId(3, MANY_PAGES - 1));
        expected.reversed().forEach(directory::entry);

        List<PageId> visited = new ArrayList<>();
        directory.forEach(entry -> visited.add(entry.page()));

        assertEquals(expected, visited);
    }

    @Test
    void text_hasPageStateOwnerAndCopyset() {
        assertEquals(
                "page=1/0 state=new probableOwner=0 copyset={}",
                directory(1).entry(new PageId(1, 0)).toString());
    }

    /** Regions 1 (two pages) and 3 (many pages); 0 and 2 are of other protocols. */
    private static Directory<String> directory(int self) {
        Directory<String> directory = new Directory<>(NodeId.of(self), () -> "new");
        directory.add(region(1, 2));
        directory.add(region(3, MANY_PAGES));
        return directory;
    }

    private static RegionSpec region(int index, int pages) {
        long bytes = (long) pages * RegionSpec.MACHINE_PAGE_BYTES;
        return new RegionSpec(index, "r" + index, Protocol.CONVENTIONAL, 0, bytes, 8, 1, List.of());
    }
}
