package io.muninn.coherence.writeshared;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.writeshared.WriteSharedState.HAND_OVER;
import static io.muninn.coherence.writeshared.WriteSharedState.REPLY;
import static io.muninn.coherence.writeshared.WriteSharedState.acknowledgement;
import static io.muninn.coherence.writeshared.WriteSharedState.copyset;
import static io.muninn.coherence.writeshared.WriteSharedState.offer;
import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.writeshared.WriteSharedMessages.AheadReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.AheadRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.WantedPage;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.kernel.Counted;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Read-ahead of write-shared pages: the row Ahead and the column AheadRequest of {@link
 * WriteShared}'s table. It begins with the first fault.
 */
class PagesAheadTest {
    private static final UpdateRules RULES =
            new UpdateRules(1_000, UpdateRules.ALL_DIRECT).withReadAhead(new ReadAheadRules(4, 1));

    private static final Update UPDATE =
            new Update(7, List.of(new PageDiff(offer(PAGE, copyset(0, 1)), IMAGE)));

    private final RecordingEffects out = new RecordingEffects();

    private static Subject<Msg> on(int self) {
        Subject<Msg> subject = new Subject<>(self, Protocol.WRITE_SHARED, WriteShared::new);
        subject.context.updates(RULES);
        return subject;
    }

    /** Page 3 is requested ahead, with 4 to 6, by a fault on page 2. */
    private Subject<Msg> ahead() {
        Subject<Msg> subject = on(1);
        subject.protocol.onReadFault(new PageId(0, 2), out);
        out.take();
        return subject;
    }

    /** The requested page has arrived. */
    private Subject<Msg> unopened() {
        return ahead().message(0, REPLY).quietly();
    }

    private static AheadRequest request(int asker, int... pages) {
        return new AheadRequest(
                node(asker),
                IntStream.of(pages).mapToObj(i -> new WantedPage(new PageId(0, i), 0)).toList());
    }

    private static FetchReply reply(int page, DatedCopyset copies) {
        Payload image = new Payload.PageImage(new PageId(0, page));
        return new FetchReply(
                new PageId(0, page),
                copies.equals(DatedCopyset.EMPTY),
                copies,
                AppliedDiffs.EMPTY,
                image);
    }

    private static AheadReply replies(DatedCopyset copies, int... pages) {
        return new AheadReply(IntStream.of(pages).mapToObj(i -> reply(i, copies)).toList());
    }

    private static Effect installOf(int page) {
        PageId id = new PageId(0, page);
        return new Effect.InstallPage(FIRST, id, new Payload.PageImage(id), PageAccess.NONE);
    }

    private static Effect resumeOf(int page, PageAccess access) {
        return new Effect.ResumeFault(FIRST, new PageId(0, page), access);
    }

    @Test
    void faultOnAbsentPage_asksForItAndInOneMessageForThoseBehind() {
        on(1).readFault()
                .expect(
                        send(0, new FetchRequest(PAGE, node(1), 0)),
                        new Counted(NodeCounter.PAGES_AHEAD, 4),
                        send(0, request(1, 4, 5, 6, 7)));
    }

    @Test
    void faultOnAPageAskedForAhead_waitsForTheReply() {
        ahead().readFault()
                .expect(count(NodeCounter.PAGES_AHEAD), send(0, request(1, 7)))
                .message(0, REPLY)
                .expect(
                        install(PageAccess.NONE),
                        resume(PageAccess.READ),
                        count(NodeCounter.PAGES_FETCHED));
        ahead().writeFault()
                .quietly()
                .message(0, REPLY)
                .expect(
                        install(PageAccess.NONE),
                        count(NodeCounter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE),
                        count(NodeCounter.PAGES_FETCHED));
    }

