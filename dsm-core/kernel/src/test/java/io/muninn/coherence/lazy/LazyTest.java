package io.muninn.coherence.lazy;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.model.MappingId.ONLY;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every cell of the table of {@link Lazy}. Node 1 is under test; node 0 is the root. */
class LazyTest {
    private static final LockId LOCK = new LockId("lock");
    private static final GatedAcquire ACQUIRE = new GatedAcquire.Token(LOCK);
    private static final GatedRelease RELEASE = new GatedRelease.Token(LOCK, node(2));
    private static final Payload DIFF =
            new Payload.Received(MemorySegment.ofArray(new byte[] {7, 8}), false);
    private static final Effect MAKE_TWIN = new Effect.MakeTwin(PAGE);
    private static final Effect DROP_TWIN = new Effect.DropTwin(PAGE);
    private static final Effect WITHDRAW = new Effect.Withdraw(ONLY, PAGE, 1);
    private static final Effect ASK_IMAGE = send(0, new ImageRequest(PAGE, node(1), 0));

    /** Another node, which stores to the page. */
    private static final class Writer {
        private final int number;
        private final FakeContext context;
        private final WriteNotices notices;

        Writer(int number) {
            this.number = number;
            this.context = new FakeContext(number, Protocol.LAZY);
            this.notices = new WriteNotices(context, WriteNotices.Order.TIMESTAMPS);
        }

        /** Stores to the page in one interval more. */
        Writer stores() {
            context.clock().stored();
            notices.add(List.of(PAGE));
            context.clock().endInterval();
            context.clock().onReleasePerformed(context.clock().interval());
            return this;
        }

        /** Acquires what another has released. */
        Writer acquires(Writer other) {
            notices.deposit(node(other.number), other.cargo(number));
            context.clock().onDeposited(other.released());
            context.clock().onAcquirePerformed(other.released());
            return this;
        }

        VectorTimestamp released() {
            return context.clock().seen();
        }

        Bytes cargo(int to) {
            return notices.forMessage(node(to));
        }
    }

    private static Subject<Msg> acquire(Subject<Msg> subject, Writer from) {
        return subject.acquire(ACQUIRE, from.number, from.cargo(1), from.released());
    }

    private static DiffName name(int writer, long interval) {
        return new DiffName(node(writer), interval);
    }

    private static Effect ask(int writer, DiffName... diffs) {
        return send(writer, new DiffRequest(PAGE, List.of(diffs)));
    }

    private static DiffReply reply(DiffName... names) {
        return new DiffReply(
                PAGE, List.of(names).stream().map(name -> new NamedDiff(name, DIFF)).toList());
    }

    private static Effect sendOwn(int to, long interval) {
        return send(
                to,
                new DiffReply(
                        PAGE,
                        List.of(
                                new NamedDiff(
                                        name(1, interval),
                                        new Payload.SavedDiff(PAGE, interval)))));
    }

    private static DiffRequest own(Long... intervals) {
        return new DiffRequest(
                PAGE, List.of(intervals).stream().map(each -> name(1, each)).toList());
    }

    private static Effect keep(long number) {
        return new Effect.KeepDiff(PAGE, number, DIFF);
    }

    private static Effect apply(long number) {
        return new Effect.ApplyDiff(PAGE, new Payload.LastingDiff(PAGE, number));
    }

    private static Effect save(long interval, boolean keepTwin) {
        return new Effect.SaveDiff(PAGE, interval, keepTwin);
    }

    private static Effect sendImage(AppliedDiffs applied, Payload image) {
        return send(2, new ImageReply(PAGE, applied, image));
    }

    private static Subject<Msg> absent() {
        return new Subject<>(1, Protocol.LAZY, Lazy::new);
    }

    private static Subject<Msg> clean() {
        return absent().readFault()
                .message(0, new ImageReply(PAGE, AppliedDiffs.EMPTY, IMAGE))
                .quietly();
    }

    private static Subject<Msg> dirty() {
        return clean().writeFault().quietly();
    }

