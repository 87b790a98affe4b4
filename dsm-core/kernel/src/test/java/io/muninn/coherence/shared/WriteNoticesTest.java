package io.muninn.coherence.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.VectorTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The write notices that are kept, sent, and dropped; on node 0, which receives from node 1. */
class WriteNoticesTest {
    private static final int MANY = 100;
    private static final NodeId SELF = NodeId.of(0);
    private static final NodeId OTHER = NodeId.of(1);
    private static final NodeId THIRD = NodeId.of(2);
    private static final VectorTimestamp NONE = VectorTimestamp.zero(NodeId.LIVE_MAX);

    private final FakeContext context = new FakeContext(0, Protocol.HOME_BASED);
    private final FakeContext contextOfOther = new FakeContext(1, Protocol.HOME_BASED);
    private final WriteNotices notices = new WriteNotices(context);
    private final WriteNotices ofOther = new WriteNotices(contextOfOther);

    private static List<PageId> pages(int... indices) {
        return IntStream.of(indices).mapToObj(index -> new PageId(0, index)).toList();
    }

    /** A node ends its next interval. */
    private static void store(FakeContext at, WriteNotices to, int... indices) {
        at.clock().stored();
        to.add(pages(indices));
        long interval = at.clock().interval();
        at.clock().endInterval();
        at.clock().onReleasePerformed(interval);
    }

    private Bytes sentByOther() {
        Bytes cargo = ofOther.forMessage(SELF);
        notices.deposit(OTHER, cargo);
        context.clock().onDeposited(contextOfOther.clock().have());
        return cargo;
    }

    private static VectorTimestamp upTo(long ofSelf, long ofOther) {
        return NONE.with(SELF, ofSelf).with(OTHER, ofOther);
    }

    @Test
    void noticesOfManyNodes_keepTheirTimestamps_inFewBytes() {
        List<FakeContext> contexts = new ArrayList<>();
        List<WriteNotices> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            FakeContext at = new FakeContext(i, Protocol.LAZY, 16, Home.BANDED, 1, MANY);
            contexts.add(at);
            all.add(new WriteNotices(at, WriteNotices.Order.TIMESTAMPS));
        }
        for (int round = 0; round < 2; round++) { // as at a barrier, of which node 0 is the root
            for (int i = 0; i < MANY; i++) {
                store(contexts.get(i), all.get(i), i % 16);
                all.getFirst().deposit(NodeId.of(i), all.get(i).forMessage(SELF));
            }
            VectorTimestamp known = ofAll(round + 1);
            for (int i = 0; i < MANY; i++) {
                if (i > 0) {
                    contexts.getFirst().clock().onDeposited(known);
                    Bytes cargo = all.getFirst().forMessage(NodeId.of(i));
                    assertTrue(cargo.length() < 20 * MANY, cargo.length() + " bytes");
                    all.get(i).deposit(SELF, cargo);
                }
                contexts.get(i).clock().onDeposited(known);
                contexts.get(i).clock().onAcquirePerformed(known);
            }
        }
        for (int i = 0; i < MANY; i++) {
            NodeId writer = NodeId.of(i);
            for (WriteNotices at : List.of(all.get(1), all.getLast())) {
                Notice second = at.of(writer, 2);
                assertEquals(ofAll(1).with(writer, 2), second.timestamp());
                assertEquals(pages(i % 16), second.pages());
            }
        }
    }

    private static VectorTimestamp ofAll(long interval) {
        VectorTimestamp all = VectorTimestamp.zero(MANY);
        for (int i = 0; i < MANY; i++) {
            all = all.with(NodeId.of(i), interval);
        }
        return all;
    }

    @Test
    void collected_dropsWhatIsCovered_andNothingElse() {
        store(context, notices, 1, 2);
        long first = notices.bytes();
        store(context, notices, 3);
        store(contextOfOther, ofOther, 4);
        sentByOther();
        long three = notices.bytes();

        notices.drop(upTo(1, 0));
        assertEquals(three - first, notices.bytes());
        assertEquals(
                List.of(new Notice(OTHER, 1, NONE.with(OTHER, 1), pages(4))),
                notices.between(NONE, upTo(2, 1)));

        notices.drop(upTo(2, 1));
        assertEquals(0, notices.bytes());
        assertEquals(List.of(), notices.between(NONE, upTo(2, 1)));
    }

    @Test
    void bytes_countEachNoticeOnce() {
        store(contextOfOther, ofOther, 1);
        Bytes cargo = sentByOther();
        long once = notices.bytes();

        notices.deposit(OTHER, cargo);

        assertTrue(once > 0);
        assertEquals(once, notices.bytes());
    }

    @Test
    void bytes_growWithPages() {
        store(context, notices, 1);
        long one = notices.bytes();
        store(contextOfOther, ofOther, 1, 2, 3);

        assertTrue(ofOther.bytes() > one, ofOther.bytes() + " bytes");
    }

    @Test
    void collected_isNotSentAgain_andLaterNoticesAre() {
        store(context, notices, 1);
        store(context, notices, 2);
        notices.drop(upTo(1, 0));

        WriteNotices third = new WriteNotices(new FakeContext(2, Protocol.HOME_BASED));
        third.deposit(SELF, notices.forMessage(THIRD));

        assertEquals(
                List.of(new Notice(SELF, 2, NONE.with(SELF, 2), pages(2))),
                third.between(NONE, upTo(2, 0)));
    }

    @Test
    void lateCopyOfACollectedNotice_isDroppedByTheNextCollection() {
        store(contextOfOther, ofOther, 1);
        Bytes late = sentByOther();
        notices.drop(upTo(0, 1));

        notices.deposit(OTHER, late);
        notices.drop(upTo(0, 2));

        assertEquals(0, notices.bytes());
    }

    @Test
    void manyIntervals_leaveNothingBehindTheirCollections() {
        int intervals = 100_000;
        int collectedEvery = 1_000;
        long most = 0;
        for (int i = 1; i <= intervals; i++) {
            store(contextOfOther, ofOther, i % 16);
            sentByOther();
            most = Math.max(most, notices.bytes());
            if (i % collectedEvery == 0) {
                notices.drop(upTo(0, i));
                ofOther.drop(upTo(0, i));
            }
        }

        assertEquals(0, notices.bytes());
        assertEquals(0, ofOther.bytes());
        long perNotice = most / collectedEvery;
        assertEquals(0, most % perNotice);
    }
}
