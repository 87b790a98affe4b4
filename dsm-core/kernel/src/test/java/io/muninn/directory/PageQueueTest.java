package io.muninn.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PageQueueTest {
    private static PageId page(int index) {
        return new PageId(index % 3, index);
    }

    @Test
    void pagesComeOut_inOrder_eachOnce() {
        PageQueue queue = new PageQueue();
        queue.add(page(5));
        queue.add(page(1));
        queue.add(page(5));

        assertEquals(List.of(page(5), page(1)), queue.take());
        assertTrue(queue.isEmpty());
        assertFalse(queue.contains(page(5)));
    }

    @Test
    void pageThatCameBack_isBehindTheOthers() {
        PageQueue queue = new PageQueue();
        queue.add(page(1));
        queue.add(page(2));
        queue.remove(page(1));
        queue.add(page(1));

        assertEquals(List.of(page(2), page(1)), queue.take());
    }

    @Test
    void doesWhatALinkedHashSetDoes() {
        Random random = new Random(7);
        PageQueue queue = new PageQueue();
        LinkedHashSet<PageId> oracle = new LinkedHashSet<>();
        for (int i = 0; i < 100_000; i++) {
            PageId page = page(random.nextInt(2_000));
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> {
                    queue.add(page);
                    oracle.add(page);
                }
                case 4, 5, 6 -> {
                    queue.remove(page);
                    oracle.remove(page);
                }
                default -> {
                    if (random.nextInt(100) == 0) {
                        assertEquals(new ArrayList<>(oracle), queue.take());
                        oracle.clear();
                    }
                }
            }
            assertEquals(oracle.contains(page), queue.contains(page));
            assertEquals(oracle.isEmpty(), queue.isEmpty());
        }
        assertEquals(new ArrayList<>(oracle), queue.take());
    }
}
