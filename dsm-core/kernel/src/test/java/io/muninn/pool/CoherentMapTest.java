package io.muninn.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.pool.CoherentMap.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

class CoherentMapTest {
    private static final int PAGES = 70;
    private static final int NODES = 3;
    private static final int PAGE = 66; // of the second leaf
    private static final PoolRules RULES = new PoolRules(false, 2, 2);

    private CoherentMap map = map(RULES);

    private static CoherentMap map(PoolRules rules) {
        PoolLayout layout = new PoolLayout(PAGES, NODES);
        return new CoherentMap(layout, rules, new Words(layout.words()));
    }

    private record Words(AtomicLongArray words) implements PoolWords {
        Words(int count) {
            this(new AtomicLongArray(count));
        }

        @Override
        public long get(int word) {
            return words.get(word);
        }

        @Override
        public long getAndOr(int word, long bits) {
            return words.getAndUpdate(word, before -> before | bits);
        }

        @Override
        public long getAndAnd(int word, long bits) {
            return words.getAndUpdate(word, before -> before & bits);
        }

        @Override
        public long getAndSet(int word, long value) {
            return words.getAndSet(word, value);
        }

        @Override
        public boolean compareAndSet(int word, long expected, long value) {
            return words.compareAndSet(word, expected, value);
        }
    }

    private List<Integer> list(int node) {
        List<Integer> listed = new ArrayList<>();
        map.takeList(node, listed::add);
        return listed;
    }

    @Test
    void stateFollowsFromMappersAndWriters() {
        assertEquals(State.UNCACHED, map.state(PAGE));
        map.enter(0, PAGE);
        assertEquals(State.SHARED, map.state(PAGE));
        map.publish(0, PAGE);
        assertEquals(State.DIRTY, map.state(PAGE));
        map.enter(1, PAGE);
        assertEquals(State.WEAK, map.state(PAGE));
        map.leave(0, PAGE);
        assertEquals(State.SHARED, map.state(PAGE));
        map.leave(1, PAGE);
        assertEquals(State.UNCACHED, map.state(PAGE));
        assertEquals(State.UNCACHED, map.state(PAGE - 1));
    }

    @Test
    void publication_isOnTheListsOfOtherMappersOnce() {
        map.enter(0, PAGE);
        map.enter(1, PAGE);
        map.enter(1, 3);

        assertFalse(map.publish(0, PAGE));
        map.publish(0, PAGE);

        assertEquals(List.of(), list(0));
        assertEquals(List.of(PAGE), list(1));
        assertEquals(List.of(), list(1));
        assertEquals(List.of(), list(2));
    }

    @Test
    void copyOfAPublishedPage_isCurrent() {
        map.enter(0, PAGE);
        map.publish(0, PAGE);

        assertFalse(map.enter(1, PAGE));

        assertEquals(List.of(), list(1));
        assertEquals(List.of(), list(0));
    }

    @Test
    void listsAtTransitions_haveTheWriterAndWhoMapsTheWeakPage() {
        map = map(new PoolRules(true, 2, 2));
        map.enter(0, PAGE);
        map.publish(0, PAGE);

        map.enter(1, PAGE);

        assertEquals(List.of(PAGE), list(0));
        assertEquals(List.of(PAGE), list(1));
    }

    @Test
    void unsafePage_sendsNoNoticesAndIsCheckedByWriterAndLaterMappers() {
        map.enter(0, PAGE);
        map.enter(1, PAGE);
        assertFalse(map.publish(0, PAGE));
        assertFalse(map.publish(0, PAGE));
        assertTrue(map.publish(0, PAGE)); // the third marks it
        assertTrue(map.isUnsafe(PAGE));
        assertEquals(List.of(PAGE), list(1));
        map.leave(1, PAGE);
        assertTrue(map.enter(1, PAGE));

        map.publish(0, PAGE);

        assertEquals(List.of(), list(1));
        assertTrue(map.check(1, PAGE));
        assertFalse(map.check(0, PAGE));
    }

    @Test
    void unsafePage_isSafeBehindChecksThatFoundNothing() {
        map = map(new PoolRules(false, 1, 2));
        map.enter(0, PAGE);
        map.enter(1, PAGE);
        map.publish(0, PAGE);
        map.publish(0, PAGE);

        map.check(0, PAGE);
        assertTrue(map.isUnsafe(PAGE));
        map.check(0, PAGE);

        assertFalse(map.isUnsafe(PAGE));
    }

    @Test
    void staleCopy_restartsTheChecks() {
        map = map(new PoolRules(false, 1, 2));
        map.enter(0, PAGE);
        map.enter(1, PAGE);
        map.publish(0, PAGE);
        map.publish(0, PAGE);
        map.publish(0, PAGE); // unsafe, for node 1 in the map
        map.check(0, PAGE);

        assertTrue(map.check(1, PAGE));
        map.check(0, PAGE);

        assertTrue(map.isUnsafe(PAGE));
    }

    /** The writer has left: what it has published is still unknown to the other mapper. */
    @Test
    void publicationOfANodeThatHasLeft_isStillFound() {
        map = map(new PoolRules(false, 1, 9));
        map.enter(0, PAGE);
        map.enter(1, PAGE);
        map.publish(0, PAGE);
        map.publish(0, PAGE);
        list(1);
        map.leave(1, PAGE);
        map.enter(1, PAGE);
        map.publish(0, PAGE);
        map.leave(0, PAGE);

        assertEquals(State.SHARED, map.state(PAGE));
        assertTrue(map.check(1, PAGE));
    }

    @Test
    void home_findsEachEntryOnce() {
        CoherentMap map = map(new PoolRules(false, 2, 1));
        map.enter(1, PAGE);
        map.tellHome(0, PAGE);
        map.tellHome(0, PAGE);
        assertTrue(map.isEntered(0, PAGE));
        assertEquals(List.of(PAGE), entered(map, 0));
        assertEquals(List.of(), entered(map, 0));
    }

    private static List<Integer> entered(CoherentMap map, int home) {
        List<Integer> pages = new ArrayList<>();
        map.takeEntered(home, PAGE + 1, pages::add);
        return pages;
    }

    @Test
    void layout_hasNoWordTwice() {
        PoolLayout layout = new PoolLayout(64 * 64 + 1, 64);

        assertEquals(2, layout.summaries());
        assertEquals(4 * 4097 + 2 * 64 * (2 + 65), layout.words());
        assertEquals(layout.words() - 1, layout.leaf(layout.entered(63), 64));
        assertEquals(layout.leaf(layout.weak(62), 64) + 1, layout.summary(layout.weak(63), 0));
        assertEquals(layout.leaf(layout.weak(63), 64) + 1, layout.summary(layout.entered(0), 0));
        assertThrows(IllegalArgumentException.class, () -> new PoolLayout(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new PoolLayout(1, 0));
        assertThrows(IllegalArgumentException.class, () -> new PoolRules(false, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> new PoolRules(false, 1, 0));
    }
}