    /** The image would lack stores of this node that the holder has not received yet. */
    @Test
    void pageWhoseOwnUpdateIsUnderWay_isNotAskedForAhead() {
        Subject<Msg> subject =
                UpdateTimeoutState.clean(RULES) // and 4 to 7 are requested
                        .writeFault()
                        .quietly()
                        .release(UpdateTimeoutState.ELAPSED)
                        .saved(1, 5)
                        .quietly()
                        .message(2, UpdateTimeoutState.UPDATE)
                        .quietly()
                        .passNanos(UpdateTimeoutState.WINDOW_NANOS)
                        .message(2, UpdateTimeoutState.UPDATE)
                        .quietly();
        assertEquals("Absent", subject.protocol.snapshot(PAGE).state());

        subject.protocol.onReadFault(new PageId(0, 2), out);

        assertEquals(List.of(send(0, new FetchRequest(new PageId(0, 2), node(1), 0))), out.take());
    }

    @Test
    void replyAhead_isInstalledWithoutAccessAndWakesNobody() {
        ahead().message(0, REPLY)
                .expect(install(PageAccess.NONE), count(NodeCounter.PAGES_FETCHED))
                .readFault()
                .expect(
                        resume(PageAccess.READ),
                        count(NodeCounter.PAGES_AHEAD),
                        send(0, request(1, 7)));
    }

    @Test
    void touchOfAPageThatCameAhead_opensTheNextOneToo() {
        Subject<Msg> subject = unopened();
        subject.protocol.onMessage(node(0), reply(4, copyset(0)), out);
        subject.readFault()
                .expect(
                        resume(PageAccess.READ),
                        resumeOf(4, PageAccess.READ),
                        count(NodeCounter.PAGES_OPENED),
                        count(NodeCounter.PAGES_AHEAD),
                        send(0, request(1, 7)));
    }