    private static Subject<Msg> release(Subject<Msg> subject) {
        return subject.leave(RELEASE);
    }

    /** Closed in interval 1. */
    private static Subject<Msg> closed() {
        return release(dirty()).quietly();
    }

    private static Subject<Msg> withdrawing() {
        return acquire(clean(), new Writer(3).stores()).quietly();
    }

    /** Listed in interval 1. */
    private static Subject<Msg> closing() {
        return acquire(dirty(), new Writer(3).stores()).quietly();
    }

    private static Subject<Msg> stale() {
        return withdrawing().withdrawn().quietly();
    }

    private static Subject<Msg> fetching() {
        return stale().readFault().quietly();
    }

    private static Subject<Msg> onRoot() {
        return new Subject<>(0, Protocol.LAZY, Lazy::new);
    }

    // faults

    @Test
    void faultOnAbsentPage_asksTheRoot() {
        absent().readFault().expect(ASK_IMAGE);
        absent().writeFault().expect(ASK_IMAGE);
    }

    @Test
    void faultOnAbsentPageBehindANotice_asksTheWriterAsWell() {
        acquire(absent(), new Writer(3).stores())
                .expect()
                .readFault()
                .expect(ASK_IMAGE, ask(3, name(3, 1)));
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

    // the root's initialization

    @Test
    void initialization_storesWithoutATwinUntilItIsOver() {
        onRoot().writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .readFault()
                .expect(resume(PageAccess.READ_WRITE))
                .sealed()
                .expect(WITHDRAW)
                .withdrawn()
                .expect()
                .message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        sendImage(AppliedDiffs.EMPTY, new Payload.PageImage(PAGE)));
    }

