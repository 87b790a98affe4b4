package io.muninn.coherence.weak;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.weak.WeakState.ABSENT;
import static io.muninn.coherence.weak.WeakState.CENTRALIZED;
import static io.muninn.coherence.weak.WeakState.CLEAN;
import static io.muninn.coherence.weak.WeakState.CLOSING;
import static io.muninn.coherence.weak.WeakState.DIRTY;
import static io.muninn.coherence.weak.WeakState.FILLING;
import static io.muninn.coherence.weak.WeakState.HOME;
import static io.muninn.coherence.weak.WeakState.HOME_CLEAN;
import static io.muninn.coherence.weak.WeakState.HOME_DIRTY;
import static io.muninn.coherence.weak.WeakState.IDLE;
import static io.muninn.coherence.weak.WeakState.IDLE_HOME;
import static io.muninn.coherence.weak.WeakState.IMMEDIATE;
import static io.muninn.coherence.weak.WeakState.INITIAL;
import static io.muninn.coherence.weak.WeakState.MAPPING;
import static io.muninn.coherence.weak.WeakState.TOKEN;
import static io.muninn.coherence.weak.WeakState.UNFILLED;
import static io.muninn.coherence.weak.WeakState.WITHDRAWING;
import static io.muninn.coherence.weak.WeakState.acquire;
import static io.muninn.coherence.weak.WeakState.clean;
import static io.muninn.coherence.weak.WeakState.noticed;
import static io.muninn.coherence.weak.WeakState.of;
import static io.muninn.coherence.weak.WeakState.reply;
import static io.muninn.coherence.weak.WeakState.unsafe;
import static io.muninn.model.MappingId.FIRST;

import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.weak.WeakMessages.CheckReply;
import io.muninn.coherence.weak.WeakMessages.CheckRequest;
import io.muninn.coherence.weak.WeakMessages.ContentReply;
import io.muninn.coherence.weak.WeakMessages.ContentRequest;
import io.muninn.coherence.weak.WeakMessages.EnterReply;
import io.muninn.coherence.weak.WeakMessages.EnterRequest;
import io.muninn.coherence.weak.WeakMessages.Leave;
import io.muninn.coherence.weak.WeakMessages.ListReply;
import io.muninn.coherence.weak.WeakMessages.ListRequest;
import io.muninn.coherence.weak.WeakMessages.Msg;
import io.muninn.coherence.weak.WeakMessages.Notices;
import io.muninn.coherence.weak.WeakMessages.NoticesAck;
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.PublishedPage;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.model.BarrierId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cells of the table of {@link Weak} at nodes that are not the page's home. */
class WeakTest {
    private static final GatedRelease LEAVING =
            new GatedRelease.Arrival(new BarrierId("sweep"), 1, 0);
    private static final GatedRelease ELAPSED = new GatedRelease.Elapsed();
    private static final Effect MAKE_TWIN = new Effect.MakeTwin(PAGE);
    private static final Effect DROP_TWIN = new Effect.DropTwin(PAGE);
    private static final Effect WITHDRAW = new Effect.Withdraw(FIRST, PAGE, 1);
    private static final Effect ENTER = send(HOME, new EnterRequest(PAGE));
    private static final Effect LEAVE = send(HOME, new Leave(List.of(PAGE)));
    private static final Effect ACK = send(HOME, new NoticesAck());
    private static final Notices NOTICES = new Notices(List.of(PAGE));

    private static Effect saveDiff(long number) {
        return new Effect.SaveDiff(PAGE, number, false);
    }

    private static Effect dropDiff(long number) {
        return new Effect.DropDiff(PAGE, number);
    }

    private static Effect publish(long message, boolean announces, Payload diff) {
        List<PublishedPage> pages = List.of(new PublishedPage(PAGE, diff));
        return send(HOME, new Publish(message, announces, pages));
    }

    private static Effect publishDiff(long message, long number) {
        return publish(message, true, new Payload.SavedDiff(PAGE, number));
    }

    // faults

