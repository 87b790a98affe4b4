package io.muninn.coherence.homebased;

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
import static io.muninn.coherence.homebased.HomeBasedState.ABSENT;
import static io.muninn.coherence.homebased.HomeBasedState.AHEAD;
import static io.muninn.coherence.homebased.HomeBasedState.CLEAN;
import static io.muninn.coherence.homebased.HomeBasedState.CLOSING;
import static io.muninn.coherence.homebased.HomeBasedState.DIRTY;
import static io.muninn.coherence.homebased.HomeBasedState.FETCHING;
import static io.muninn.coherence.homebased.HomeBasedState.FILLING;
import static io.muninn.coherence.homebased.HomeBasedState.HOME;
import static io.muninn.coherence.homebased.HomeBasedState.HOME_CLEAN;
import static io.muninn.coherence.homebased.HomeBasedState.HOME_DIRTY;
import static io.muninn.coherence.homebased.HomeBasedState.HOME_STALE;
import static io.muninn.coherence.homebased.HomeBasedState.HOME_WITHDRAWING;
import static io.muninn.coherence.homebased.HomeBasedState.IDLE;
import static io.muninn.coherence.homebased.HomeBasedState.IDLE_HOME;
import static io.muninn.coherence.homebased.HomeBasedState.INITIAL;
import static io.muninn.coherence.homebased.HomeBasedState.OF_2;
import static io.muninn.coherence.homebased.HomeBasedState.STALE;
import static io.muninn.coherence.homebased.HomeBasedState.TOKEN;
import static io.muninn.coherence.homebased.HomeBasedState.UNFILLED;
import static io.muninn.coherence.homebased.HomeBasedState.WITHDRAWING;
import static io.muninn.coherence.homebased.HomeBasedState.answer;
import static io.muninn.coherence.homebased.HomeBasedState.flush;
import static io.muninn.coherence.homebased.HomeBasedState.noticed;
import static io.muninn.coherence.homebased.HomeBasedState.of;
import static io.muninn.coherence.homebased.HomeBasedState.reply;
import static io.muninn.coherence.homebased.HomeBasedState.request;
import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Home;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseReply;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseRequest;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFlush;
import io.muninn.coherence.homebased.HomeBasedMessages.Msg;
import io.muninn.directory.AppliedDiffs;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The cells of the table of {@link HomeBased}; {@link FirstTouchTest} has those for homes that the
 * first store decides.
 */
class HomeBasedTest {
    private static final GatedRelease LEAVING =
            new GatedRelease.Arrival(new BarrierId("sweep"), 1, 0);
    private static final Effect MAKE_TWIN = new Effect.MakeTwin(PAGE);
    private static final Effect DROP_TWIN = new Effect.DropTwin(PAGE);
    private static final Effect WITHDRAW = new Effect.Withdraw(FIRST, PAGE, 1);
    private static final Effect APPLY = new Effect.ApplyDiff(PAGE, IMAGE);

    private static Effect saveDiff(long interval) {
        return new Effect.SaveDiff(PAGE, interval, false);
    }

    private static HomeFlush ownFlush(long interval, Payload diff) {
        return new HomeFlush(node(1), interval, false, List.of(new FlushedPage(PAGE, diff)));
    }

    // faults at a page with another home

    @Test
    void faultOnAbsentPage_asksTheHome() {
        ABSENT.subject().readFault().expect(send(HOME, request(1, AppliedDiffs.EMPTY)));
        ABSENT.subject().writeFault().expect(send(HOME, request(1, AppliedDiffs.EMPTY)));
    }

    @Test
    void faultOnStalePage_namesWhatItNeeds() {
        STALE.subject().readFault().expect(send(HOME, request(1, OF_2)));
        STALE.subject().writeFault().expect(send(HOME, request(1, OF_2)));
    }