    @Test
    void untouchedPageOfTheRoot_isZeros() {
        Subject<Msg> root = onRoot().sealed();

        root.message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        sendImage(AppliedDiffs.EMPTY, Payload.ZERO_PAGE));
        root.readFault().expect(resume(PageAccess.READ));
        onRoot().sealed()
                .writeFault()
                .expect(MAKE_TWIN, count(NodeCounter.TWINS_MADE), resume(PageAccess.READ_WRITE));
    }

    @Test
    void untouchedPageBehindANotice_getsZerosAndTheDiff() {
        Writer writer = new Writer(3).stores();
        onRoot().sealed()
                .acquire(ACQUIRE, 3, writer.cargo(0), writer.released())
                .expect()
                .readFault()
                .expect(
                        new Effect.InstallPage(ONLY, PAGE, Payload.ZERO_PAGE, PageAccess.NONE),
                        ask(3, name(3, 1)));
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
                        .message(
                                0, new ImageReply(PAGE, AppliedDiffs.EMPTY.with(node(3), 1), IMAGE))
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
        subject.readFault().message(0, new ImageReply(PAGE, AppliedDiffs.EMPTY, IMAGE)).quietly();

        acquire(subject, new Writer(3).stores())
                .expect(arm(FakeContext.HOLD_NANOS))
                .expectAcquired()
                .passNanos(FakeContext.HOLD_NANOS)
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expectAcquired(ACQUIRE);
    }

    // fetches

    @Test
    void staleFault_asksOnlyWritersThatNoOtherCovers() {
        Writer first = new Writer(3).stores();
        Writer second = new Writer(4).acquires(first).stores();
        Writer alone = new Writer(5).stores();
        Writer all = new Writer(6).acquires(second).acquires(alone);

        acquire(absent(), all)
                .readFault()
                .expect(ASK_IMAGE, ask(4, name(3, 1), name(4, 1)), ask(5, name(5, 1)));
    }

    @Test
    void diffs_areAppliedInHappenedBeforeOrder() {
        Writer first = new Writer(4).stores();
        Writer second = new Writer(3).acquires(first).stores().stores();

        acquire(clean(), second)
                .withdrawn()
                .readFault()
                .quietly()
                .message(3, reply(name(3, 1), name(3, 2), name(4, 1)))
                .expect(
                        keep(1),
                        keep(2),
                        keep(3),
                        apply(3),
                        apply(1),
                        apply(2),
                        resume(PageAccess.READ));
    }

    @Test
    void diffThatTheWriterLacks_isAskedOfItsOwnWriter() {
        Writer first = new Writer(4).stores();
        Writer second = new Writer(3).acquires(first).stores();

        acquire(clean(), second)
                .withdrawn()
                .readFault()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW, ask(3, name(3, 1), name(4, 1)))
                .message(3, reply(name(3, 1)))
                .expect(keep(1), ask(4, name(4, 1)))
                .message(4, reply(name(4, 1)))
                .expect(keep(2), apply(2), apply(1), resume(PageAccess.READ));
    }

    @Test
    void noticeThatMeetsAFetch_isAskedForBeforeThreadsGoOn() {
        Subject<Msg> subject = fetching();

        acquire(subject, new Writer(4).stores())
                .expect()
                .expectAcquired(ACQUIRE)
                .message(3, reply(name(3, 1)))
                .expect(keep(1), ask(4, name(4, 1)))
                .message(4, reply(name(4, 1)))
                .expect(keep(2), apply(1), apply(2), resume(PageAccess.READ));
    }

    @Test
    void acquireThatMeetsAFetchTooOften_waitsForItsEnd() {
        Subject<Msg> subject = fetching();
        acquire(subject, new Writer(4).stores());
        acquire(subject, new Writer(5).stores());
        subject.expectAcquired(ACQUIRE, ACQUIRE);

        acquire(subject, new Writer(6).stores()).expectAcquired();

        subject.message(3, reply(name(3, 1)))
                .quietly()
                .message(4, reply(name(4, 1)))
                .message(5, reply(name(5, 1)))
                .expect(
                        keep(2),
                        keep(3),
                        apply(1),
                        apply(2),
                        apply(3),
                        resume(PageAccess.READ),
                        arm(FakeContext.HOLD_NANOS))
                .passNanos(FakeContext.HOLD_NANOS)
                .holdOver()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW);
    }

    @Test
    void image_isInstalledAndOpenedAfterTheLastReply() {
        acquire(absent(), new Writer(3).stores())
                .readFault()
                .quietly()
                .message(0, new ImageReply(PAGE, AppliedDiffs.EMPTY, IMAGE))
                .expect(count(NodeCounter.PAGES_FETCHED), install(PageAccess.NONE))
                .message(3, reply(name(3, 1)))
                .expect(keep(1), apply(1), resume(PageAccess.READ));
    }

    @Test
    void diffThatTheImageContains_isNotAppliedTwice() {
        acquire(absent(), new Writer(3).stores())
                .readFault()
                .quietly()
                .message(3, reply(name(3, 1)))
                .expect(keep(1))
                .message(0, new ImageReply(PAGE, AppliedDiffs.EMPTY.with(node(3), 1), IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ));
    }

    @Test
    void emptyDiff_isNotApplied() {
        fetching()
                .message(3, new DiffReply(PAGE, List.of(new NamedDiff(name(3, 1), Payload.NONE))))
                .expect(resume(PageAccess.READ));
    }

    @Test
    void replyThatNobodyAwaits_isImpossible() {
        clean().expectViolation("Clean", () -> clean().message(3, reply(name(3, 1))), "DiffReply");
        clean().expectViolation(
                        "Clean",
                        () -> clean().message(0, new ImageReply(PAGE, AppliedDiffs.EMPTY, IMAGE)),
                        "ImageReply");
        fetching()
                .expectViolation(
                        "Fetching", () -> fetching().message(3, reply(name(3, 2))), "DiffReply");
    }

    // prefetches

    @Test
    void prefetch_asksForWhatTheCopyLacksAndAppliesItAtTheAccess() {
        stale().prefetch(1, Mode.READ)
                .expect(ask(3, name(3, 1)))
                .message(3, reply(name(3, 1)))
                .expect(keep(1))
                .readFault()
                .expect(count(NodeCounter.PREFETCH_HITS), apply(1), resume(PageAccess.READ));
    }

    @Test
    void prefetchOfAnAbsentPage_installsTheImageAndGivesNoAccess() {
        absent().prefetch(1, Mode.WRITE)
                .expect(ASK_IMAGE)
                .message(0, new ImageReply(PAGE, AppliedDiffs.EMPTY, IMAGE))
                .expect(count(NodeCounter.PAGES_FETCHED), install(PageAccess.NONE))
                .writeFault()
                .expect(
                        count(NodeCounter.PREFETCH_HITS),
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void accessBeforeTheReply_waitsForIt() {
        stale().prefetch(1, Mode.READ)
                .quietly()
                .readFault()
                .expect(count(NodeCounter.PREFETCHES_LATE))
                .message(3, reply(name(3, 1)))
                .expect(keep(1), apply(1), resume(PageAccess.READ));
    }

    @Test
    void acquireThatOvertakesAPrefetch_leavesTheRestToTheAccess() {
        Subject<Msg> subject = stale().prefetch(1, Mode.READ).quietly();

        acquire(subject, new Writer(4).stores())
                .expect(count(NodeCounter.PREFETCHES_INVALIDATED))
                .message(3, reply(name(3, 1)))
                .expect(keep(1))
                .readFault()
                .expect(ask(4, name(4, 1)))
                .message(4, reply(name(4, 1)))
                .expect(keep(2), apply(1), apply(2), resume(PageAccess.READ));
    }

    @Test
    void prefetchOfWhatIsHereOrUnderWay_isDropped() {
        clean().prefetch(1, Mode.READ).expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
        dirty().prefetch(1, Mode.WRITE).expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
        fetching().prefetch(1, Mode.READ).expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
        onRoot().sealed().prefetch(1, Mode.READ).expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
        stale().prefetch(1, Mode.READ)
                .quietly()
                .prefetch(1, Mode.READ)
                .expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
    }

    @Test
    void prefetchOnTheRootBehindANotice_installsZeros() {
        Writer writer = new Writer(3).stores();
        onRoot().sealed()
                .acquire(ACQUIRE, 3, writer.cargo(0), writer.released())
                .quietly()
                .prefetch(1, Mode.READ)
                .expect(
                        new Effect.InstallPage(ONLY, PAGE, Payload.ZERO_PAGE, PageAccess.NONE),
                        ask(3, name(3, 1)))
                .message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        sendImage(AppliedDiffs.EMPTY, new Payload.PageImage(PAGE)));
    }

    // requests

    @Test
    void requestForClosedPage_makesTheDiffAndIsAnsweredThen() {
        closed().message(2, own(1L))
                .expect(save(1, false))
                .saved(1, 1)
                .expect(count(NodeCounter.DIFFS_MADE), DROP_TWIN, sendOwn(2, 1))
                .message(3, own(1L))
                .expect(sendOwn(3, 1));
    }

    @Test
    void diffOfSeveralIntervals_hasTheNameOfTheFirst() {
        release(closed().writeFault())
                .quietly()
                .message(2, own(1L, 2L))
                .expect(save(1, false))
                .saved(1, 1)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        send(
                                2,
                                new DiffReply(
                                        PAGE,
                                        List.of(
                                                new NamedDiff(
                                                        name(1, 1), new Payload.SavedDiff(PAGE, 1)),
                                                new NamedDiff(name(1, 2), Payload.NONE)))));
    }

    @Test
    void diffThatWasServed_isNotMergedWithLaterStores() {
        release(closed().message(2, own(1L)).saved(1, 1).writeFault())
                .quietly()
                .message(2, own(2L))
                .expect(save(2, false));
    }

    @Test
    void requestForDirtyPage_comparesItAndThreadsStoreOn() {
        closed().writeFault()
                .quietly()
                .message(2, own(1L))
                .expect(save(1, true))
                .savedAndKept(1, 1)
                .expect(count(NodeCounter.DIFFS_MADE), sendOwn(2, 1))
                .message(3, own(1L))
                .expect(sendOwn(3, 1));
    }

    @Test
    void dirtyPageThatIsClosedOrWithdrawnBeforeTheResult_keepsItsTwin() {
        release(closed().writeFault().message(2, own(1L)))
                .quietly()
                .savedAndKept(1, 1)
                .expect(count(NodeCounter.DIFFS_MADE), sendOwn(2, 1))
                .message(2, own(2L))
                .expect(save(2, false));
        acquire(closed().writeFault().message(2, own(1L)), new Writer(3).stores())
                .quietly()
                .savedAndKept(1, 1)
                .expect(count(NodeCounter.DIFFS_MADE), sendOwn(2, 1))
                .expectAcquired()
                .withdrawn()
                .expect(save(2, false));
    }

    @Test
    void requestForPageBeingWithdrawn_waitsForItsDiff() {
        closing()
                .message(2, own(1L))
                .expect()
                .withdrawn()
                .expect(save(1, false))
                .saved(1, 1)
                .expect(count(NodeCounter.DIFFS_MADE), DROP_TWIN, sendOwn(2, 1));
    }

    @Test
    void diffsThatAreMade_areSentInEveryState() {
        Subject<Msg> subject = acquire(closed(), new Writer(3).stores()).saved(1, 1).quietly();

        subject.message(2, own(1L)).expect(sendOwn(2, 1));
        subject.withdrawn().quietly().message(2, own(1L)).expect(sendOwn(2, 1));
        subject.readFault().quietly().message(2, own(1L)).expect(sendOwn(2, 1));
    }

    @Test
    void diffsOfOthers_areSentOn() {
        fetching().message(3, reply(name(3, 1))).quietly().writeFault().release(RELEASE);
        Subject<Msg> subject = fetching().message(3, reply(name(3, 1)));
        release(subject.writeFault()).quietly();

        subject.message(2, new DiffRequest(PAGE, List.of(name(3, 1), name(1, 1))))
                .expect(save(1, false))
                .saved(1, 1)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        send(
                                2,
                                new DiffReply(
                                        PAGE,
                                        List.of(
                                                new NamedDiff(
                                                        name(1, 1), new Payload.SavedDiff(PAGE, 1)),
                                                new NamedDiff(
                                                        name(3, 1),
                                                        new Payload.LastingDiff(PAGE, 1))))));
    }

    @Test
    void requestForPageNeverStoredTo_isImpossible() {
        absent().expectViolation("Absent", () -> absent().message(2, own(1L)), "DiffRequest");
        onRoot().expectViolation("Idle", () -> onRoot().message(2, own(1L)), "DiffRequest");
        clean().expectViolation("Clean", () -> clean().message(2, own(1L)), "DiffRequest");
    }

    @Test
    void imageRequest_isAnsweredWithoutStoresThatAreInNoDiff() {
        AppliedDiffs none = AppliedDiffs.EMPTY;
        Payload page = new Payload.PageImage(PAGE);
        Payload twin = new Payload.TwinImage(PAGE);

        clean().message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, page));
        withdrawing()
                .message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, page));
        stale().message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, page));
        fetching()
                .message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, page));
        dirty().message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, twin));
        closed().writeFault()
                .quietly()
                .message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(
                        save(1, true),
                        count(NodeCounter.PAGES_SENT),
                        sendImage(none.with(node(1), 1), twin));
        closing()
                .message(2, new ImageRequest(PAGE, node(2), 0))
                .expect()
                .withdrawn()
                .saved(1, 1)
                .expect(
                        save(1, false),
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        count(NodeCounter.PAGES_SENT),
                        sendImage(none.with(node(1), 1), page));
        closed().message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(
                        save(1, false),
                        count(NodeCounter.PAGES_SENT),
                        sendImage(none.with(node(1), 1), page));
        absent().message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(count(NodeCounter.FORWARDS), send(0, new ImageRequest(PAGE, node(2), 0)));
    }

    // collections

    private static Subject<Msg> collect(Subject<Msg> subject, long number, Writer from) {
        return subject.collect(number, from.number, from.cargo(1), from.released());
    }

    private static Effect.Discard discarded() {
        return new Effect.Discard(PAGE);
    }

    @Test
    void collection_givesUpAStaleCopyAndAsksTheKeeperLater() {
        Subject<Msg> subject = collect(clean(), 1, new Writer(3).stores());

        subject.expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectCollected()
                .withdrawn()
                .expect(discarded())
                .expectCollected(1L)
                .readFault()
                .expect(send(3, new ImageRequest(PAGE, node(1), 1)));
    }

    @Test
    void collection_forgetsWhatAnAbsentPageLacks() {
        Writer writer = new Writer(3).stores();

        collect(absent(), 1, writer)
                .expect()
                .expectCollected(1L)
                .readFault()
                .expect(send(3, new ImageRequest(PAGE, node(1), 1)));
    }

    @Test
    void collectionOnTheRoot_makesAnUntouchedPageThatIsStoredToElsewhereAbsent() {
        Writer writer = new Writer(3).stores();

        onRoot().sealed()
                .collect(1, 3, writer.cargo(0), writer.released())
                .expect()
                .expectCollected(1L)
                .message(2, new ImageRequest(PAGE, node(2), 0))
                .expect(count(NodeCounter.FORWARDS), send(3, new ImageRequest(PAGE, node(2), 0)));
    }

    @Test
    void keeper_getsWhatItsCopyLacksAndPerformsTheCollectionThen() {
        Subject<Msg> subject = closed();
        VectorTimestamp own = subject.context.clock().seen().with(node(1), 1);
        Writer writer = new Writer(3).stores();

        subject.collect(1, 3, writer.cargo(1), writer.released().join(own))
                .expect(save(1, false), count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .saved(1, 1)
                .quietly()
                .withdrawn()
                .expect(ask(3, name(3, 1)))
                .expectCollected()
                .message(2, new ImageRequest(PAGE, node(2), 1))
                .expect()
                .message(3, reply(name(3, 1)))
                .expect(
                        keep(1),
                        apply(1),
                        count(NodeCounter.PAGES_SENT),
                        sendImage(
                                AppliedDiffs.EMPTY.with(node(1), 1).with(node(3), 1),
                                new Payload.PageImage(PAGE)))
                .expectCollected(1L)
                .readFault()
                .expect(resume(PageAccess.READ));
    }

    @Test
    void collection_waitsForAFetchOfWhatIsCollected() {
        Subject<Msg> subject = fetching();

        subject.collect(1, 3, Bytes.EMPTY, new Writer(3).stores().released())
                .expect()
                .expectCollected()
                .message(3, reply(name(3, 1)))
                .expect(keep(1), apply(1), resume(PageAccess.READ))
                .expectCollected(1L);
    }

    @Test
    void copyWithLaterDiffs_isValidatedAndNotGivenUp() {
        Writer writer = new Writer(3).stores();
        VectorTimestamp first = writer.released();
        Writer other = new Writer(4).stores();
        Subject<Msg> subject =
                acquire(clean(), writer.stores())
                        .withdrawn()
                        .readFault()
                        .message(3, reply(name(3, 1), name(3, 2)))
                        .quietly();

        subject.collect(1, 4, other.cargo(1), first.join(other.released()))
                .withdrawn()
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW, ask(4, name(4, 1)));
    }

    @Test
    void collectedDiffs_areDroppedWhenAllHavePerformed() {
        Subject<Msg> subject = fetching().message(3, reply(name(3, 1))).writeFault();
        subject.leave(RELEASE).message(2, own(1L)).saved(1, 1).quietly();
        VectorTimestamp all = new Writer(3).stores().released().with(node(1), 1);

        subject.collected(all).expect(new Effect.DropDiff(PAGE, 1), new Effect.DropKept(PAGE, 1));
    }

    // a node is lost

    @Test
    void loss_poisonsWhatThreadsWaitForAndWhatIsAskedForLater() {
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
