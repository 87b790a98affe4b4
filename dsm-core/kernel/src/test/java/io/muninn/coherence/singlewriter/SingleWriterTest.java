package io.muninn.coherence.singlewriter;

import static io.muninn.coherence.FakeContext.HOLD_NANOS;
import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.singlewriter.SingleWriterState.ASKING;
import static io.muninn.coherence.singlewriter.SingleWriterState.CLEAN;
import static io.muninn.coherence.singlewriter.SingleWriterState.COPIED_IDLE;
import static io.muninn.coherence.singlewriter.SingleWriterState.DIRTY;
import static io.muninn.coherence.singlewriter.SingleWriterState.EXCLUSIVE;
import static io.muninn.coherence.singlewriter.SingleWriterState.FETCHING;
import static io.muninn.coherence.singlewriter.SingleWriterState.IDLE;
import static io.muninn.coherence.singlewriter.SingleWriterState.INITIAL;
import static io.muninn.coherence.singlewriter.SingleWriterState.INVALID;
import static io.muninn.coherence.singlewriter.SingleWriterState.LEAVING;
import static io.muninn.coherence.singlewriter.SingleWriterState.NOTHING;
import static io.muninn.coherence.singlewriter.SingleWriterState.OF_2;
import static io.muninn.coherence.singlewriter.SingleWriterState.OLD_DIRTY;
import static io.muninn.coherence.singlewriter.SingleWriterState.OLD_EXCLUSIVE;
import static io.muninn.coherence.singlewriter.SingleWriterState.OWNED;
import static io.muninn.coherence.singlewriter.SingleWriterState.TOKEN;
import static io.muninn.coherence.singlewriter.SingleWriterState.UPGRADING;
import static io.muninn.coherence.singlewriter.SingleWriterState.VERSION;
import static io.muninn.coherence.singlewriter.SingleWriterState.WITHDRAWING;
import static io.muninn.coherence.singlewriter.SingleWriterState.copy;
import static io.muninn.coherence.singlewriter.SingleWriterState.noticeOf;
import static io.muninn.coherence.singlewriter.SingleWriterState.noticed;
import static io.muninn.coherence.singlewriter.SingleWriterState.of;
import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.coherence.singlewriter.SingleWriterMessages.CopyReply;
import io.muninn.coherence.singlewriter.SingleWriterMessages.CopyRequest;
import io.muninn.coherence.singlewriter.SingleWriterMessages.Msg;
import io.muninn.coherence.singlewriter.SingleWriterMessages.OwnershipGrant;
import io.muninn.coherence.singlewriter.SingleWriterMessages.OwnershipRequest;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cells of the table of {@link SingleWriter}. */
class SingleWriterTest {
    private static final int ROOT = 0;
    private static final Payload PAGE_IMAGE = new Payload.PageImage(PAGE);
    private static final Effect WITHDRAW = new Effect.Withdraw(FIRST, PAGE, 1);

    private static CopyRequest copyRequest(int asker) {
        return new CopyRequest(PAGE, node(asker));
    }

    private static OwnershipRequest request(int asker, long version) {
        return new OwnershipRequest(PAGE, node(asker), version);
    }

    private static OwnershipGrant grant(long version, Payload image) {
        return new OwnershipGrant(PAGE, version, false, image);
    }

    private static GatedAcquire token(String lock) {
        return new GatedAcquire.Token(new LockId(lock));
    }

    /** The notices of a node, in the cargo for a node that has none. */
    private static Bytes noticesOf(Subject<Msg> subject) {
        return subject.protocol.onSend(node(63), new RecordingEffects());
    }

    // faults

    @Test
    void faultOnInvalidPage_asksForACopyOrForThePage() {
        INVALID.subject().readFault().expect(send(ROOT, copyRequest(1))).expectState("Fetching");
        INVALID.subject().writeFault().expect(send(ROOT, request(1, 0))).expectState("Asking");
    }

