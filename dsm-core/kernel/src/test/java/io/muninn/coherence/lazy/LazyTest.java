package io.muninn.coherence.lazy;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.lazy.LazyState.ACQUIRE;
import static io.muninn.coherence.lazy.LazyState.ASK_IMAGE;
import static io.muninn.coherence.lazy.LazyState.DROP_TWIN;
import static io.muninn.coherence.lazy.LazyState.MAKE_TWIN;
import static io.muninn.coherence.lazy.LazyState.RELEASE;
import static io.muninn.coherence.lazy.LazyState.WITHDRAW;
import static io.muninn.coherence.lazy.LazyState.absent;
import static io.muninn.coherence.lazy.LazyState.acquire;
import static io.muninn.coherence.lazy.LazyState.allocated;
import static io.muninn.coherence.lazy.LazyState.apply;
import static io.muninn.coherence.lazy.LazyState.ask;
import static io.muninn.coherence.lazy.LazyState.clean;
import static io.muninn.coherence.lazy.LazyState.closed;
import static io.muninn.coherence.lazy.LazyState.closing;
import static io.muninn.coherence.lazy.LazyState.collect;
import static io.muninn.coherence.lazy.LazyState.dirty;
import static io.muninn.coherence.lazy.LazyState.fetching;
import static io.muninn.coherence.lazy.LazyState.imageReply;
import static io.muninn.coherence.lazy.LazyState.imageRequest;
import static io.muninn.coherence.lazy.LazyState.keep;
import static io.muninn.coherence.lazy.LazyState.name;
import static io.muninn.coherence.lazy.LazyState.own;
import static io.muninn.coherence.lazy.LazyState.reply;
import static io.muninn.coherence.lazy.LazyState.save;
import static io.muninn.coherence.lazy.LazyState.sendOwn;
import static io.muninn.coherence.lazy.LazyState.stale;
import static io.muninn.coherence.lazy.LazyState.withdrawing;
import static io.muninn.model.MappingId.FIRST;

import io.muninn.api.Mode;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyState.Writer;
import io.muninn.coherence.shared.HotPages;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.PageAccess;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.Payload;
import org.junit.jupiter.api.Test;

/**
 * The cells of the table of {@link Lazy} except those of messages. Node 1 is under test; node 0 is
 * the root.
 */
class LazyTest {
    // faults

    @Test
    void faultOnAbsentPage_asksTheRoot() {
        absent().readFault().expect(ASK_IMAGE);
        absent().writeFault().expect(ASK_IMAGE);
    }

    @Test
    void faultOnAbsentPageBehindANotice_asksTheWriterForACopy() {
        acquire(absent(), new Writer(3).stores())
                .expect()
                .readFault()
                .expect(send(3, imageRequest(1, 0)));
    }

