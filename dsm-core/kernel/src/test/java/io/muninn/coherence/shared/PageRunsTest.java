package io.muninn.coherence.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PageRunsTest {
    @Test
    void runs_areTheListThatTheyAreMadeOf() {
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            List<PageId> pages = new ArrayList<>();
            PageId last = new PageId(0, 0);
            for (int j = random.nextInt(12); j > 0; j--) {
                last =
                        random.nextInt(5) == 0
                                ? new PageId(last.region() + 1, random.nextInt(9))
                                : last.plus(1 + random.nextInt(2));
                pages.add(last);
            }

            PageRuns runs = PageRuns.of(pages);

            assertEquals(pages, runs);
            assertEquals(pages, List.copyOf(runs));
            assertEquals(pages.hashCode(), runs.hashCode());
            assertSame(runs, PageRuns.of(runs));
            for (int j = 0; j < pages.size(); j++) {
                assertEquals(pages.get(j), runs.get(j));
            }
        }
    }

    @Test
    void whatIsBehindTheEnd_throws() {
        PageRuns one = PageRuns.of(List.of(new PageId(1, 2)));
        Iterator<PageId> pages = one.iterator();
        pages.next();

        assertFalse(pages.hasNext());
        assertThrows(NoSuchElementException.class, pages::next);
        assertThrows(IndexOutOfBoundsException.class, () -> one.get(1));
        assertThrows(IndexOutOfBoundsException.class, () -> one.get(-1));
    }
}
