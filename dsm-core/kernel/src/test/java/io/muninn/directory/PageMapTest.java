package io.muninn.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.muninn.model.PageId;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PageMapTest {
    private static final int STEPS = 200_000;

    @Test
    void pageThatWasNeverNamed_hasNoValue() {
        PageMap<String> map = new PageMap<>();
        map.put(new PageId(2, 5), "here");

        assertNull(map.get(new PageId(0, 0)));
        assertNull(map.get(new PageId(1, 0)), "a region before the last");
        assertNull(map.get(new PageId(2, 4)));
        assertNull(map.get(new PageId(2, 1 << 20)), "a chunk behind the last");
        assertNull(map.get(new PageId(9, 0)), "a region behind the last");
        assertNull(map.remove(new PageId(9, 0)));
        assertEquals("here", map.get(new PageId(2, 5)));
    }

    @Test
    void randomSteps_areThoseOfAHashTable() {
        Random random = new Random(1);
        PageMap<Integer> map = new PageMap<>();
        Map<PageId, Integer> oracle = new HashMap<>();

        for (int step = 0; step < STEPS; step++) {
            int index = random.nextInt(1 << random.nextInt(1, 14));
            PageId page = new PageId(random.nextInt(4), index);
            switch (random.nextInt(3)) {
                case 0 -> assertEquals(oracle.get(page), map.get(page));
                case 1 -> assertEquals(oracle.remove(page), map.remove(page));
                default -> {
                    oracle.put(page, step);
                    map.put(page, step);
                }
            }
        }
    }
}
