package io.muninn.coherence.weak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.coherence.weak.WeakMessages.ListReply;
import io.muninn.coherence.weak.WeakMessages.Listed;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.pool.LocalWords;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The parts of the weak protocol that have no table. */
class WeakPartsTest {
    private static final int WORD = 700;

    @Test
    void words_changeAsAtomicOnesDo() {
        LocalWords words = new LocalWords(1_000);

        assertEquals(0, words.get(WORD));
        assertEquals(0, words.getAndOr(WORD, 6));
        assertEquals(6, words.getAndAnd(WORD, 3));
        assertEquals(2, words.getAndSet(WORD, 9));
        assertFalse(words.compareAndSet(WORD, 8, 1));
        assertTrue(words.compareAndSet(WORD, 9, 1));
        assertEquals(1, words.get(WORD));
        assertEquals(0, words.get(WORD - 1));
    }

    @Test
    void list_isReadInPartsWithoutLossAndKeepsTheLastPositionOfAPage() {
        CentralList list = new CentralList();
        for (int i = 0; i < 5; i++) {
            list.append(List.of(new Listed(new PageId(0, i % 3), NodeId.of(1), true)));
        }

        ListReply first = list.read(2, 0, 2);
        ListReply rest = list.read(2, first.last(), 2);

        assertEquals(List.of(new PageId(0, 2), new PageId(0, 0)), first.pages());
        assertFalse(first.isComplete());
        assertEquals(List.of(new PageId(0, 1)), rest.pages());
        assertTrue(rest.isComplete());
        assertEquals(5, rest.last());
        assertEquals(List.of(), list.read(1, 0, 9).pages());
    }

    @Test
    void publication_isDoneOnceForEachPart() {
        Publications publications = new Publications();
        long number = publications.begin(1);
        publications.done(number, new RecordingEffects());

        assertThrows(
                IllegalStateException.class,
                () -> publications.done(number, new RecordingEffects()));
    }

    @Test
    void overtaking_joinsToTheStronger() {
        assertEquals(Overtaken.YES, Overtaken.YES.join(Overtaken.IF_WEAK));
        assertEquals(Overtaken.YES, Overtaken.NO.join(Overtaken.YES));
        assertFalse(Overtaken.IF_WEAK.isTrue(false));
        assertTrue(Overtaken.IF_WEAK.isTrue(true));
        assertFalse(Overtaken.NO.isTrue(true));
    }
}
