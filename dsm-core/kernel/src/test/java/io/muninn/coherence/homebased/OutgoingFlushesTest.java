package io.muninn.coherence.homebased;

import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.coherence.homebased.HomeBasedMessages.FlushedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFlush;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.MessageLimits;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The flushes of node 1 to the homes on nodes 2 and 3. A message has 3 pages, or is full with 100
 * bytes; an acknowledgement is requested at 200 bytes, and the window is 800 bytes.
 */
class OutgoingFlushesTest {
    private static final int MESSAGE = 100;
    private static final int ACKNOWLEDGED = 2 * MESSAGE;
    private static final int WINDOW = 4 * ACKNOWLEDGED;
    private static final NodeId HOME = node(2);
    private static final NodeId OTHER = node(3);

    private final RecordingEffects out = new RecordingEffects();
    private final OutgoingFlushes flushes =
            new OutgoingFlushes(node(1), new MessageLimits(3, MESSAGE, 1, WINDOW));
    private int pages;

    /** Adds a page of interval 1 with a diff of {@code bytes} bytes. */
    private int add(int bytes) {
        return add(HOME, 1, bytes);
    }

    private int add(NodeId home, long interval, int bytes) {
        flushes.add(home, new PageId(0, pages), interval, bytes);
        return pages++;
    }

    private static HomeFlush flush(long interval, boolean acknowledge, FlushedPage... flushed) {
        return new HomeFlush(node(1), interval, acknowledge, List.of(flushed));
    }

    private static FlushedPage changed(int page, long interval) {
        PageId id = new PageId(0, page);
        return new FlushedPage(id, new Payload.SavedDiff(id, interval));
    }

    private static FlushedPage equal(int page) {
        return new FlushedPage(new PageId(0, page), Payload.NONE);
    }

    private static Effect drop(int page, long interval) {
        return new Effect.DropDiff(new PageId(0, page), interval);
    }

    private void expectSent(Object... effects) {
        flushes.send(out);
        assertEquals(List.of(effects), out.take());
    }

    /** Sends, and returns how many pages each message has. */
    private List<Integer> sizes() {
        flushes.send(out);
        return takeSizes();
    }

    private List<Integer> takeSizes() {
        List<Integer> sizes = new ArrayList<>();
        for (Object each : out.take()) {
            if (each instanceof Effect.Send(NodeId _, HomeFlush flush)) {
                sizes.add(flush.flushed().size());
            }
        }
        return sizes;
    }

    private List<Integer> acknowledged() {
        flushes.acknowledged(HOME, out);
        return takeSizes();
    }

    /** Adds diffs that fill the window, each in a message of its own. */
    private void fillWindow() {
        for (int sent = 0; sent < WINDOW; sent += MESSAGE) {
            add(MESSAGE);
        }
        flushes.send(out);
        out.take();
    }

    // messages

    @Test
    void pagesOfAnInterval_goTogetherAndTheirDiffsAreDropped() {
        int first = add(10);
        int second = add(0);
        int third = add(20);

        expectSent(
                send(2, flush(1, false, changed(first, 1), equal(second), changed(third, 1))),
                drop(first, 1),
                drop(third, 1));
        expectSent();
    }

    @Test
    void intervalsAndHomes_haveMessagesOfTheirOwn() {
        int first = add(HOME, 1, 10);
        int elsewhere = add(OTHER, 1, 10);
        int later = add(HOME, 2, 10);

        expectSent(
                send(2, flush(1, false, changed(first, 1))),
                drop(first, 1),
                send(2, flush(2, false, changed(later, 2))),
                drop(later, 2),
                send(3, flush(1, false, changed(elsewhere, 1))),
                drop(elsewhere, 1));
    }

    @Test
    void message_hasSoManyPages() {
        for (int i = 0; i < 7; i++) {
            add(0);
        }

        assertEquals(List.of(3, 3, 1), sizes());
    }

    @Test
    void messageWithSoManyBytes_isFull() {
        add(MESSAGE - 1); // not full yet
        add(1);
        add(MESSAGE);
        add(1);

        assertEquals(List.of(2, 1, 1), sizes());
    }

    // the window

    @Test
    void acknowledgement_isAskedForWithSoManyBytes() {
        int first = add(ACKNOWLEDGED - 1);
        int second = add(1);
        int third = add(1);

        expectSent(
                send(2, flush(1, false, changed(first, 1))),
                drop(first, 1),
                send(2, flush(1, true, changed(second, 1), changed(third, 1))),
                drop(second, 1),
                drop(third, 1));
    }

    @Test
    void bytesOfEachHome_areCountedAlone() {
        add(HOME, 1, ACKNOWLEDGED - 1);
        int first = add(OTHER, 1, ACKNOWLEDGED - 1);
        flushes.send(out);
        assertEquals(send(3, flush(1, false, changed(first, 1))), out.take().get(2));
    }

    @Test
    void windowThatIsNotFull_letsOneMoreMessageGo() {
        add(WINDOW - 1);
        add(MESSAGE);
        add(0);

        assertEquals(List.of(1, 1), sizes());
    }

    @Test
    void fullWindow_stopsTheRestUntilAnAcknowledgement() {
        add(WINDOW);
        add(1);

        assertEquals(List.of(1), sizes());
        assertEquals(List.of(), sizes());
        assertEquals(List.of(1), acknowledged());
    }

    @Test
    void fullWindowOfOneHome_stopsNoOther() {
        fillWindow();
        add(1);
        add(OTHER, 1, 1);

        assertEquals(List.of(1), sizes());
    }

    @Test
    void eachAcknowledgement_opensTheWindowByWhatItEnds() {
        fillWindow();
        for (int i = 0; i < 6; i++) {
            add(MESSAGE);
        }

        assertEquals(List.of(), sizes());
        assertEquals(List.of(1, 1), acknowledged());
        assertEquals(List.of(1, 1), acknowledged());
        assertEquals(List.of(1, 1), acknowledged());
    }

    @Test
    void order_isKeptOverAnAcknowledgement() {
        fillWindow();
        int first = add(HOME, 2, 1);
        int second = add(HOME, 3, 1);
        flushes.acknowledged(HOME, out);

        assertEquals(
                List.of(
                        send(2, flush(2, false, changed(first, 2))),
                        drop(first, 2),
                        send(2, flush(3, false, changed(second, 3))),
                        drop(second, 3)),
                out.take());
    }

    @Test
    void acknowledgementThatNobodyAwaits_isImpossible() {
        add(ACKNOWLEDGED);
        flushes.send(out);
        flushes.acknowledged(HOME, out);

        assertThrows(IllegalStateException.class, () -> flushes.acknowledged(HOME, out));
        assertThrows(IllegalStateException.class, () -> flushes.acknowledged(OTHER, out));
    }

    @Test
    void smallestWindow_letsOneMessageGoAtATime() {
        OutgoingFlushes narrow = new OutgoingFlushes(node(1), new MessageLimits(1, 1, 1, 1));
        for (int i = 0; i < 3; i++) {
            narrow.add(HOME, new PageId(0, i), 1, 12);
        }
        narrow.send(out);
        assertEquals(List.of(1), takeSizes());
        narrow.acknowledged(HOME, out);
        assertEquals(List.of(1), takeSizes());
        narrow.acknowledged(HOME, out);
        assertEquals(List.of(1), takeSizes());
        narrow.acknowledged(HOME, out);
        assertEquals(List.of(), takeSizes());
    }
}
