package io.muninn.coherence.homebased;

import static io.muninn.coherence.FakeContext.HOLD_NANOS;
import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.homebased.HomeBasedState.noticeOf;
import static io.muninn.coherence.homebased.HomeBasedState.reply;
import static io.muninn.coherence.homebased.HomeBasedState.request;
import static io.muninn.model.MappingId.ALL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseReply;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFlush;
import io.muninn.coherence.homebased.HomeBasedMessages.Msg;
import io.muninn.coherence.shared.RefusedPages;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.BarrierId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.Views;
import io.muninn.spi.WaiterId;
import io.muninn.wire.Payload;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What {@link HomeBasedViews}'s table has beside that of {@link HomeBased}, on nodes of two
 * processes of one thread. The page has its home at node 1; node 5 is under test, too. Node 2 has
 * stored to the page in its first interval.
 */
class HomeBasedViewsTest {
    private static final int HOME = 1;
    private static final int SELF = 5;
    private static final BarrierId SWEEP = new BarrierId("sweep");
    private static final GatedRelease LEAVING = new GatedRelease.Arrival(SWEEP, 1, 0);
    private static final VectorTimestamp SEEN_2 =
            VectorTimestamp.zero(NodeId.LIVE_MAX).with(node(2), 1);
    private static final AppliedDiffs OF_2 = AppliedDiffs.EMPTY.with(node(2), 1);
    private static final MappingId FIRST = MappingId.FIRST;
    private static final MappingId SECOND = MappingId.of(1);

    private static final Effect MAKE_TWIN = new Effect.MakeTwin(PAGE);
    private static final Effect DROP_TWIN = new Effect.DropTwin(PAGE);
    private static final Effect MERGE = new Effect.MergePage(PAGE, IMAGE);

    private final GatedAcquire ofSecond = departure(SECOND);

    private static Subject<Msg> subject(int self, Views views) {
        FakeContext context = new FakeContext(self, Protocol.HOME_BASED, 16, Home.CYCLIC, 2);
        context.updates(UpdateRules.PLAIN.withViews(views));
        return new Subject<>(context, HomeBasedViews::new);
    }

    /** The first process has fetched the page. */
    private static Subject<Msg> clean(Views views) {
        return subject(SELF, views)
                .by(0)
                .readFault()
                .message(HOME, reply(AppliedDiffs.EMPTY))
                .quietly();
    }

    /** The first process has fetched the page, and stores to it. */
    private static Subject<Msg> dirty(Views views) {
        return clean(views).writeFault().quietly();
    }

    /**
     * The second process has acquired the store of node 2, which the copy lacks. That has ended an
     * interval with stores.
     */
    private Subject<Msg> stale(Subject<Msg> subject) {
        return noticed(subject, ofSecond).withdrawn(SECOND).quietly();
    }

    private static Subject<Msg> noticed(Subject<Msg> subject, GatedAcquire acquire) {
        return subject.acquire(acquire, 2, noticeOf(2), SEEN_2);
    }

    private static GatedAcquire departure(MappingId... of) {
        List<WaiterId> waiters =
                Arrays.stream(of).map(each -> new WaiterId(each, each.index())).toList();
        return new GatedAcquire.Departure(SWEEP, waiters, Bytes.EMPTY);
    }

    private static Effect withdraw(MappingId of) {
        return new Effect.Withdraw(of, PAGE, 1);
    }

    private static Effect resume(MappingId of, PageAccess access) {
        return new Effect.ResumeFault(of, PAGE, access);
    }

    private static AppliedDiffs own(long interval) {
        return OF_2.with(node(SELF), interval);
    }

    /** The first process stores to the page, and a release flushes it. */
    private static void flush(Subject<Msg> subject, long interval) {
        subject.by(0).writeFault().leave(LEAVING).saved(interval, 1).quietly();
    }

    private static Effect ownFlush(long interval) {
        Payload diff = new Payload.SavedDiff(PAGE, interval);
        return send(
                HOME,
                new HomeFlush(node(SELF), interval, false, List.of(new FlushedPage(PAGE, diff))));
    }

    // faults and notices

    @Test
    void faultOfAProcess_resumesItsThreadsOnly() {
        clean(Views.MERGING).by(1).readFault().expect(resume(SECOND, PageAccess.READ));
        dirty(Views.MERGING).by(1).readFault().expect(resume(SECOND, PageAccess.READ_WRITE));
        clean(Views.MERGING)
                .by(1)
                .writeFault()
                .expect(
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(SECOND, PageAccess.READ_WRITE));
    }