    @Test
    void faultOnFetchedPage_joinsAndAStoreGetsItsTwinWhenTheImageComes() {
        FETCHING.subject().readFault().expect();
        FETCHING.subject()
                .writeFault()
                .expect()
                .message(HOME, reply(AppliedDiffs.EMPTY))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.NONE),
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(PageAccess.READ_WRITE))
                .expectState("Dirty");
    }

    @Test
    void faultOnCleanPage_resumesAndAStoreGetsItsTwin() {
        CLEAN.subject().readFault().expect(resume(PageAccess.READ));
        CLEAN.subject()
                .writeFault()
                .expect(MAKE_TWIN, count(NodeCounter.TWINS_MADE), resume(PageAccess.READ_WRITE))
                .expectState("Dirty");
    }

    @Test
    void faultOnAPageThatTakesStores_resumes() {
        for (HomeBasedState state : List.of(DIRTY, INITIAL, HOME_DIRTY)) {
            state.subject().readFault().expect(resume(PageAccess.READ_WRITE));
            state.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
        }
    }

    @Test
    void faultOnAPageThatIsWithdrawn_joinsAndAsksWhenThatIsDone() {
        WITHDRAWING.subject().readFault().expect().withdrawn().expect(send(HOME, request(1, OF_2)));
        CLOSING.subject()
                .writeFault()
                .expect()
                .withdrawn()
                .expect(saveDiff(1))
                .saved(1, 2)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        send(HOME, request(1, OF_2.with(node(1), 1))),
                        send(HOME, ownFlush(1, new Payload.SavedDiff(PAGE, 1))),
                        new Effect.DropDiff(PAGE, 1))
                .expectState("Fetching");
    }

    // faults on the root, and at a home

    @Test
    void faultOnIdlePage_usesItsZerosUntilANoticeNamesIt() {
        IDLE.subject().readFault().expect(resume(PageAccess.READ)).expectState("Clean");
        IDLE.subject()
                .writeFault()
                .expect(MAKE_TWIN, count(NodeCounter.TWINS_MADE), resume(PageAccess.READ_WRITE));
        noticed(IDLE.subject())
                .expectAcquired(TOKEN)
                .expect()
                .readFault()
                .expect(send(HOME, request(0, OF_2)));
    }

    @Test
    void faultOnIdlePageOfTheRoot_storesInPlace() {
        IDLE_HOME.subject().readFault().expect(resume(PageAccess.READ)).expectState("HomeClean");
        IDLE_HOME
                .subject()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .expectState("HomeDirty");
    }

    @Test
    void faultBeforeTheRootHasSealed_letsItInitialize() {
        of(0, Home.CYCLIC).readFault().expect(resume(PageAccess.READ_WRITE)).expectState("Initial");
    }

    @Test
    void sealing_withdrawsWhatWasInitialized() {
        INITIAL.subject().sealed().expect(WITHDRAW).expectState("HomeClean").withdrawn().expect();
        of(0, Home.CYCLIC).writeFault().quietly().sealed().expect(WITHDRAW).expectState("Clean");
    }

    @Test
    void faultAtAHomeWithoutContent_asksTheRoot() {
        UNFILLED.subject().readFault().expect(send(0, new BaseRequest(PAGE)));
        UNFILLED.subject().writeFault().expect(send(0, new BaseRequest(PAGE)));
        FILLING.subject()
                .writeFault()
                .expect()
                .message(0, new BaseReply(PAGE, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ_WRITE))
                .expectState("HomeDirty");
    }

    @Test
    void storeAtTheHome_makesNoTwinAndIsListed() {
        HOME_CLEAN.subject().readFault().expect(resume(PageAccess.READ));
        HOME_CLEAN
                .subject()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .leave(LEAVING)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ))
                .expectPerformed(LEAVING)
                .expectState("HomeClean");
        expectNotice(HOME_DIRTY.subject().leave(LEAVING), true);
        expectNotice(HOME_CLEAN.subject().leave(LEAVING), false);
    }

    private static void expectNotice(Subject<Msg> subject, boolean isListed) {
        int bytes = subject.protocol.onSend(node(5), new RecordingEffects()).length();
        assertEquals(isListed, bytes > 0);
    }

    // TwinMade

    @Test
    void twinOfATrap_isThatOfADirtyPage() {
        CLEAN.subject().twinMade().expect(count(NodeCounter.TWINS_MADE)).expectState("Dirty");
        WITHDRAWING
                .subject()
                .twinMade()
                .expect(count(NodeCounter.TWINS_MADE))
                .expectState("Closing");
    }

    @Test
    void twinOfATrapAtTheHome_isDroppedAndTheStoreListed() {
        HOME_CLEAN
                .subject()
                .twinMade()
                .expect(DROP_TWIN, access(PageAccess.READ_WRITE))
                .expectState("HomeDirty");
        expectNotice(
                HOME_WITHDRAWING.subject().twinMade().expect(DROP_TWIN).withdrawn().leave(LEAVING),
                true);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"CLEAN", "WITHDRAWING", "HOME_CLEAN", "HOME_WITHDRAWING", "IDLE_HOME"},
            mode = EnumSource.Mode.EXCLUDE)
    void twinOfATrap_isImpossibleWhereNoThreadOnlyLoads(HomeBasedState state) {
        Subject<Msg> subject = state.subject();
        subject.expectViolation(
                subject.protocol.snapshot(PAGE).state(), subject::twinMade, "TwinMade");
    }

    // releases

    @Test
    void releaseOfADirtyPage_protectsComparesAndSendsToTheHome() {
        DIRTY.subject()
                .leave(LEAVING)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), saveDiff(1))
                .expectPerformed()
                .saved(1, 2)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        send(HOME, ownFlush(1, new Payload.SavedDiff(PAGE, 1))),
                        new Effect.DropDiff(PAGE, 1))
                .expectPerformed(LEAVING)
                .expectState("Clean");
    }

    @Test
    void releaseOfAPageThatEqualsItsTwin_bumpsTheVersionAtTheHome() {
        expectNotice(DIRTY.subject().leave(LEAVING), true);
        DIRTY.subject()
                .leave(LEAVING)
                .quietly()
                .saved(1, 0)
                .expect(
                        count(NodeCounter.DIFFS_EMPTY),
                        DROP_TWIN,
                        send(HOME, ownFlush(1, Payload.NONE)));
    }

    @Test
    void releaseThatMeetsATrap_leavesThePageDirtyForTheNextInterval() {
        Subject<Msg> subject = DIRTY.subject().leave(LEAVING).quietly().savedAndKept(1, 1);
        subject.expectState("Dirty")
                .quietly()
                .leave(LEAVING)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), saveDiff(2));
    }

    @Test
    void releaseByTimeAlone_flushesNothing() {
        GatedRelease elapsed = new GatedRelease.Elapsed();

        DIRTY.subject().release(elapsed).expect().expectPerformed(elapsed).expectState("Dirty");
    }

    @Test
    void releaseWhileTheHomeIsWithdrawn_listsWhatWasStoredAndLaterStoresToo() {
        Subject<Msg> subject =
                noticed(HOME_DIRTY.subject())
                        .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                        .leave(LEAVING)
                        .expect(count(NodeCounter.FLUSHES));
        expectNotice(subject, true);
        expectNotice(subject, false); // it has been sent

        expectNotice(subject.withdrawn().leave(LEAVING), true);
    }

    @Test
    void storesAtTheHomeBetweenANoticeAndTheWithdrawal_areListed() {
        Subject<Msg> subject = noticed(HOME_DIRTY.subject()).quietly().withdrawn();

        subject.expectState("HomeStale").leave(LEAVING);
        expectNotice(subject, true);
    }

    // notices

    @Test
    void noticeOfACleanPage_isActedOnWhenTheAccessIsWithdrawn() {
        noticed(CLEAN.subject())
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectAcquired()
                .withdrawn()
                .expect()
                .expectAcquired(TOKEN)
                .expectState("Stale");
    }

    @Test
    void noticeOfADirtyPage_flushesItUnderTheIntervalThatListsIt() {
        Subject<Msg> subject = noticed(DIRTY.subject());

        subject.expect(count(NodeCounter.INVALIDATIONS), WITHDRAW).expectState("Closing");
        expectNotice(subject, true); // the interval has ended before the notice takes effect
        subject.withdrawn()
                .expect(saveDiff(1))
                .expectAcquired()
                .saved(1, 1)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        send(HOME, ownFlush(1, new Payload.SavedDiff(PAGE, 1))),
                        new Effect.DropDiff(PAGE, 1))
                .expectAcquired(TOKEN)
                .expectState("Stale");
    }

    @Test
    void noticeThatMeetsARefusal_isWithdrawnAgain() {
        WITHDRAWING
                .subject()
                .refused()
                .expect(arm(20_000))
                .twinMade()
                .quietly()
                .holdOver()
                .expect(WITHDRAW)
                .withdrawn()
                .expect(saveDiff(1));
    }

    @Test
    void noticeOfAPageWithoutAccess_isActedOnAtOnce() {
        for (HomeBasedState state : List.of(ABSENT, FETCHING, AHEAD, UNFILLED, FILLING, IDLE)) {
            noticed(state.subject()).expect().expectAcquired(TOKEN);
        }
    }

    @Test
    void noticeOfAFlushThatTheCopyHas_changesNothing() {
        noticed(FETCHING.subject().message(HOME, reply(OF_2)).quietly())
                .expect()
                .expectAcquired(TOKEN)
                .expectState("Clean");
    }

    @Test
    void noticeAtTheHome_withdrawsUntilTheFlushIsApplied() {
        noticed(HOME_CLEAN.subject()).expect(count(NodeCounter.INVALIDATIONS), WITHDRAW);
        noticed(IDLE_HOME.subject())
                .expect(
                        new Effect.InstallPage(FIRST, PAGE, Payload.ZERO_PAGE, PageAccess.NONE),
                        count(NodeCounter.INVALIDATIONS),
                        WITHDRAW);
        noticed(HOME_CLEAN.subject().message(2, flush(2)).quietly()).expect();
        HOME_WITHDRAWING
                .subject()
                .readFault()
                .expect()
                .withdrawn()
                .expect()
                .expectAcquired(TOKEN)
                .expectState("HomeStale")
                .message(2, flush(2))
                .expect(APPLY, resume(PageAccess.READ))
                .expectState("HomeClean");
        HOME_WITHDRAWING
                .subject()
                .message(2, flush(2))
                .quietly()
                .withdrawn()
                .expect()
                .expectState("HomeClean");
    }

    @Test
    void faultAtAStaleHome_joinsAndStoresWhenTheFlushIsApplied() {
        HOME_STALE.subject().readFault().expect();
        HOME_STALE
                .subject()
                .writeFault()
                .expect()
                .message(2, flush(2))
                .expect(APPLY, resume(PageAccess.READ_WRITE))
                .expectState("HomeDirty");
        HOME_WITHDRAWING.subject().writeFault().expect();
    }

    @Test
    void heldPage_isWithdrawnWhenItsThreadsHaveUsedIt() {
        Subject<Msg> subject = ABSENT.subject();
        subject.context.letThreadsRun();

        noticed(subject.readFault().message(HOME, reply(AppliedDiffs.EMPTY)).quietly())
                .expect(arm(FakeContext.HOLD_NANOS))
                .expectState("Clean")
                .passNanos(FakeContext.HOLD_NANOS)
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectAcquired()
                .withdrawn()
                .expectAcquired(TOKEN);
    }

    // requests at a home

    @Test
    void requestForAVersionThatTheHomeHas_isAnsweredAtOnce() {
        for (HomeBasedState state : List.of(HOME_CLEAN, HOME_DIRTY, HOME_WITHDRAWING, HOME_STALE)) {
            state.subject()
                    .message(1, request(1, AppliedDiffs.EMPTY))
                    .expect(count(NodeCounter.PAGES_SENT), send(1, answer(AppliedDiffs.EMPTY)));
        }
    }

    @Test
    void requestThatOvertakesAFlush_isAnsweredWhenThatIsApplied() {
        for (HomeBasedState state : List.of(HOME_CLEAN, HOME_DIRTY, HOME_WITHDRAWING)) {
            state.subject()
                    .message(1, request(1, OF_2))
                    .expect()
                    .message(2, flush(2))
                    .expect(APPLY, count(NodeCounter.PAGES_SENT), send(1, answer(OF_2)));
        }
    }

    @Test
    void requestForAHomeWithoutContent_waitsForTheRoot() {
        UNFILLED.subject()
                .message(1, request(1, AppliedDiffs.EMPTY))
                .expect(send(0, new BaseRequest(PAGE)))
                .message(2, request(2, AppliedDiffs.EMPTY))
                .expect()
                .message(0, new BaseReply(PAGE, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        count(NodeCounter.PAGES_SENT),
                        send(1, answer(AppliedDiffs.EMPTY)),
                        count(NodeCounter.PAGES_SENT),
                        send(2, answer(AppliedDiffs.EMPTY)));
    }

    @Test
    void requestForWhatTheHomeItselfHasStored_isNeverDeferred() {
        HOME_DIRTY
                .subject()
                .leave(LEAVING)
                .quietly()
                .message(1, request(1, AppliedDiffs.EMPTY.with(node(HOME), 1)))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(1, answer(AppliedDiffs.EMPTY.with(node(HOME), 1))));
    }

    @Test
    void requestAtANodeThatIsNotTheHome_isImpossible() {
        Subject<Msg> subject = CLEAN.subject();

        subject.expectViolation(
                "Clean",
                () -> subject.message(2, request(2, AppliedDiffs.EMPTY)),
                "VersionRequest");
    }

    @Test
    void requestForIdlePage_isAnsweredWithItsZeros() {
        IDLE_HOME
                .subject()
                .message(1, request(1, AppliedDiffs.EMPTY))
                .expect(count(NodeCounter.PAGES_SENT), send(1, answer(AppliedDiffs.EMPTY)));
    }

    // flushes at a home

    @Test
    void flushOfAnIdlePage_fillsItFirst() {
        IDLE_HOME
                .subject()
                .message(2, flush(2))
                .expect(
                        new Effect.InstallPage(FIRST, PAGE, Payload.ZERO_PAGE, PageAccess.NONE),
                        APPLY)
                .expectState("HomeClean");
    }

    @Test
    void emptyFlush_bumpsTheVersion() {
        HOME_CLEAN
                .subject()
                .message(
                        2,
                        new HomeFlush(
                                node(2), 1, false, List.of(new FlushedPage(PAGE, Payload.NONE))))
                .expect()
                .message(1, request(1, OF_2))
                .expect(count(NodeCounter.PAGES_SENT), send(1, answer(OF_2)));
    }

    @Test
    void flushOfTheRootAheadOfItsImage_isInTheImage() {
        AppliedDiffs ofRoot = AppliedDiffs.EMPTY.with(node(0), 1);

        for (HomeBasedState state : List.of(UNFILLED, FILLING)) {
            state.subject()
                    .message(0, flush(0))
                    .expect()
                    .expectState(state == UNFILLED ? "Unfilled" : "Filling");
        }
        FILLING.subject()
                .message(0, flush(0))
                .message(0, new BaseReply(PAGE, IMAGE))
                .quietly()
                .message(1, request(1, ofRoot))
                .expect(count(NodeCounter.PAGES_SENT), send(1, answer(ofRoot)));
        Subject<Msg> subject = UNFILLED.subject();
        subject.expectViolation("Unfilled", () -> subject.message(2, flush(2)), "HomeFlush");
    }

    @Test
    void flushThatAsksForIt_isAcknowledged() {
        HomeFlush asking =
                new HomeFlush(node(2), 1, true, List.of(new FlushedPage(PAGE, Payload.NONE)));

        HOME_CLEAN.subject().message(2, asking).expect(send(2, new HomeBasedMessages.FlushAck()));
    }

    @Test
    void flushAtANodeThatIsNotTheHome_isImpossible() {
        for (HomeBasedState state : List.of(CLEAN, DIRTY, STALE, IDLE)) {
            Subject<Msg> subject = state.subject();
            subject.expectViolation(
                    subject.protocol.snapshot(PAGE).state(),
                    () -> subject.message(2, flush(2)),
                    "HomeFlush");
        }
    }

    // replies

    @Test
    void replyThatIsOlderThanTheNeed_isNotInstalled() {
        noticed(FETCHING.subject())
                .quietly()
                .message(HOME, reply(AppliedDiffs.EMPTY))
                .expect(send(HOME, request(1, OF_2)))
                .message(HOME, reply(OF_2))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ));
    }

    @Test
    void replyOlderThanTheRequest_isImpossible() {
        Subject<Msg> subject = STALE.subject().readFault().quietly();

        subject.expectViolation(
                "Fetching", () -> subject.message(HOME, reply(AppliedDiffs.EMPTY)), "VersionReply");
    }

    @Test
    void acquireThatMeetsAFetchWhoseNeedHasGrownTwice_waitsForItsEnd() {
        GatedAcquire third = new GatedAcquire.Token(new LockId("third"));
        Subject<Msg> subject = noticed(FETCHING.subject());
        acquireOf(subject, 4, TOKEN);
        subject.expect().quietly();

        acquireOf(subject, 5, third);

        AppliedDiffs two = OF_2.with(node(4), 1);
        subject.expectAcquired()
                .message(HOME, reply(two))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ),
                        arm(FakeContext.HOLD_NANOS))
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expectAcquired(third);
    }

    private static void acquireOf(Subject<Msg> subject, int writer, GatedAcquire gate) {
        subject.acquire(
                gate,
                writer,
                HomeBasedState.noticeOf(writer),
                subject.context.clock().have().with(node(writer), 1));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"FETCHING", "AHEAD"},
            mode = EnumSource.Mode.EXCLUDE)
    void replyThatNobodyWaitsFor_isImpossible(HomeBasedState state) {
        Subject<Msg> subject = state.subject();
        subject.expectViolation(
                subject.protocol.snapshot(PAGE).state(),
                () -> subject.message(HOME, reply(OF_2)),
                "VersionReply");
    }

    // the first content

    @Test
    void baseRequest_isAnsweredWithWhatTheInitializationLeft() {
        Payload page = new Payload.PageImage(PAGE);
        IDLE.subject()
                .message(HOME, new BaseRequest(PAGE))
                .expect(count(NodeCounter.PAGES_SENT), send(HOME, new BaseReply(PAGE, page)));
        IDLE.subject()
                .writeFault()
                .quietly()
                .message(HOME, new BaseRequest(PAGE))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(HOME, new BaseReply(PAGE, new Payload.TwinImage(PAGE))));
        Subject<Msg> fetching = noticed(IDLE.subject()).readFault().quietly();
        fetching.expectViolation( // a node can only have stored if the home has the content
                "Fetching", () -> fetching.message(HOME, new BaseRequest(PAGE)), "BaseRequest");
    }

    @Test
    void baseReplyThatNobodyWaitsFor_isImpossible() {
        Subject<Msg> subject = HOME_CLEAN.subject();
        subject.expectViolation(
                "HomeClean", () -> subject.message(0, new BaseReply(PAGE, IMAGE)), "BaseReply");
    }

    // losses

    @Test
    void lossOfANode_poisonsWhatThreadsWaitFor() {
        for (HomeBasedState state : List.of(FETCHING, FILLING)) {
            state.subject().peerLost(7).expect(poison());
        }
        HOME_STALE.subject().writeFault().peerLost(7).expect(poison());
        STALE.subject().peerLost(7).expect().readFault().expect(poison());
        ABSENT.subject().peerLost(7).readFault().expect(poison());
        UNFILLED.subject().peerLost(7).readFault().expect(poison());
        CLEAN.subject().peerLost(7).expect().readFault().expect(resume(PageAccess.READ));
    }
}
