package io.muninn.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.coherence.homebased.HomeBasedMessages.Copy;
import io.muninn.coherence.homebased.HomeBasedMessages.GrantedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFound;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeGrant;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionReply;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionRequest;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.coherence.migratory.Migratory;
import io.muninn.coherence.readonly.ReadOnly;
import io.muninn.coherence.writeshared.WriteSharedMessages.AheadReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateAck;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateRequest;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolMessage.Reply;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The properties of messages that checkers use for any protocol. */
class MessageRolesTest {
    private static final NodeId SENDER = NodeId.of(1);
    private static final NodeId ASKER = NodeId.of(2);
    private static final PageId PAGE = new PageId(0, 3);
    private static final PageId NEXT = new PageId(0, 4);
    private static final Payload IMAGE = new Payload.PageImage(PAGE);

    @Test
    void forwardedRequests_nameTheAskerAndOthersAreOfTheirSender() {
        assertEquals(ASKER, new Conventional.ReadRequest(PAGE, ASKER, 1).askedBy(SENDER));
        assertEquals(ASKER, new Migratory.PageRequest(PAGE, ASKER, 1).askedBy(SENDER));
        assertEquals(ASKER, new VersionRequest(ASKER, List.of()).askedBy(SENDER));
        assertEquals(SENDER, new ReadOnly.CopyRequest(PAGE).askedBy(SENDER));
    }

    @Test
    void replies_haveTheImageOfEachOfTheirPages() {
        ReadOnly.CopiesReply reply =
                new ReadOnly.CopiesReply(
                        List.of(
                                new ReadOnly.CopyReply(NEXT, Payload.NONE),
                                new ReadOnly.CopyReply(PAGE, IMAGE)));

        assertEquals(IMAGE, reply.imageOf(PAGE));
        assertEquals(Payload.NONE, reply.imageOf(NEXT));
        assertThrows(IllegalArgumentException.class, () -> reply.imageOf(new PageId(0, 5)));
        VersionReply versions =
                new VersionReply(
                        List.of(
                                new Copy(NEXT, AppliedDiffs.EMPTY, Payload.NONE),
                                new Copy(PAGE, AppliedDiffs.EMPTY, IMAGE)));
        HomeGrant grant =
                new HomeGrant(
                        List.of(new GrantedPage(NEXT, Payload.NONE), new GrantedPage(PAGE, IMAGE)));
        for (Reply each : List.of(versions, grant)) {
            assertEquals(IMAGE, each.imageOf(PAGE));
            assertEquals(Payload.NONE, each.imageOf(NEXT));
            assertThrows(IllegalArgumentException.class, () -> each.imageOf(new PageId(0, 5)));
        }
        assertEquals(IMAGE, new Conventional.ReadReply(PAGE, 1, 1, IMAGE).imageOf(PAGE));
        assertEquals(IMAGE, new Migratory.PageMove(PAGE, 1, List.of(), IMAGE).imageOf(PAGE));
    }

    @Test
    void ownership_isGivenByGrantsMovesAndPagesHandedOver() {
        AheadReply ahead = new AheadReply(List.of(reply(NEXT, false), reply(PAGE, true)));

        assertTrue(ahead.givesOwnership(PAGE));
        assertFalse(ahead.givesOwnership(NEXT));
        assertTrue(new HomeGrant(List.of()).givesOwnership(PAGE));
        assertFalse(new VersionReply(List.of()).givesOwnership(PAGE));
        assertTrue(new Migratory.PageMove(PAGE, 1, List.of(), IMAGE).givesOwnership(PAGE));
        assertTrue(
                new Conventional.WriteGrant(PAGE, 1, 1, Copyset.EMPTY, List.of(), IMAGE)
                        .givesOwnership(PAGE));
        assertFalse(new Conventional.ReadReply(PAGE, 1, 1, IMAGE).givesOwnership(PAGE));
    }

    @Test
    void tableEvents_areColumnsOfTheTables() {
        assertEquals("InvalidateAck", new Conventional.InvalidateAck(PAGE, 1).tableEvent());
        assertEquals("CopyReply", new ReadOnly.CopiesReply(List.of()).tableEvent());
        assertEquals("FetchReply", new AheadReply(List.of()).tableEvent());
        assertEquals("", new HomeFound(1, List.of(PAGE)).tableEvent());
        assertEquals("", new UpdateAck(1, List.of()).tableEvent());
        assertEquals("", new UpdateRequest(1, List.of(PAGE)).tableEvent());
    }

    private static FetchReply reply(PageId page, boolean handsOver) {
        return new FetchReply(page, handsOver, DatedCopyset.EMPTY, AppliedDiffs.EMPTY, IMAGE);
    }
}
