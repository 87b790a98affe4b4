package io.muninn.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DatedCopysetTest {
    private static final NodeId ONE = NodeId.of(1);
    private static final NodeId TWO = NodeId.of(2);

    @Test
    void copyThatIsGivenUp_isForgottenByWhoeverHears() {
        DatedCopyset before = DatedCopyset.EMPTY.with(ONE, 0).with(TWO, 0);
        DatedCopyset after = before.end(ONE);

        assertEquals(Copyset.of(TWO), after.nodes());
        assertEquals(1, after.ended(ONE));
        assertEquals(after, before.merge(after));
        assertEquals(after, after.merge(before), "an old name brings nothing back");
    }

    @Test
    void copyThatIsFetchedAgain_outlivesTheLateWordOfItsEnd() {
        DatedCopyset ended = DatedCopyset.EMPTY.with(ONE, 0).end(ONE);
        DatedCopyset again = ended.with(ONE, 1);

        assertTrue(again.merge(ended).nodes().contains(ONE));
        assertTrue(ended.merge(again).nodes().contains(ONE));
        assertEquals(again, again.with(ONE, 0), "an old request is no news");
    }

    @Test
    void knows_comparesCopies() {
        DatedCopyset second = DatedCopyset.EMPTY.with(ONE, 1);

        assertTrue(second.knows(ONE, 0));
        assertTrue(second.knows(ONE, 1));
        assertFalse(second.knows(ONE, 2));
        assertFalse(second.end(ONE).knows(ONE, 2));
        assertFalse(second.knows(TWO, 0));
    }

    @Test
    void stillHas_missesCopiesThatEnded_alsoIfOthersCameSince() {
        DatedCopyset before = DatedCopyset.EMPTY.with(ONE, 0).with(TWO, 0);

        assertTrue(before.stillHas(before));
        assertTrue(before.stillHas(DatedCopyset.EMPTY));
        assertTrue(before.with(NodeId.of(3), 0).stillHas(before));
        assertFalse(before.stillHas(before.with(NodeId.of(3), 0)));
        assertFalse(before.end(ONE).stillHas(before));
        assertFalse(before.end(ONE).with(ONE, 1).stillHas(before));
    }

    @Test
    void merging_givesTheSameInAnyOrderAndTwice() {
        Random random = new Random(5);
        for (int i = 0; i < 1_000; i++) {
            DatedCopyset a = some(random);
            DatedCopyset b = some(random);
            DatedCopyset c = some(random);

            assertEquals(a.merge(b), b.merge(a));
            assertEquals(a.merge(b).merge(c), a.merge(b.merge(c)));
            assertEquals(a.merge(b), a.merge(b).merge(b));
            assertEquals(a, a.merge(DatedCopyset.EMPTY));
            assertInOrder(a.merge(b).ended());
        }
    }

    private static DatedCopyset some(Random random) {
        DatedCopyset copies = DatedCopyset.EMPTY;
        for (int i = random.nextInt(10); i > 0; i--) {
            NodeId node = NodeId.of(random.nextInt(4));
            copies =
                    random.nextBoolean()
                            ? copies.with(node, copies.ended(node) + random.nextInt(2))
                            : copies.end(node);
        }
        return copies;
    }

    private static void assertInOrder(List<DatedCopyset.Ended> ended) {
        for (int i = 1; i < ended.size(); i++) {
            assertTrue(ended.get(i - 1).node().index() < ended.get(i).node().index());
        }
    }
}
