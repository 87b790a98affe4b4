package io.muninn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A map of many nodes does what one of few nodes does. */
class ManyNodesMapTest {
    private static final int PAGES = 130;
    private static final int FEW = 6;
    private static final int MANY = 1024;
    private static final int[] PLACES = {0, 63, 64, 500, 1000, 1023};
    private static final int OPERATIONS = 20_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void mapOfManyNodes_isThatOfFew(boolean listsAtTransition) {
        PoolRules rules = new PoolRules(listsAtTransition, 3, 3);
        PoolLayout small = new PoolLayout(PAGES, FEW);
        PoolLayout large = new PoolLayout(PAGES, MANY);
        CoherentMap few = new CoherentMap(small, rules, new LocalWords(small.words()));
        CoherentMap many = new CoherentMap(large, rules, new LocalWords(large.words()));
        Random random = new Random(64);
        for (int i = 0; i < OPERATIONS; i++) {
            int node = random.nextInt(FEW);
            int place = PLACES[node];
            int page = random.nextInt(4) * 43;
            switch (random.nextInt(6)) {
                case 0, 1 -> assertEquals(few.enter(node, page), many.enter(place, page));
                case 2, 3 -> assertEquals(few.publish(node, page), many.publish(place, page));
                case 4 -> assertEquals(few.check(node, page), many.check(place, page));
                default -> {
                    few.leave(node, page);
                    many.leave(place, page);
                }
            }
            assertEquals(few.state(page), many.state(page));
            for (int each = 0; each < FEW; each++) {
                assertEquals(few.isMapper(each, page), many.isMapper(PLACES[each], page));
                assertEquals(few.isStale(each, page), many.isStale(PLACES[each], page));
                assertEquals(few.isListed(each, page), many.isListed(PLACES[each], page));
            }
            if (random.nextInt(20) == 0) {
                assertEquals(list(few, node), list(many, place));
            }
        }
    }

    private static List<Integer> list(CoherentMap map, int node) {
        List<Integer> pages = new ArrayList<>();
        map.takeList(node, pages::add);
        return pages;
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 1024})
    void poolOfManyNodes_isRefused(int nodes) {
        PoolLayout layout = new PoolLayout(1, nodes);
        LocalWords words = new LocalWords(layout.words());
        PoolRules rules = new PoolRules(false, 3, 3);
        assertThrows(IllegalArgumentException.class, () -> new CheckedWords(layout, rules, words));
    }
}
