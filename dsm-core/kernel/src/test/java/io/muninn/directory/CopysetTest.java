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
import org.junit.jupiter.api.Test;

class CopysetTest {
    private static final NodeId FIRST = NodeId.of(0);
    private static final NodeId LAST = NodeId.of(NodeId.NODES_MAX - 1);

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
