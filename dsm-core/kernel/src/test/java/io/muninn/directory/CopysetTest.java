package io.muninn.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

class CopysetTest {
    private static final NodeId FIRST = NodeId.of(0);
    private static final NodeId LAST = NodeId.of(NodeId.LIVE_MAX - 1);

    @Test
    void nodes_comeBackInOrder() {
        List<NodeId> nodes = new ArrayList<>();

        Copyset.of(LAST).with(NodeId.of(7)).with(FIRST).with(FIRST).forEach(nodes::add);

        assertEquals(List.of(FIRST, NodeId.of(7), LAST), nodes);
    }

    @Test
    void unionAndMinus_areThoseOfSets() {
        Copyset low = Copyset.of(FIRST).with(NodeId.of(1));
        Copyset high = Copyset.of(NodeId.of(1)).with(LAST);

        assertEquals(Copyset.of(FIRST).with(NodeId.of(1)).with(LAST), low.union(high));
        assertEquals(Copyset.of(FIRST), low.minus(high));
        assertEquals(Copyset.EMPTY, low.minus(low));
    }

    @Test
    void nodeTakenOut_isNotContained() {
        Copyset both = Copyset.of(FIRST).with(LAST);

        assertTrue(both.contains(LAST));
        assertFalse(both.without(LAST).contains(LAST));
        assertEquals(both, both.without(NodeId.of(5)));
        assertEquals(2, both.count());
        assertTrue(both.without(LAST).without(FIRST).isEmpty());
    }

    @Test
    void setsOfManyNodes_areSets() {
        Random random = new Random(1024);
        Copyset some = Copyset.EMPTY;
        TreeSet<NodeId> sameAsSome = new TreeSet<>();
        Copyset before = some;
        TreeSet<NodeId> sameAsBefore = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            NodeId node = NodeId.of(random.nextInt(NodeId.NODES_MAX >> random.nextInt(7)));
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    some = some.with(node);
                    sameAsSome.add(node);
                }
                case 2 -> {
                    some = some.without(node);
                    sameAsSome.remove(node);
                }
                case 3 -> {
                    some = some.union(before);
                    sameAsSome.addAll(sameAsBefore);
                }
                case 4 -> {
                    some = some.minus(before);
                    sameAsSome.removeAll(sameAsBefore);
                }
                default -> {
                    before = some;
                    sameAsBefore = new TreeSet<>(sameAsSome);
                }
            }
            assertEquals(sameAsSome.contains(node), some.contains(node));
            assertEquals(sameAsSome.size(), some.count());
            assertEquals(sameAsSome.isEmpty(), some.isEmpty());
            if (i % 100 == 0) {
                assertEquals(List.copyOf(sameAsSome), nodes(some));
                Copyset built = nodes(some).stream().reduce(Copyset.EMPTY, Copyset::with, ALONE);
                assertEquals(built, some);
                assertEquals(built.hashCode(), some.hashCode());
            }
        }
    }

    private static final BinaryOperator<Copyset> ALONE =
            (one, other) -> {
                throw new AssertionError(one + " and " + other);
            };

    private static List<NodeId> nodes(Copyset set) {
        List<NodeId> nodes = new ArrayList<>();
        set.forEach(nodes::add);
        return nodes;
    }

    @Test
    void wordsOfASet_areThoseItIsMadeOf() {
        Copyset set = Copyset.ofWords(5, 0, 1L << 63, 0);

        assertEquals(3, set.words());
        assertEquals("{0,2,191}", set.toString());
        assertEquals(1L << 63, set.word(2));
        assertEquals(0, set.word(7));
        assertEquals(Copyset.ofWords(5), set.without(NodeId.of(191)));
        assertEquals(1, Copyset.ofWords(0, 0).words());
    }

    @Test
    void iteratorAtItsEnd_throws() {
        Iterator<NodeId> iterator = Copyset.EMPTY.iterator();

        assertFalse(iterator.hasNext());
        assertThrows(NoSuchElementException.class, iterator::next);
    }

    @Test
    void text_listsTheNodes() {
        assertEquals("{0,63}", Copyset.of(FIRST).with(LAST).toString());
    }
}