    @Test
    void notice_withdrawsThePageFromTheAcquiringProcess() {
        Subject<Msg> subject = noticed(dirty(Views.MERGING), ofSecond);

        subject.expect(count(NodeCounter.INVALIDATIONS), withdraw(SECOND)).expectAcquired();
        subject.withdrawn(SECOND).expect().expectAcquired(ofSecond).expectState("Dirty");
        assertEquals(List.of(SECOND), subject.protocol.snapshot(PAGE).stale());
        subject.by(0).writeFault().expect(resume(FIRST, PageAccess.READ_WRITE));
    }

    @Test
    void noticeOfWhatTheCopyContains_withdrawsNothing() {
        Subject<Msg> subject = stale(clean(Views.MERGING)).by(1).readFault();
        subject.message(HOME, reply(OF_2)).quietly();
        GatedAcquire ofFirst = departure(FIRST);

        noticed(subject, ofFirst).expect().expectAcquired(ofFirst);
    }

    @Test
    void refusedWithdrawal_isRepeatedForItsProcess() {
        noticed(clean(Views.MERGING), ofSecond)
                .quietly()
                .refused(SECOND)
                .expect(arm(RefusedPages.FIRST_NANOS))
                .holdOver()
                .expect(withdraw(SECOND))
                .expectAcquired();
    }