    @Test
    void faultOnPageBeingFetched_joins() {
        fetching()
                .writeFault()
                .expect()
                .message(3, reply(name(3, 1)))
                .expect(
                        keep(1),
                        apply(1),
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void faultOnCleanPage_resumesAndStoresNeedATwin() {
        clean().readFault().expect(resume(PageAccess.READ));
        clean().writeFault()
                .expect(MAKE_TWIN, count(NodeCounter.TWINS_MADE), resume(PageAccess.READ_WRITE));
        dirty().readFault().expect(resume(PageAccess.READ_WRITE));
        dirty().writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void storeToClosedPage_keepsTheTwinAndMakesNoDiff() {
        closed().readFault().expect(resume(PageAccess.READ));
        closed().writeFault().expect(resume(PageAccess.READ_WRITE));
        closed().twinMade().expect();
    }

    @Test
    void faultOnPageBeingWithdrawn_joins() {
        withdrawing()
                .readFault()
                .expect()
                .withdrawn()
                .expect(ask(3, name(3, 1)))
                .expectAcquired(ACQUIRE);
        closing()
                .writeFault()
                .expect()
                .withdrawn()
                .expect(save(1, false))
                .expectAcquired()
                .saved(1, 1)
                .expect(count(NodeCounter.DIFFS_MADE), DROP_TWIN, ask(3, name(3, 1)))
                .expectAcquired(ACQUIRE);
    }

    @Test
    void trapsTwin_isNotedAndTellsOfNothingWhereThereIsOne() {
        clean().twinMade()
                .expect(count(NodeCounter.TWINS_MADE))
                .release(RELEASE)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ));
        withdrawing()
                .twinMade()
                .expect(count(NodeCounter.TWINS_MADE))
                .withdrawn()
                .expect(save(1, false));
        closing().twinMade().expect().withdrawn().expect(save(1, false));
        absent().expectViolation("Absent", () -> absent().twinMade(), "TwinMade");
        dirty().expectViolation("Dirty", () -> dirty().twinMade(), "TwinMade");
        stale().expectViolation("Stale", () -> stale().twinMade(), "TwinMade");
        fetching().expectViolation("Fetching", () -> fetching().twinMade(), "TwinMade");
    }

    // allocated regions

    @Test
    void pageOfAnAllocatedRegion_isZerosOnEveryNode() {
        allocated(1).readFault().expect(resume(PageAccess.READ));
        allocated(1)
                .writeFault()
                .expect(MAKE_TWIN, count(NodeCounter.TWINS_MADE), resume(PageAccess.READ_WRITE));
        allocated(0).sealed().readFault().expect(resume(PageAccess.READ));
        allocated(1).prefetch(1, Mode.READ).expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
        allocated(1)
                .expectViolation(
                        "Zeros", () -> allocated(1).message(2, imageRequest(2, 0)), "ImageRequest");
    }

    @Test
    void pageOfAnAllocatedRegionBehindANotice_getsZerosAndTheDiff() {
        acquire(allocated(1), new Writer(3).stores())
                .expect()
                .expectAcquired(ACQUIRE)
                .readFault()
                .expect(
                        new Effect.InstallPage(FIRST, PAGE, Payload.ZERO_PAGE, PageAccess.NONE),
                        ask(3, name(3, 1)))
                .message(3, reply(name(3, 1)))
                .expect(keep(1), apply(1), resume(PageAccess.READ));
    }

    @Test
    void pageOfAnAllocatedRegionThatIsCollected_comesFromItsKeeper() {
        collect(allocated(1), 1, new Writer(3).stores())
                .expect()
                .expectCollected(1L)
                .readFault()
                .expect(send(3, imageRequest(1, 1)));
    }

    // releases

    @Test
    void release_protectsDirtyPagesAndIsPerformedAtOnce() {
        dirty().release(RELEASE)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ))
                .expectPerformed(RELEASE);
        dirty().release(new GatedRelease.Elapsed())
                .expect()
                .expectPerformed(new GatedRelease.Elapsed());
        closed().release(RELEASE).expect().expectPerformed(RELEASE);
    }

    // hot pages

    /** Stored to in intervals 1 and 2, and writable since. */
    private static Subject<Msg> hot() {
        Subject<Msg> subject = clean();
        subject.context.twins(new AdaptiveTwinRules(2, 2));
        return subject.writeFault()
                .leave(RELEASE)
                .writeFault()
                .quietly()
                .leave(RELEASE)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_HEATED),
                        count(NodeCounter.TWINS_KEPT));
    }

    @Test
    void hotPage_isListedByEachReleaseAndProtectedAfterSome() {
        hot().leave(RELEASE)
                .expect(count(NodeCounter.FLUSHES), count(NodeCounter.TWINS_KEPT))
                .leave(RELEASE)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_COOLED),
                        access(PageAccess.READ))
                .leave(RELEASE)
                .expect()
                .message(2, own(1L, 2L, 3L, 4L))
                .expect(save(1, false));
    }

    @Test
    void requestForAHotPage_comparesItAndThreadsStoreOn() {
        hot().message(2, own(1L, 2L))
                .expect(save(1, true))
                .savedAndKept(1, 1)
                .quietly()
                .leave(RELEASE)
                .quietly()
                .message(2, own(3L))
                .expect(save(3, true));
    }

    @Test
    void pageThatIsStoredToRightAfterItsHeat_staysWritableForTwiceAsManyReleases() {
        Subject<Msg> subject = hot().leave(RELEASE).leave(RELEASE).quietly(); // protected now
        subject.writeFault()
                .quietly()
                .leave(RELEASE)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_HEATED),
                        count(NodeCounter.TWINS_KEPT));
        for (int i = 1; i < 4; i++) {
            subject.leave(RELEASE)
                    .expect(count(NodeCounter.FLUSHES), count(NodeCounter.TWINS_KEPT));
        }
        subject.leave(RELEASE)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_COOLED),
                        access(PageAccess.READ));
    }

    @Test
    void hotPageThatAComparisonFindsUnchanged_isProtectedByTheNextRelease() {
        hot().message(2, own(1L, 2L))
                .expect(save(1, true))
                .savedAndKept(1, 0)
                .quietly()
                .leave(RELEASE)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_COOLED),
                        access(PageAccess.READ));
    }

    @Test
    void noticeForAHotPage_listsAndWithdrawsItAndItIsHotNoMore() {
        acquire(hot(), new Writer(3).stores())
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expect(save(1, false))
                .saved(1, 1)
                .quietly()
                .writeFault()
                .message(3, reply(name(3, 1)))
                .quietly()
                .leave(RELEASE)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ));
    }

    @Test
    void pageStoredToNowAndThen_isProtected() {
        Subject<Msg> subject = clean();
        subject.context.twins(new AdaptiveTwinRules(2, 2));
        subject.writeFault().leave(RELEASE);
        for (int i = 0; i < HotPages.STEP_MAX; i++) {
            subject.context.clock().stored();
            subject.context.clock().endInterval();
        }

        subject.writeFault()
                .quietly()
                .leave(RELEASE)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ));
    }

    // acquires

    @Test
    void notice_withdrawsTheCopyAndTheAcquireWaits() {
        acquire(clean(), new Writer(3).stores())
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectAcquired()
                .withdrawn()
                .expect()
                .expectAcquired(ACQUIRE);
    }

    @Test
    void noticeOfWhatTheCopyHas_isIgnored() {
        Subject<Msg> subject =
                absent().readFault()
                        .message(0, imageReply(AppliedDiffs.EMPTY.with(node(3), 1), IMAGE))
                        .quietly();

        acquire(subject, new Writer(3).stores()).expect().expectAcquired(ACQUIRE);
    }

    @Test
    void noticeForClosedPage_makesTheDiffFirst() {
        acquire(closed(), new Writer(3).stores())
                .expect(save(1, false), count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .saved(1, 0)
                .expect(count(NodeCounter.DIFFS_EMPTY), DROP_TWIN)
                .withdrawn()
                .expect()
                .expectAcquired(ACQUIRE);
    }

    @Test
    void refusedPage_isWithdrawnAgain() {
        withdrawing()
                .refused()
                .expect(arm(20_000))
                .expectAcquired()
                .holdOver()
                .expect(WITHDRAW)
                .withdrawn()
                .expectAcquired(ACQUIRE);
    }

    @Test
    void pageRefusedAgain_isWithdrawnAfterTwiceTheTimeUpToALimit() {
        Subject<Msg> subject = withdrawing();
        for (long nanos = 20_000; nanos < 1_280_000; nanos *= 2) {
            subject.refused().expect(arm(nanos)).holdOver().expect(WITHDRAW);
        }
        subject.refused().expect(arm(1_280_000)).holdOver().expect(WITHDRAW);
        subject.refused().expect(arm(1_280_000)).holdOver().expect(WITHDRAW);

        subject.withdrawn().expectAcquired(ACQUIRE).holdOver().expect();
    }

    @Test
    void pageOfTheTrapThatIsAtWorkWhenItsDiffIsMade_isListedAgain() {
        acquire(closed(), new Writer(3).stores())
                .quietly()
                .savedAndKept(1, 1)
                .expect(count(NodeCounter.DIFFS_MADE))
                .refused()
                .holdOver()
                .quietly()
                .withdrawn()
                .expect(save(2, false));
        closed().message(2, own(1L))
                .quietly()
                .savedAndKept(1, 1)
                .expect(count(NodeCounter.DIFFS_MADE), sendOwn(2, 1))
                .release(RELEASE)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ));
    }

    @Test
    void pageJustFetched_isHeldIfThereAreThreads() {
        Subject<Msg> subject = absent();
        subject.context.letThreadsRun();
        subject.readFault().message(0, imageReply(AppliedDiffs.EMPTY, IMAGE)).quietly();

        acquire(subject, new Writer(3).stores())
                .expect(arm(FakeContext.HOLD_NANOS))
                .expectAcquired()
                .passNanos(FakeContext.HOLD_NANOS)
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expectAcquired(ACQUIRE);
    }

    // a node is lost

    @Test
    void loss_poisonsWhatThreadsWaitForAndWhatIsAskedForLater() {
        acquire(allocated(1), new Writer(3).stores())
                .peerLost(3)
                .expect()
                .readFault()
                .expect(poison())
                .writeFault()
                .expect(poison());
        fetching().peerLost(3).expect(poison());
        absent().readFault().quietly().peerLost(0).expect(poison());
        withdrawing().readFault().peerLost(3).expect(poison());
        closing().writeFault().peerLost(3).expect(poison());
        withdrawing().peerLost(3).expect().readFault().expect(poison());
        stale().peerLost(3).expect().writeFault().expect(poison());
        absent().peerLost(3).expect().readFault().expect(poison());
        stale().prefetch(1, Mode.READ)
                .quietly()
                .peerLost(3)
                .expect()
                .readFault()
                .expect(count(NodeCounter.PREFETCHES_LATE), poison());
        closed().peerLost(3).expect().writeFault().expect(resume(PageAccess.READ_WRITE));
    }
}