    @Test
    void faultOnFetchedPage_joinsAndAStoreFaultsAgain() {
        FETCHING.subject().readFault().expect().expectState("Fetching");
        FETCHING.subject()
                .writeFault()
                .expect()
                .message(ROOT, copy(5))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.READ),
                        resume(PageAccess.READ))
                .writeFault()
                .expect(send(ROOT, request(1, 5)));
    }

    @Test
    void faultOnCleanPage_resumesOrAsksForThePageAndNamesTheCopy() {
        CLEAN.subject().readFault().expect(resume(PageAccess.READ)).expectState("Clean");
        CLEAN.subject().writeFault().expect(send(ROOT, request(1, 5))).expectState("Asking");
    }

    @Test
    void faultOnAPageThatIsAskedFor_joins() {
        for (SingleWriterState state : List.of(ASKING, UPGRADING)) {
            state.subject().readFault().expect().writeFault().expect().expectState("Asking");
        }
    }

    @Test
    void faultOnAPageThatIsWithdrawn_joinsAndAsksWhenThatIsDone() {
        WITHDRAWING.subject().readFault().expect().withdrawn().expect(send(2, copyRequest(1)));
        WITHDRAWING
                .subject()
                .readFault()
                .writeFault()
                .expect()
                .withdrawn()
                .expect(send(ROOT, request(1, 0)))
                .expectState("Asking");
        WITHDRAWING.subject().withdrawn().expect().expectAcquired(TOKEN).expectState("Invalid");
    }

    @Test
    void faultAtTheOwner_isResolvedThere() {
        OWNED.subject().readFault().expect(resume(PageAccess.READ)).expectState("Owned");
        OWNED.subject().writeFault().expect(resume(PageAccess.READ_WRITE)).expectState("Dirty");
        for (SingleWriterState state : List.of(DIRTY, EXCLUSIVE, INITIAL)) {
            state.subject().readFault().expect(resume(PageAccess.READ_WRITE));
            state.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
        }
    }

    @Test
    void faultBeforeTheRootHasSealed_letsItInitialize() {
        of(0).readFault().expect(resume(PageAccess.READ_WRITE)).expectState("Initial");
        of(0).writeFault().expect(resume(PageAccess.READ_WRITE)).expectState("Initial");
    }

    @Test
    void sealing_endsTheAccessAndNoticesNothing() {
        Subject<Msg> subject = INITIAL.subject().sealed();

        subject.expect(access(PageAccess.NONE)).expectState("Idle").leave(LEAVING).expect();

        assertEquals(Bytes.EMPTY, noticesOf(subject));
    }

    @Test
    void faultOnAPageThatTheRootAloneHas_givesItToTheRoot() {
        IDLE.subject().readFault().expect(resume(PageAccess.READ_WRITE)).expectState("Exclusive");
        IDLE.subject().writeFault().expect(resume(PageAccess.READ_WRITE)).expectState("Exclusive");
    }

    @Test
    void faultOnAnIdlePageOfWhichThereAreCopies_isResolvedAsOnAnyPageOfTheOwner() {
        COPIED_IDLE.subject().readFault().expect(resume(PageAccess.READ)).expectState("Owned");
        COPIED_IDLE
                .subject()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .expectState("Dirty")
                .leave(LEAVING)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ));
    }

    // releases

    @Test
    void release_protectsThePageAndListsItOnce() {
        Subject<Msg> subject = OLD_DIRTY.subject();

        subject.leave(LEAVING)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ))
                .expectPerformed(LEAVING)
                .expectState("Owned")
                .leave(LEAVING)
                .expect()
                .expectPerformed(LEAVING);

        assertEquals(1, subject.context.clock().have().of(node(1)));
        assertFalse(noticesOf(subject).length() == 0);
    }

    @Test
    void releaseOfAPageThatNoOtherNodeHas_costsNothing() {
        Subject<Msg> subject = OLD_EXCLUSIVE.subject().leave(LEAVING).expect();

        subject.expectPerformed(LEAVING).expectState("Exclusive");

        assertEquals(Bytes.EMPTY, noticesOf(subject));
    }

    @Test
    void copyOfAPageThatNoOtherNodeHad_protectsItAndALaterStoreIsListed() {
        Subject<Msg> subject = EXCLUSIVE.subject().message(2, copyRequest(2));

        subject.expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, new CopyReply(PAGE, VERSION, NOTHING, PAGE_IMAGE)))
                .expectState("Owned")
                .leave(LEAVING)
                .expect();
        assertEquals(Bytes.EMPTY, noticesOf(subject));
        subject.writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .leave(LEAVING)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ));
        assertFalse(noticesOf(subject).length() == 0);
    }

    @Test
    void pageThatMovesAwayAndThatNoOtherNodeHas_isListedNowhere() {
        Subject<Msg> subject = OLD_EXCLUSIVE.subject().message(2, request(2, 0));

        subject.expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, grant(VERSION, PAGE_IMAGE)))
                .expectState("Clean")
                .leave(LEAVING)
                .expect();

        assertEquals(Bytes.EMPTY, noticesOf(subject));
    }

    @Test
    void flushWithinTheNode_protectsNothing() {
        GatedRelease elapsed = new GatedRelease.Elapsed();
        DIRTY.subject().release(elapsed).expect().expectPerformed(elapsed).expectState("Dirty");
    }

    @Test
    void pageThatMovesAwayInAnOpenInterval_isListedInIt() {
        Subject<Msg> subject = OLD_DIRTY.subject().message(2, request(2, 0)).quietly();

        subject.leave(LEAVING).expect().expectPerformed(LEAVING);

        assertEquals(1, subject.context.clock().have().of(node(1)));
        assertFalse(noticesOf(subject).length() == 0);
    }

    @Test
    void pageThatMovesAwayAfterItsInterval_isNotListedAgain() {
        Subject<Msg> subject = OWNED.subject().message(2, request(2, 0)).quietly();

        subject.leave(LEAVING).expect();

        assertEquals(1, subject.context.clock().have().of(node(1)));
    }

    // notices

    @Test
    void notice_withdrawsACopyThatLacksIt() {
        noticed(CLEAN.subject())
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectAcquired()
                .expectState("Withdrawing")
                .withdrawn()
                .expectAcquired(TOKEN);
    }

    @Test
    void noticeWithinTheHoldTime_waitsForItsEnd() {
        Subject<Msg> subject = CLEAN.subject();
        subject.context.letThreadsRun();

        noticed(subject).expect(arm(HOLD_NANOS)).expectAcquired().expectState("Clean");

        subject.passNanos(HOLD_NANOS)
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expectAcquired(TOKEN);
    }

    @Test
    void noticeThatTheAskerKnewOf_leavesTheCopy() {
        Subject<Msg> subject = of(1);
        subject.context.clock().onDeposited(OF_2);
        subject.readFault().message(ROOT, copy(5)).quietly();

        noticed(subject).expect().expectAcquired(TOKEN).expectState("Clean");
    }

    @Test
    void noticeThatTheOwnerKnewOf_leavesTheCopy() {
        Subject<Msg> subject =
                FETCHING.subject().message(ROOT, new CopyReply(PAGE, 5, OF_2, IMAGE)).quietly();

        noticed(subject).expect().expectAcquired(TOKEN).expectState("Clean");
    }

    @Test
    void noticeThatAnOldOwnerKnewOf_leavesTheCopyThatItKeeps() {
        Subject<Msg> subject = OWNED.subject();
        subject.context.clock().onDeposited(OF_2);
        subject.message(3, request(3, 0)).quietly();

        noticed(subject).expect().expectAcquired(TOKEN).expectState("Clean");
        noticed(subject, 3, token("third")).expect(count(NodeCounter.INVALIDATIONS), WITHDRAW);
    }

    @Test
    void noticeAtTheOwnerOrWithoutACopy_changesNothing() {
        for (SingleWriterState state : List.of(INVALID, ASKING, OWNED, DIRTY)) {
            noticed(state.subject()).expect().expectAcquired(TOKEN).expectState(state.row);
        }
    }

    @Test
    void noticeThatMeetsARequestForThePage_endsTheAccessAndKeepsTheContent() {
        noticed(UPGRADING.subject())
                .expect(count(NodeCounter.INVALIDATIONS), access(PageAccess.NONE))
                .expectAcquired(TOKEN)
                .message(ROOT, grant(5, Payload.NONE))
                .expect(resume(PageAccess.READ_WRITE))
                .expectState("Dirty");
    }

    @Test
    void noticeThatTheCopyContains_leavesItWhileThePageIsAskedFor() {
        Subject<Msg> subject =
                FETCHING.subject()
                        .message(ROOT, new CopyReply(PAGE, 5, OF_2, IMAGE))
                        .writeFault()
                        .quietly();

        noticed(subject).expect().expectAcquired(TOKEN);
    }

    @Test
    void noticeThatMeetsAFetch_rejectsAnImageThatLacksIt() {
        noticed(FETCHING.subject())
                .expect()
                .expectAcquired(TOKEN)
                .message(ROOT, copy(5))
                .expect(count(NodeCounter.DEAD_IMAGES), send(2, copyRequest(1)))
                .message(ROOT, copy(5)) // the request was sent after the notice
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.READ),
                        resume(PageAccess.READ));
    }

    @Test
    void noticeThatMeetsAFetch_isInTheImageOfAnOwnerThatKnowsIt() {
        noticed(FETCHING.subject())
                .message(3, new CopyReply(PAGE, 5, OF_2, IMAGE))
                .expectAcquired(TOKEN)
                .expectState("Clean")
                .writeFault()
                .quietly();
    }

    @Test
    void acquireThatMeetsAFetchWhoseNeedHasGrownTwice_waitsForItsEnd() {
        Subject<Msg> subject = noticed(FETCHING.subject());
        noticed(subject, 4, token("second")).expect().quietly();

        noticed(subject, 5, token("third")).expectAcquired();

        VectorTimestamp two = OF_2.with(node(4), 1);
        subject.message(ROOT, new CopyReply(PAGE, 5, two, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.READ),
                        resume(PageAccess.READ),
                        arm(HOLD_NANOS))
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expectAcquired(token("third"));
    }

    @Test
    void noticeBeforeSealing_isImpossible() {
        Subject<Msg> subject = INITIAL.subject();
        subject.expectViolation("Initial", () -> noticed(subject), "notice");
    }

    @ParameterizedTest
    @EnumSource(names = "WITHDRAWING", mode = EnumSource.Mode.EXCLUDE)
    void withdrawalThatNobodyAskedFor_isImpossible(SingleWriterState state) {
        Subject<Msg> subject = state.subject();
        subject.expectViolation(state.row, subject::withdrawn, "AccessWithdrawn");
    }

    @Test
    void collection_actsOnNoticesAndDropsThem() {
        Subject<Msg> subject = CLEAN.subject();
        subject.collect(1, 2, noticeOf(2), OF_2)
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectCollected()
                .withdrawn()
                .expectCollected(1L);
        assertTrue(subject.protocol.lazyBytes() > 0);

        subject.collected(OF_2).expect();

        assertEquals(0, subject.protocol.lazyBytes());
    }

    // requests for copies

    @Test
    void copyIsAskedForAtTheLastWriterThatNoticesHaveNamed() {
        Subject<Msg> subject = noticed(INVALID.subject());
        noticed(subject, 3, token("second")).expect().quietly();
        int later = 4; // it has seen the interval of node 2

        noticedAfter(subject, later, OF_2)
                .readFault()
                .expect(send(later, copyRequest(1)))
                .message(5, copyRequest(6)) // the probable owner does not change
                .expect(count(NodeCounter.FORWARDS), send(ROOT, copyRequest(6)));
    }

    @Test
    void pageIsAskedForAtTheProbableOwnerWhateverNoticesHaveNamed() {
        noticed(INVALID.subject()).writeFault().expect(send(ROOT, request(1, 0)));
    }

    @Test
    void ownRequestThatAWriterHasSentOn_isForwarded() {
        noticed(INVALID.subject())
                .readFault()
                .quietly()
                .message(2, copyRequest(1))
                .expect(count(NodeCounter.FORWARDS), send(ROOT, copyRequest(1)))
                .expectState("Fetching");
    }

    private static Subject<Msg> noticedAfter(
            Subject<Msg> subject, int writer, VectorTimestamp before) {
        FakeContext context = new FakeContext(writer, Protocol.LAZY);
        context.clock().onAcquirePerformed(before);
        WriteNotices notices = new WriteNotices(context, WriteNotices.Order.TIMESTAMPS);
        context.clock().stored();
        notices.add(List.of(PAGE));
        context.clock().endInterval();
        VectorTimestamp until = subject.context.clock().have().with(node(writer), 1);
        return subject.acquire(token("later"), writer, notices.forMessage(node(63)), until);
    }

    @ParameterizedTest
    @EnumSource(names = {"INVALID", "FETCHING", "CLEAN", "WITHDRAWING"})
    void copyRequestElsewhere_isForwarded(SingleWriterState state) {
        state.subject()
                .message(2, copyRequest(3))
                .expect(count(NodeCounter.FORWARDS), send(ROOT, copyRequest(3)))
                .message(2, copyRequest(4))
                .expect(count(NodeCounter.FORWARDS), send(ROOT, copyRequest(4)))
                .expectState(state.row);
    }

    @Test
    void copyRequestAtTheOwner_isAnsweredWithVersionAndKnownIntervals() {
        VectorTimestamp own = NOTHING.with(node(1), 1);
        OWNED.subject()
                .message(2, copyRequest(3))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(3, new CopyReply(PAGE, VERSION, own, PAGE_IMAGE)))
                .expectState("Owned");
        IDLE.subject()
                .message(2, copyRequest(2))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(2, new CopyReply(PAGE, 1, NOTHING, PAGE_IMAGE)));
    }

    @Test
    void copyOfADirtyPage_hasNoVersionAndIsSentWithinTheHoldTime() {
        DIRTY.subject()
                .message(2, copyRequest(3))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(3, new CopyReply(PAGE, 0, NOTHING, new Payload.LiveImage(PAGE))))
                .expectState("Dirty");
    }

    @Test
    void requestsBeforeThePageIsHere_areDeferred() {
        ASKING.subject()
                .message(2, request(2, 0))
                .message(3, copyRequest(3))
                .message(4, request(4, 0))
                .expect()
                .message(ROOT, grant(5, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE),
                        arm(HOLD_NANOS),
                        count(NodeCounter.PAGES_SENT),
                        send(3, new CopyReply(PAGE, 0, NOTHING, new Payload.LiveImage(PAGE))))
                .passNanos(HOLD_NANOS)
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, grant(VERSION, PAGE_IMAGE)),
                        count(NodeCounter.FORWARDS),
                        send(2, request(4, 0)))
                .expectState("Clean");
    }

    // requests for ownership

    @ParameterizedTest
    @EnumSource(names = {"INVALID", "FETCHING", "CLEAN", "WITHDRAWING"})
    void requestElsewhere_isForwardedAndTheAskerIsTheProbableOwner(SingleWriterState state) {
        state.subject()
                .message(2, request(3, 7))
                .expect(count(NodeCounter.FORWARDS), send(ROOT, request(3, 7)))
                .message(2, copyRequest(4))
                .expect(count(NodeCounter.FORWARDS), send(3, copyRequest(4)))
                .expectState(state.row);
    }

    @Test
    void requestAtTheOwner_movesThePageAndLeavesACopy() {
        OWNED.subject()
                .message(2, request(3, 0))
                .expect(count(NodeCounter.PAGES_SENT), send(3, grant(VERSION, PAGE_IMAGE)))
                .expectState("Clean")
                .readFault()
                .expect(resume(PageAccess.READ));
        OLD_DIRTY
                .subject()
                .message(2, request(3, 0))
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(3, grant(VERSION, PAGE_IMAGE)))
                .expectState("Clean");
    }

    @Test
    void requestOfANodeWithThisVersion_getsNoImage() {
        OWNED.subject()
                .message(3, request(3, VERSION))
                .expect(send(3, grant(VERSION, Payload.NONE)))
                .writeFault()
                .expect(send(3, request(1, VERSION)));
        OWNED.subject()
                .message(3, request(3, VERSION - 1))
                .expect(count(NodeCounter.PAGES_SENT), send(3, grant(VERSION, PAGE_IMAGE)));
    }

    @Test
    void storeAfterARelease_beginsAVersion() {
        OWNED.subject()
                .writeFault()
                .passNanos(HOLD_NANOS)
                .quietly()
                .message(3, request(3, VERSION))
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(3, grant(VERSION + 1, PAGE_IMAGE)));
    }

    @Test
    void requestForAnIdlePage_movesItAndSaysWhetherThereAreCopies() {
        IDLE.subject()
                .message(2, request(2, 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(2, new OwnershipGrant(PAGE, 1, true, PAGE_IMAGE)),
                        new Effect.Discard(PAGE))
                .expectState("Invalid");
        COPIED_IDLE
                .subject()
                .message(3, request(3, 1))
                .expect(
                        send(3, new OwnershipGrant(PAGE, 1, true, Payload.NONE)),
                        new Effect.Discard(PAGE));
        COPIED_IDLE
                .subject()
                .message(2, request(2, 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(2, grant(1, PAGE_IMAGE)),
                        new Effect.Discard(PAGE));
    }

    @Test
    void requestForAnExclusivePageWithinTheHoldTime_waitsForItsEnd() {
        EXCLUSIVE
                .subject()
                .message(2, request(2, 0))
                .expect(arm(HOLD_NANOS))
                .passNanos(HOLD_NANOS)
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, grant(VERSION, PAGE_IMAGE)));
    }

    @Test
    void requestWithinTheHoldTime_waitsForItsEnd() {
        DIRTY.subject()
                .passNanos(HOLD_NANOS - 1)
                .message(3, request(3, 0))
                .expect(arm(1))
                .leave(LEAVING)
                .quietly()
                .passNanos(1)
                .message(4, request(4, 0)) // behind the first, though the hold time is over
                .expect()
                .holdOver()
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(3, grant(VERSION, PAGE_IMAGE)),
                        count(NodeCounter.FORWARDS),
                        send(3, request(4, 0)));
    }

    @Test
    void storeAgain_holdsThePageUnlessRequestsWait() {
        OWNED.subject().writeFault().quietly().message(3, request(3, 0)).expect(arm(HOLD_NANOS));
        DIRTY.subject()
                .message(3, request(3, 0))
                .leave(LEAVING)
                .passNanos(HOLD_NANOS - 1)
                .writeFault()
                .quietly()
                .passNanos(1)
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(3, grant(VERSION + 1, PAGE_IMAGE)));
    }

    @Test
    void timerOfAnAcquireWithinTheHoldTime_isArmedForItsEnd() {
        DIRTY.subject()
                .message(3, request(3, 0))
                .quietly()
                .passNanos(HOLD_NANOS - 30)
                .holdOver()
                .expect(arm(30))
                .expectState("Dirty");
    }

    @Test
    void timerOfAnEarlierStay_isIgnored() {
        for (SingleWriterState state : List.of(INVALID, FETCHING, CLEAN, ASKING, DIRTY, OWNED)) {
            state.subject().holdOver().expect().expectState(state.row);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ownRequestForThePage_isImpossible(SingleWriterState state) {
        Subject<Msg> subject = state.subject();
        int self = subject.context.self().index();
        subject.expectViolation(
                state.row, () -> subject.message(2, request(self, 0)), "OwnershipRequest");
    }

    @ParameterizedTest
    @EnumSource(names = "FETCHING", mode = EnumSource.Mode.EXCLUDE)
    void ownRequestForACopyThatNobodyAwaits_isImpossible(SingleWriterState state) {
        Subject<Msg> subject = state.subject();
        int self = subject.context.self().index();
        subject.expectViolation(
                state.row, () -> subject.message(2, copyRequest(self)), "CopyRequest");
    }

    @Test
    void requestBeforeSealing_isImpossible() {
        Subject<Msg> subject = INITIAL.subject();
        subject.expectViolation("Initial", () -> subject.message(2, copyRequest(2)), "CopyRequest");
        subject.expectViolation(
                "Initial", () -> subject.message(2, request(2, 0)), "OwnershipRequest");
    }

    // replies

    @Test
    void reply_namesTheOwner() {
        FETCHING.subject()
                .message(7, copy(5))
                .quietly()
                .writeFault()
                .expect(send(7, request(1, 5)));
    }

    @Test
    void grantWithAnImage_replacesTheCopy() {
        UPGRADING
                .subject()
                .message(ROOT, grant(8, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE))
                .expectState("Dirty");
    }

    @Test
    void grantWithoutAnImageOfACopyThatIsNotHere_isImpossible() {
        Subject<Msg> without = ASKING.subject();
        without.expectViolation(
                "Asking", () -> without.message(ROOT, grant(0, Payload.NONE)), "OwnershipGrant");
        Subject<Msg> other = UPGRADING.subject();
        other.expectViolation(
                "Asking", () -> other.message(ROOT, grant(6, Payload.NONE)), "OwnershipGrant");
    }

    @ParameterizedTest
    @EnumSource(names = "FETCHING", mode = EnumSource.Mode.EXCLUDE)
    void copyThatNobodyWaitsFor_isImpossible(SingleWriterState state) {
        Subject<Msg> subject = state.subject();
        subject.expectViolation(state.row, () -> subject.message(2, copy(5)), "CopyReply");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"ASKING", "UPGRADING"},
            mode = EnumSource.Mode.EXCLUDE)
    void grantThatNobodyWaitsFor_isImpossible(SingleWriterState state) {
        Subject<Msg> subject = state.subject();
        subject.expectViolation(
                state.row, () -> subject.message(2, grant(5, IMAGE)), "OwnershipGrant");
    }

    // losses

    @Test
    void lossOfANode_poisonsWhatThreadsWaitFor() {
        for (SingleWriterState state : List.of(FETCHING, ASKING, UPGRADING)) {
            state.subject().peerLost(7).expect(poison());
        }
        WITHDRAWING.subject().readFault().peerLost(7).expect(poison());
        WITHDRAWING.subject().peerLost(7).expect().readFault().expect(poison());
        INVALID.subject().peerLost(7).expect().readFault().expect(poison());
        INVALID.subject().peerLost(7).writeFault().expect(poison());
        CLEAN.subject().peerLost(7).expect().readFault().expect(resume(PageAccess.READ));
        CLEAN.subject().peerLost(7).writeFault().expect(poison());
        OWNED.subject().peerLost(7).expect().writeFault().expect(resume(PageAccess.READ_WRITE));
    }
}