    @Test
    void pageWithinItsHoldTime_isWithdrawnAfterIt() {
        Subject<Msg> subject = subject(SELF, Views.MERGING);
        subject.context.letThreadsRun();
        subject.by(0).readFault().message(HOME, reply(AppliedDiffs.EMPTY)).quietly();

        noticed(subject, ofSecond).expect(arm(HOLD_NANOS)).expectAcquired();
        subject.passNanos(HOLD_NANOS)
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), withdraw(SECOND));
    }

    @Test
    void faultWhileAnAcquireWithdrawsThePage_waitsForIt() {
        noticed(clean(Views.TAKING), ofSecond)
                .quietly()
                .by(1)
                .readFault()
                .expect()
                .withdrawn(SECOND)
                .expect(withdraw(ALL))
                .expectState("Withdrawing");
    }

    // fetches that merge

    @Test
    void staleFault_asksAndTheSiblingGoesOn() {
        Subject<Msg> subject = stale(dirty(Views.MERGING));

        subject.by(1).readFault().expect(send(HOME, request(SELF, OF_2)));
        subject.expectState("DirtyAsked").readFault().expect(); // asked already
        subject.by(0).writeFault().expect(resume(FIRST, PageAccess.READ_WRITE));
        subject.message(HOME, reply(OF_2))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        MERGE,
                        resume(SECOND, PageAccess.READ_WRITE))
                .expectState("Dirty");
    }

    @Test
    void mergedImage_opensThePageToProcessesThatItSatisfies() {
        Subject<Msg> subject = stale(clean(Views.MERGING)).by(1).readFault().quietly();
        GatedAcquire ofFirst = departure(FIRST);
        VectorTimestamp more = SEEN_2.with(node(3), 1);
        subject.acquire(ofFirst, 3, noticeOf(3), more).withdrawn(FIRST).quietly();
        subject.by(0).readFault().expect();

        // the request did not name what the first process has acquired since
        subject.message(HOME, reply(OF_2))
                .expect(send(HOME, request(SELF, OF_2.with(node(3), 1))))
                .message(HOME, reply(OF_2.with(node(3), 1)))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        MERGE,
                        resume(FIRST, PageAccess.READ),
                        resume(SECOND, PageAccess.READ));
    }

    @Test
    void imageWithoutALaterFlush_isAskedForAgainAndThenThePageIsTaken() {
        Subject<Msg> subject = stale(dirty(Views.MERGING)).by(1).readFault().quietly();
        flush(subject, 2);
        subject.message(HOME, reply(OF_2)).expect(send(HOME, request(SELF, own(2))));
        flush(subject, 3);
        subject.expectState("CleanAsked")
                .message(HOME, reply(own(2)))
                .expect(withdraw(ALL))
                .expectState("Withdrawing")
                .withdrawn(ALL)
                .expect(send(HOME, request(SELF, own(3))))
                .message(HOME, reply(own(3)))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        new Effect.InstallPage(ALL, PAGE, IMAGE, PageAccess.NONE),
                        resume(SECOND, PageAccess.READ));
    }

    @Test
    void imageThatNobodyHasAskedFor_isImpossible() {
        Subject<Msg> subject = clean(Views.MERGING);
        subject.expectViolation("Clean", () -> subject.message(HOME, reply(OF_2)), "VersionReply");
    }

    // fetches that take

    @Test
    void dirtyPage_isTakenFromAllAndFlushedBeforeItIsFetched() {
        stale(dirty(Views.TAKING))
                .by(1)
                .readFault()
                .expect(withdraw(ALL))
                .expectState("Closing")
                .withdrawn(ALL)
                .expect(new Effect.SaveDiff(PAGE, 2, false))
                .saved(2, 2)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        send(HOME, request(SELF, own(2))),
                        ownFlush(2),
                        new Effect.DropDiff(PAGE, 2))
                .expectState("Fetching");
    }

    @Test
    void refusedTake_isRepeatedForAllProcesses() {
        stale(clean(Views.TAKING))
                .by(1)
                .readFault()
                .quietly()
                .refused(ALL)
                .expect(arm(RefusedPages.FIRST_NANOS))
                .holdOver()
                .expect(withdraw(ALL));
    }

    @Test
    void pageWithinItsHoldTime_isTakenAfterIt() {
        Subject<Msg> subject = stale(clean(Views.TAKING));
        subject.context.letThreadsRun();

        subject.by(1).readFault().expect(arm(HOLD_NANOS));
        subject.passNanos(HOLD_NANOS + 1).holdOver().expect(withdraw(ALL));
    }

    @Test
    void acquireThatMeetsATake_waitsForTheFetch() {
        Subject<Msg> subject = stale(clean(Views.TAKING)).by(1).readFault().quietly();
        GatedAcquire ofFirst = departure(FIRST);

        noticed(subject, ofFirst).expect().expectAcquired();
        subject.withdrawn(ALL)
                .message(HOME, reply(OF_2))
                .quietly()
                .holdOver()
                .expect()
                .expectAcquired(ofFirst);
    }

    @Test
    void faultsWhileThePageIsTaken_waitForTheImage() {
        stale(clean(Views.TAKING))
                .by(1)
                .readFault()
                .by(0)
                .writeFault()
                .withdrawn(ALL)
                .quietly()
                .message(HOME, reply(OF_2))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        new Effect.InstallPage(ALL, PAGE, IMAGE, PageAccess.NONE),
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(FIRST, PageAccess.READ_WRITE),
                        resume(SECOND, PageAccess.READ_WRITE));
    }

    // homes

    private static Subject<Msg> home() {
        return subject(HOME, Views.MERGING)
                .by(0)
                .readFault()
                .message(0, new BaseReply(PAGE, IMAGE))
                .quietly();
    }

    @Test
    void processAtTheHome_waitsForTheFlushAndTheSiblingGoesOn() {
        Subject<Msg> subject = stale(home()).by(1).readFault().expect();

        subject.by(0).readFault().expect(resume(FIRST, PageAccess.READ));
        subject.message(2, HomeBasedState.flush(2))
                .expect(new Effect.ApplyDiff(PAGE, IMAGE), resume(SECOND, PageAccess.READ))
                .expectState("HomeClean");
    }

    // several processes

    @Test
    void departureOfTwoProcesses_isPerformedWhenBothHaveLostThePage() {
        GatedAcquire ofBoth = departure(FIRST, SECOND);
        noticed(clean(Views.MERGING), ofBoth)
                .expect(
                        count(NodeCounter.INVALIDATIONS),
                        withdraw(FIRST),
                        count(NodeCounter.INVALIDATIONS),
                        withdraw(SECOND))
                .withdrawn(SECOND)
                .expectAcquired()
                .withdrawn(FIRST)
                .expectAcquired(ofBoth);
    }

    @Test
    void tokenWithoutAHolder_actsForNoProcess() {
        noticed(clean(Views.MERGING), HomeBasedState.TOKEN)
                .expect()
                .expectAcquired(HomeBasedState.TOKEN);
    }

    @Test
    void collection_waitsForTheOldestView() {
        Subject<Msg> subject = stale(clean(Views.MERGING));

        subject.collect(7, 2, Bytes.EMPTY, SEEN_2)
                .expect(count(NodeCounter.INVALIDATIONS), withdraw(FIRST))
                .expectCollected()
                .withdrawn(FIRST)
                .expectCollected(7L);
    }

    @Test
    void lossOfANode_poisonsThePagesForWhichProcessesWait() {
        Subject<Msg> subject = stale(clean(Views.MERGING)).by(1).readFault().quietly();

        subject.peerLost(HOME).expect(poison());
    }

    @Test
    void faultAfterALoss_poisonsOnlyForAStaleProcess() {
        Subject<Msg> subject = stale(clean(Views.MERGING)).peerLost(HOME).expect();

        subject.by(0).readFault().expect(resume(FIRST, PageAccess.READ));
        subject.by(1).readFault().expect(poison());
    }
}