    @Test
    void pageHandedOverAhead_isOwnedButNotUsed() {
        ahead().message(0, HAND_OVER)
                .expect(install(PageAccess.NONE), count(NodeCounter.PAGES_FETCHED))
                .message(2, new FetchRequest(PAGE, node(2), 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(2, reply(3, DatedCopyset.EMPTY)),
                        new Effect.Discard(PAGE));
        ahead().message(0, HAND_OVER)
                .quietly()
                .writeFault()
                .expect(
                        resume(PageAccess.READ_WRITE),
                        count(NodeCounter.PAGES_AHEAD),
                        send(0, request(1, 7)));
    }

    @Test
    void unusedPageThatCameAhead_isGivenUpWithTheFirstUpdate() {
        unopened()
                .message(0, UPDATE)
                .expect(
                        count(NodeCounter.UPDATE_TIMEOUTS),
                        new Effect.Discard(PAGE),
                        send(0, acknowledgement(7, copyset(0, 1).end(node(1)))));
    }

    @Test
    void pageThatCameAheadAndWasTouched_isNot() {
        unopened()
                .readFault()
                .quietly()
                .message(0, UPDATE)
                .expect(
                        new Effect.ApplyDiff(PAGE, IMAGE),
                        send(0, acknowledgement(7, copyset(0, 1))));
    }

    @Test
    void withoutAnUpdateTimeout_unusedPagesAreKept() {
        Subject<Msg> subject = ahead();
        subject.context.updates(UpdateRules.PLAIN.withReadAhead(RULES.readAhead()));
        subject.message(0, REPLY)
                .quietly()
                .message(0, UPDATE)
                .expect(
                        new Effect.ApplyDiff(PAGE, IMAGE),
                        send(0, acknowledgement(7, copyset(0, 1))));
    }

    @Test
    void updateThatMeetsARequestAhead_isKeptAndAppliedToTheImage() {
        Update update = new Update(7, List.of(new PageDiff(offer(PAGE, copyset(0, 1, 2)), IMAGE)));
        ahead().message(2, update)
                .expect(new Effect.KeepDiff(PAGE, 1, IMAGE))
                .message(0, REPLY)
                .expect(
                        install(PageAccess.NONE),
                        new Effect.ApplyDiff(PAGE, new Payload.KeptDiff(PAGE, 1)),
                        send(2, acknowledgement(7, copyset(0, 1, 2))),
                        count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void updateListThatMeetsARequestAhead_isAskedFor() {
        ahead().message(2, new UpdateList(7, List.of(offer(PAGE, copyset(0, 1, 2)))))
                .expect(
                        count(NodeCounter.UPDATES_REQUESTED),
                        send(2, new UpdateRequest(7, List.of(PAGE))));
    }

    @Test
    void requestThatMeetsARequestAhead_isForwarded() {
        FetchRequest fetch = new FetchRequest(PAGE, node(2), 0);
        ahead().message(2, fetch).expect(count(NodeCounter.FORWARDS), send(0, fetch));
        ahead().message(2, request(2, 3, 5))
                .expect(count(NodeCounter.FORWARDS), send(0, request(2, 3, 5)));
    }

    @Test
    void lossOfANode_poisonsWhatWasAskedForAhead() {
        Subject<Msg> subject = ahead();
        List<Effect> poisoned = new ArrayList<>();
        for (int i = 2; i < 7; i++) {
            poisoned.add(new Effect.Poison(new PageId(0, i)));
        }
        subject.peerLost(0).expect(poisoned.toArray());
        ahead().message(2, UPDATE)
                .quietly()
                .peerLost(0)
                .expect(
                        new Effect.Poison(new PageId(0, 2)),
                        poison(),
                        new Effect.DropKept(PAGE, 1),
                        new Effect.Poison(new PageId(0, 4)),
                        new Effect.Poison(new PageId(0, 5)),
                        new Effect.Poison(new PageId(0, 6)));
        on(1).peerLost(0).quietly().readFault().expect(poison());
    }

    @Test
    void idlePages_areHandedOverTogether() {
        on(0).message(2, request(2, 3, 4, 5))
                .expect(
                        new Counted(NodeCounter.PAGES_SENT, 3),
                        send(2, replies(DatedCopyset.EMPTY, 3, 4, 5)),
                        new Effect.Discard(PAGE),
                        new Effect.Discard(new PageId(0, 4)),
                        new Effect.Discard(new PageId(0, 5)));
    }

    @Test
    void pagesOfASoleHolder_areFrozenBeforeAnyIsSent() {
        Subject<Msg> root = on(0);
        root.context.updates(UpdateRules.PLAIN);
        root.writeFault();
        root.protocol.onWriteFault(new PageId(0, 4), out);
        root.quietly();
        root.message(2, request(2, 3, 4))
                .expect(
                        access(PageAccess.READ),
                        new Effect.SetAccess(FIRST, new PageId(0, 4), PageAccess.READ),
                        new Counted(NodeCounter.PAGES_SENT, 2),
                        send(2, replies(copyset(0), 3, 4)));
    }

    @Test
    void manyPages_goInMessagesOf64KiB() {
        FakeContext context = new FakeContext(0, Protocol.WRITE_SHARED, 64);
        WriteShared root = new WriteShared(context);
        root.onRegionAdded(context.region());
        root.onMessage(node(2), request(2, IntStream.range(0, 33).toArray()), out);

        List<Object> effects = out.take();

        assertEquals(new Counted(NodeCounter.PAGES_SENT, 33), effects.get(0));
        int[] first = IntStream.range(0, 16).toArray();
        int[] second = IntStream.range(16, 32).toArray();
        assertEquals(send(2, replies(DatedCopyset.EMPTY, first)), effects.get(1));
        assertEquals(send(2, replies(DatedCopyset.EMPTY, second)), effects.get(2));
        assertEquals(send(2, reply(32, DatedCopyset.EMPTY)), effects.get(3));
        assertEquals(new Effect.Discard(new PageId(0, 0)), effects.get(4));
    }

    @Test
    void repliesForSeveralPages_areInstalledEachAsItsStateSays() {
        Subject<Msg> subject = ahead();
        subject.readFault().quietly(); // a thread waits for page 3, none for 4
        subject.message(0, replies(copyset(0), 3, 4))
                .expect(
                        installOf(3),
                        resume(PageAccess.READ),
                        installOf(4),
                        new Counted(NodeCounter.PAGES_FETCHED, 2));
        assertEquals("Withdrawn", subject.protocol.snapshot(new PageId(0, 4)).state());
    }

    @Test
    void holderServesWhatItHasAndForwardsTheRest() {
        Subject<Msg> holder = unopened();
        holder.message(2, request(2, 3, 9))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(2, reply(3, copyset(0, 1))),
                        count(NodeCounter.FORWARDS),
                        send(0, request(2, 9)));
    }

    @Test
    void ownRequestThatComesBack_isImpossible() {
        Subject<Msg> subject = ahead();
        subject.expectViolation("Ahead", () -> subject.message(0, request(1, 3)), "AheadRequest");
    }

    @Test
    void idlePagesOfTheRoot_areOpenedTogether() {
        on(0).readFault()
                .expect(
                        resume(PageAccess.READ_WRITE),
                        resumeOf(4, PageAccess.READ_WRITE),
                        count(NodeCounter.PAGES_OPENED));
    }

    @Test
    void messagesNameThePagesThatTheyTouch() {
        AheadRequest request = request(1, 4, 6);
        assertTrue(request.touchesPages());
        assertEquals(List.of(new PageId(0, 4), new PageId(0, 6)), request.pages());
    }

    // prefetches

    /** Without read-ahead; the page is requested because the program prefetches it. */
    private static Subject<Msg> prefetched() {
        Subject<Msg> subject = new Subject<>(1, Protocol.WRITE_SHARED, WriteShared::new);
        subject.context.updates(new UpdateRules(1_000, UpdateRules.ALL_DIRECT));
        return subject.prefetch(1, Mode.READ)
                .expect(count(NodeCounter.PAGES_AHEAD), send(0, request(1, 3)));
    }

    @Test
    void prefetch_asksForAbsentPagesInOneMessage() {
        on(1).prefetch(3, Mode.WRITE)
                .expect(new Counted(NodeCounter.PAGES_AHEAD, 3), send(0, request(1, 3, 4, 5)))
                .prefetch(4, Mode.READ)
                .expect(
                        new Counted(NodeCounter.PREFETCHES_UNNECESSARY, 3),
                        count(NodeCounter.PAGES_AHEAD),
                        send(0, request(1, 6)));
    }

    @Test
    void prefetchedPage_isAHitAtTheFirstTouchOnly() {
        prefetched()
                .message(0, REPLY)
                .expect(install(PageAccess.NONE), count(NodeCounter.PAGES_FETCHED))
                .readFault()
                .expect(resume(PageAccess.READ), count(NodeCounter.PREFETCH_HITS))
                .readFault()
                .expect(resume(PageAccess.READ));
    }

    @Test
    void prefetchedPageThatIsUnderWay_isLateForLoadsAndStores() {
        prefetched().readFault().expect(count(NodeCounter.PREFETCHES_LATE));
        prefetched().writeFault().expect(count(NodeCounter.PREFETCHES_LATE));
    }

    @Test
    void prefetchedPageThatIsGivenUpUnused_isInvalidatedAndNoHitLater() {
        prefetched()
                .message(0, REPLY)
                .quietly()
                .message(0, UPDATE)
                .expect(
                        count(NodeCounter.UPDATE_TIMEOUTS),
                        discard(),
                        count(NodeCounter.PREFETCHES_INVALIDATED),
                        send(0, acknowledgement(7, copyset(0, 1).end(node(1)))))
                .readFault()
                .quietly()
                .message(0, REPLY)
                .quietly()
                .readFault()
                .expect(resume(PageAccess.READ));
    }

    @Test
    void prefetchedPageThatWasHandedOver_isAHit() {
        prefetched()
                .message(0, HAND_OVER)
                .quietly()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE), count(NodeCounter.PREFETCH_HITS));
    }
}