    @Test
    void faultOnAbsentPage_entersItAtItsHome() {
        ABSENT.subject().readFault().expect(ENTER).expectState("Mapping");
        ABSENT.subject().writeFault().expect(ENTER).expectState("Mapping");
    }

    // prefetches

    @Test
    void prefetchOfAbsentPage_entersItForNobody() {
        Subject<Msg> subject = ABSENT.subject();
        subject.prefetch(1, Mode.WRITE)
                .expect(ENTER, count(NodeCounter.PAGES_AHEAD))
                .expectState("Mapping")
                .message(HOME, reply())
                .expect(count(NodeCounter.PAGES_FETCHED), install(PageAccess.NONE))
                .expectState("Clean");
        subject.readFault().expect(count(NodeCounter.PREFETCH_HITS), resume(PageAccess.READ));
        subject.readFault().expect(resume(PageAccess.READ));
    }

    @Test
    void faultOnAPageBeingPrefetched_isLate() {
        ABSENT.subject()
                .prefetch(1, Mode.READ)
                .quietly()
                .readFault()
                .expect(count(NodeCounter.PREFETCHES_LATE))
                .message(HOME, reply())
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ));
    }

    @Test
    void prefetchOfAPageThatIsHereOrUnderWay_isUnnecessary() {
        for (WeakState state :
                List.of(MAPPING, CLEAN, DIRTY, WITHDRAWING, CLOSING, IDLE, INITIAL, HOME_DIRTY)) {
            state.subject()
                    .prefetch(1, Mode.READ)
                    .expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
        }
    }

    /** Nobody has used it, so it is not held, and nobody waits for it afterwards. */
    @Test
    void acquireThatMeetsAPrefetchedPage_discardsItAtOnce() {
        Subject<Msg> subject =
                ABSENT.subject().prefetch(1, Mode.READ).message(HOME, reply()).quietly();
        subject.message(HOME, NOTICES).quietly();
        acquire(subject).expect(count(NodeCounter.INVALIDATIONS), WITHDRAW);
        subject.withdrawn()
                .expect(discard(), count(NodeCounter.PREFETCHES_INVALIDATED), LEAVE)
                .expectState("Absent");
    }

    /** The acquire could not check the copy, so it is requested again. */
    @Test
    void prefetchThatAnAcquireOvertakes_isRepeated() {
        Subject<Msg> subject = ABSENT.subject().prefetch(1, Mode.READ).quietly();
        acquire(subject)
                .quietly()
                .message(HOME, new EnterReply(PAGE, true, false, IMAGE))
                .expect(count(NodeCounter.DEAD_IMAGES), ENTER)
                .expectState("Mapping");
    }

    @Test
    void faultOnAPageBeingEntered_joinsAndAStoreGetsItsTwinWithTheCopy() {
        MAPPING.subject().readFault().expect();
        MAPPING.subject()
                .writeFault()
                .expect()
                .message(HOME, reply())
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
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
        CLEAN.subject().twinMade().expect(count(NodeCounter.TWINS_MADE)).expectState("Dirty");
    }

    @Test
    void faultOnAPageThatTakesStores_resumes() {
        for (WeakState state : List.of(DIRTY, INITIAL, HOME_DIRTY)) {
            state.subject().readFault().expect(resume(PageAccess.READ_WRITE));
            state.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
        }
    }

    @Test
    void faultOnAPageBeingDiscarded_entersItAgainBehindItsStores() {
        WITHDRAWING.subject().readFault().expect().withdrawn().expect(discard(), LEAVE, ENTER);
        CLOSING.subject()
                .writeFault()
                .expect()
                .withdrawn()
                .expect(saveDiff(1))
                .saved(1, 2)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        publishDiff(1, 1),
                        dropDiff(1),
                        DROP_TWIN,
                        discard(),
                        LEAVE,
                        ENTER)
                .expectState("Mapping");
    }

    @Test
    void faultOnTheRoot_usesWhatItHasInitialized() {
        of(0, Home.CYCLIC).readFault().expect(resume(PageAccess.READ_WRITE)).expectState("Initial");
        IDLE.subject().readFault().expect(resume(PageAccess.READ)).expectState("Clean");
        IDLE.subject()
                .writeFault()
                .expect(MAKE_TWIN, count(NodeCounter.TWINS_MADE), resume(PageAccess.READ_WRITE));
        IDLE_HOME.subject().readFault().expect(resume(PageAccess.READ)).expectState("HomeClean");
        IDLE_HOME
                .subject()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .expectState("HomeDirty");
    }

    @Test
    void sealing_withdrawsWhatWasInitialized() {
        INITIAL.subject().sealed().expect(WITHDRAW).expectState("HomeClean").withdrawn().expect();
        of(0, Home.CYCLIC).writeFault().quietly().sealed().expect(WITHDRAW).expectState("Clean");
    }

    @Test
    void contentRequest_getsThePageOrTheTwin() {
        Payload page = new Payload.PageImage(PAGE);
        ContentRequest request = new ContentRequest(PAGE);
        IDLE.subject()
                .message(HOME, request)
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(HOME, new ContentReply(PAGE, false, page)))
                .expectState("Absent");
        IDLE.subject()
                .readFault()
                .quietly()
                .message(HOME, request)
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(HOME, new ContentReply(PAGE, true, page)));
        IDLE.subject()
                .writeFault()
                .quietly()
                .message(HOME, request)
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(HOME, new ContentReply(PAGE, true, new Payload.TwinImage(PAGE))))
                .expectState("Dirty");
    }

    // releases

    @Test
    void release_waitsUntilItsStoresArePublished() {
        DIRTY.subject()
                .release(LEAVING)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), saveDiff(1))
                .expectState("Clean")
                .saved(1, 2)
                .expect(count(NodeCounter.DIFFS_MADE), DROP_TWIN, publishDiff(1, 1), dropDiff(1))
                .expectPerformed()
                .message(HOME, new PublishAck(1))
                .expectPerformed(LEAVING);
    }

    @Test
    void releaseWithoutAChange_publishesNothing() {
        DIRTY.subject()
                .release(LEAVING)
                .quietly()
                .saved(1, 0)
                .expect(count(NodeCounter.DIFFS_EMPTY), DROP_TWIN)
                .expectPerformed(LEAVING);
        CLEAN.subject().release(LEAVING).expect().expectPerformed(LEAVING);
    }

    @Test
    void secondRelease_waitsForThePublicationOfTheFirst() {
        GatedRelease second = new GatedRelease.Call(7);
        DIRTY.subject()
                .release(LEAVING)
                .saved(1, 2)
                .release(second)
                .expectPerformed()
                .message(HOME, new PublishAck(1))
                .expectPerformed(LEAVING, second);
    }

    @Test
    void releaseOfATrapBetweenTwinAndStore_leavesThePageDirty() {
        DIRTY.subject()
                .release(LEAVING)
                .quietly()
                .savedAndKept(1, 2)
                .expect(count(NodeCounter.DIFFS_MADE), publishDiff(1, 1), dropDiff(1))
                .expectState("Dirty");
    }

    @Test
    void timedFlush_publishesNothing() {
        DIRTY.subject().release(ELAPSED).expect().expectPerformed(ELAPSED).expectState("Dirty");
    }

    @Test
    void releaseThatMeetsADiscardedDirtyPage_waitsForItsStores() {
        CLOSING.subject()
                .release(LEAVING)
                .expect()
                .expectPerformed()
                .withdrawn()
                .saved(1, 2)
                .expectPerformed()
                .message(HOME, new PublishAck(1))
                .expectPerformed(LEAVING);
    }

    @Test
    void fullWindow_delaysDiffsButNotThoseOfAPageThatIsEnteredAgain() {
        FakeContext context = WeakState.of(1, Home.CYCLIC).context;
        MessageLimits limits = new MessageLimits(1, 1, 1, 1);
        context.updates(UpdateRules.DEFAULT.withLimits(limits));
        Subject<Msg> subject = new Subject<>(context, Weak::new);
        subject.writeFault().message(HOME, reply()).release(LEAVING).saved(1, 2).quietly();
        subject.writeFault()
                .release(LEAVING)
                .saved(2, 2)
                .expect(
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(PageAccess.READ_WRITE),
                        count(NodeCounter.FLUSHES),
                        access(PageAccess.READ),
                        saveDiff(2),
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN);
        noticed(subject)
                .quietly()
                .withdrawn()
                .expect(discard(), publishDiff(2, 2), dropDiff(2), LEAVE);
        subject.message(HOME, new PublishAck(1))
                .expectPerformed(LEAVING)
                .message(HOME, new PublishAck(2))
                .expectPerformed(LEAVING);
    }

    // immediate transitions

    @Test
    void firstStoreOfAnImmediateTransition_isAnnouncedAndItsReleaseWaits() {
        clean(IMMEDIATE)
                .writeFault()
                .expect(
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        publish(1, true, Payload.NONE),
                        resume(PageAccess.READ_WRITE))
                .release(LEAVING)
                .saved(2, 2)
                .expect(
                        count(NodeCounter.FLUSHES),
                        access(PageAccess.READ),
                        saveDiff(2),
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        publish(2, false, new Payload.SavedDiff(PAGE, 2)),
                        dropDiff(2))
                .message(HOME, new PublishAck(2))
                .expectPerformed()
                .message(HOME, new PublishAck(1))
                .expectPerformed(LEAVING)
                .writeFault()
                .expect(MAKE_TWIN, count(NodeCounter.TWINS_MADE), resume(PageAccess.READ_WRITE));
    }

    @Test
    void pageEnteredAgain_isAnnouncedAgain() {
        Subject<Msg> subject = clean(IMMEDIATE).writeFault().quietly();
        noticed(subject).quietly().withdrawn().saved(2, 2).quietly();
        subject.writeFault()
                .message(HOME, reply())
                .expect(
                        ENTER,
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        publish(3, true, Payload.NONE),
                        resume(PageAccess.READ_WRITE));
    }

    // notices and acquires

    @Test
    void notice_isAcknowledgedAndTheAcquireDiscardsTheCopy() {
        CLEAN.subject().message(HOME, NOTICES).expect(ACK).expectState("Clean");
        WITHDRAWING.subject().expectAcquired();
        noticed(CLEAN.subject())
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectState("Withdrawing")
                .withdrawn()
                .expect(discard(), LEAVE)
                .expectAcquired(TOKEN)
                .expectState("Absent");
    }

    @Test
    void noticeOfADirtyPage_publishesItsStoresFirst() {
        noticed(DIRTY.subject())
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .saved(1, 2)
                .expect(
                        saveDiff(1),
                        count(NodeCounter.DIFFS_MADE),
                        publishDiff(1, 1),
                        dropDiff(1),
                        DROP_TWIN,
                        discard(),
                        LEAVE)
                .expectAcquired(TOKEN);
    }

    @Test
    void noticeOfACopyThatIsGoneOrNewer_isAcknowledgedAndForgotten() {
        for (WeakState state : List.of(ABSENT, MAPPING, WITHDRAWING, CLOSING)) {
            Subject<Msg> subject = state.subject();
            String before = subject.protocol.snapshot(PAGE).state();
            subject.message(HOME, NOTICES).message(HOME, new UnsafePages(List.of(PAGE)));
            subject.expect(ACK, ACK).expectState(before);
        }
        acquire(MAPPING.subject().message(HOME, NOTICES))
                .expect(ACK)
                .expectAcquired(TOKEN)
                .message(HOME, reply())
                .expectState("Clean");
    }

    @Test
    void acquireWithoutNotices_isPerformedAtOnce() {
        acquire(CLEAN.subject()).expect().expectAcquired(TOKEN).expectState("Clean");
    }

    @Test
    void secondAcquire_waitsForTheCopiesThatTheFirstDiscards() {
        Subject<Msg> subject = WITHDRAWING.subject();
        acquire(subject).expectAcquired();
        subject.withdrawn().expectAcquired(TOKEN, TOKEN);
    }

    @Test
    void trapWithinAWithdrawal_refusesOrLeavesStores() {
        WITHDRAWING
                .subject()
                .twinMade()
                .expect(count(NodeCounter.TWINS_MADE))
                .expectState("Closing");
        WITHDRAWING.subject().refused().expect(arm(20_000)).holdOver().expect(WITHDRAW);
    }

    @Test
    void pageJustObtained_isNotWithdrawnWithinTheHoldTime() {
        Subject<Msg> subject = CLEAN.subject();
        subject.context.letThreadsRun();
        noticed(subject).expect(arm(FakeContext.HOLD_NANOS)).expectAcquired();
        subject.passNanos(FakeContext.HOLD_NANOS)
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expectAcquired(TOKEN);
    }

    // unsafe pages

    @Test
    void unsafePage_isCheckedAtEachAcquireAndDiscardedIfItIsOld() {
        Subject<Msg> subject = MAPPING.subject().message(HOME, unsafe()).quietly();
        Effect check = send(HOME, new CheckRequest(List.of(PAGE)));
        acquire(subject).expect(check).expectAcquired();
        subject.message(HOME, new CheckReply(List.of())).expect().expectAcquired(TOKEN);
        acquire(subject)
                .expect(check)
                .message(HOME, new CheckReply(List.of(PAGE)))
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectAcquired()
                .withdrawn()
                .expectAcquired(TOKEN);
        acquire(subject.quietly()).expect().expectAcquired(TOKEN);
    }

    @Test
    void pageThatBecomesUnsafe_isCheckedFromThenOn() {
        Subject<Msg> subject =
                CLEAN.subject().message(HOME, new UnsafePages(List.of(PAGE))).expect(ACK);
        acquire(subject).expect(send(HOME, new CheckRequest(List.of(PAGE)))).expectAcquired();
    }

    @Test
    void listedUnsafePage_isNotChecked() {
        Subject<Msg> subject = MAPPING.subject().message(HOME, unsafe()).quietly();
        noticed(subject).expect(count(NodeCounter.INVALIDATIONS), WITHDRAW);
    }

    @Test
    void acquire_overtakesACopyThatTurnsOutToBeUnsafeOrListed() {
        EnterReply listed = new EnterReply(PAGE, false, true, IMAGE);
        for (EnterReply weak : List.of(unsafe(), listed)) {
            acquire(MAPPING.subject())
                    .expectAcquired(TOKEN)
                    .message(HOME, weak)
                    .expect(count(NodeCounter.DEAD_IMAGES), ENTER)
                    .expectState("Mapping")
                    .message(HOME, weak)
                    .expectState("Clean");
        }
    }

    @Test
    void acquireThatMeetsAPageEnteredAgainTwice_waitsForItsCopy() {
        Subject<Msg> subject = MAPPING.subject();
        acquire(subject).message(HOME, unsafe()).quietly();
        acquire(subject).message(HOME, unsafe()).quietly();
        acquire(subject).expectAcquired();
        subject.context.letThreadsRun();
        subject.message(HOME, unsafe())
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ),
                        arm(FakeContext.HOLD_NANOS))
                .passNanos(FakeContext.HOLD_NANOS)
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expectAcquired(TOKEN);
    }

    @Test
    void acquireThatHasWaitedForASafeCopy_keepsIt() {
        Subject<Msg> subject = MAPPING.subject();
        acquire(subject).message(HOME, unsafe()).quietly();
        acquire(subject).message(HOME, unsafe()).quietly();
        acquire(subject).expectAcquired();
        subject.message(HOME, reply()).expectAcquired(TOKEN).expectState("Clean");
    }

    // the centralized list

    @Test
    void acquireWithACentralizedList_readsItInParts() {
        Subject<Msg> subject = clean(CENTRALIZED);
        acquire(subject).expect(send(0, new ListRequest(0))).expectAcquired();
        subject.message(0, new ListReply(4, false, List.of(new PageId(0, 9))))
                .expect(send(0, new ListRequest(4)))
                .message(0, new ListReply(6, true, List.of(PAGE, PAGE)))
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expectAcquired(TOKEN)
                .quietly();
        acquire(subject).expect(send(0, new ListRequest(6)));
    }

    @Test
    void centralizedNotice_overtakesACopyThatIsUnderWay() {
        Subject<Msg> subject = of(1, Home.CYCLIC, CENTRALIZED).readFault().quietly();
        acquire(subject)
                .message(0, new ListReply(1, true, List.of(PAGE)))
                .expectAcquired(TOKEN)
                .quietly()
                .message(HOME, reply())
                .expect(count(NodeCounter.DEAD_IMAGES), ENTER);
    }

    @Test
    void centralizedNoticeOfAPageEnteredAgainTwice_discardsItsCopy() {
        Subject<Msg> subject = of(1, Home.CYCLIC, CENTRALIZED).readFault().quietly();
        for (int i = 1; i <= 3; i++) {
            acquire(subject).message(0, new ListReply(i, true, List.of(PAGE)));
            subject.quietly().message(HOME, reply());
        }
        subject.expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ),
                        count(NodeCounter.INVALIDATIONS),
                        WITHDRAW)
                .expectAcquired()
                .withdrawn()
                .expectAcquired(TOKEN);
    }

    // loss, and what is impossible

    @Test
    void loss_poisonsThePagesForWhichThreadsWait() {
        MAPPING.subject().peerLost(2).expect(poison());
        WITHDRAWING.subject().readFault().peerLost(2).expect(poison());
        CLOSING.subject().readFault().peerLost(2).expect(poison());
        FILLING.subject().peerLost(2).expect(poison());
        for (WeakState state : List.of(ABSENT, UNFILLED)) {
            state.subject().peerLost(2).expect().readFault().expect(poison());
        }
        MAPPING.subject().peerLost(2).quietly().readFault().expect(poison());
    }

    @ParameterizedTest
    @EnumSource(WeakState.class)
    void copies_areImpossibleUnlessTheyWereRequested(WeakState state) {
        if (state != MAPPING) {
            impossible(state, HOME, reply(), "EnterReply");
        }
        if (state != FILLING) {
            impossible(state, 0, new ContentReply(PAGE, true, IMAGE), "ContentReply");
        }
    }

    @ParameterizedTest
    @EnumSource(WeakState.class)
    void notices_areImpossibleAtTheHomeAndOfAPageThatNobodyHasMapped(WeakState state) {
        if (List.of(IDLE, IDLE_HOME, INITIAL, UNFILLED, FILLING, HOME_CLEAN, HOME_DIRTY)
                .contains(state)) {
            impossible(state, HOME, NOTICES, "Notices");
            impossible(state, HOME, new UnsafePages(List.of(PAGE)), "UnsafePages");
        }
    }

    @ParameterizedTest
    @EnumSource(WeakState.class)
    void twins_areMadeOfReadablePages(WeakState state) {
        if (!List.of(CLEAN, WITHDRAWING, HOME_CLEAN).contains(state)) {
            Subject<Msg> subject = state.subject();
            String name = subject.protocol.snapshot(PAGE).state();
            subject.expectViolation(name, subject::twinMade, "TwinMade");
        }
    }

    @ParameterizedTest
    @EnumSource(WeakState.class)
    void withdrawals_areImpossibleUnlessTheyWereBegun(WeakState state) {
        if (!List.of(CLEAN, WITHDRAWING, CLOSING, HOME_CLEAN).contains(state)) {
            Subject<Msg> subject = state.subject();
            String name = subject.protocol.snapshot(PAGE).state();
            subject.expectViolation(name, subject::withdrawn, "AccessWithdrawn");
        }
    }

    static void impossible(WeakState state, int from, Msg message, String event) {
        Subject<Msg> subject = state.subject();
        String name = subject.protocol.snapshot(PAGE).state();
        subject.expectViolation(name, () -> subject.message(from, message), event);
    }
}
