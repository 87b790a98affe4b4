package io.muninn.coherence.lazy;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.lazy.LazyState.ACQUIRE;
import static io.muninn.coherence.lazy.LazyState.ASK_IMAGE;
import static io.muninn.coherence.lazy.LazyState.DIFF;
import static io.muninn.coherence.lazy.LazyState.MAKE_TWIN;
import static io.muninn.coherence.lazy.LazyState.WITHDRAW;
import static io.muninn.coherence.lazy.LazyState.absent;
import static io.muninn.coherence.lazy.LazyState.acquire;
import static io.muninn.coherence.lazy.LazyState.allocated;
import static io.muninn.coherence.lazy.LazyState.apply;
import static io.muninn.coherence.lazy.LazyState.ask;
import static io.muninn.coherence.lazy.LazyState.askDiffs;
import static io.muninn.coherence.lazy.LazyState.clean;
import static io.muninn.coherence.lazy.LazyState.closed;
import static io.muninn.coherence.lazy.LazyState.copy;
import static io.muninn.coherence.lazy.LazyState.diffReply;
import static io.muninn.coherence.lazy.LazyState.dirty;
import static io.muninn.coherence.lazy.LazyState.fetching;
import static io.muninn.coherence.lazy.LazyState.first;
import static io.muninn.coherence.lazy.LazyState.imageReply;
import static io.muninn.coherence.lazy.LazyState.imageRequest;
import static io.muninn.coherence.lazy.LazyState.keep;
import static io.muninn.coherence.lazy.LazyState.name;
import static io.muninn.coherence.lazy.LazyState.onRoot;
import static io.muninn.coherence.lazy.LazyState.reply;
import static io.muninn.coherence.lazy.LazyState.sendImage;
import static io.muninn.coherence.lazy.LazyState.stale;
import static io.muninn.model.MappingId.FIRST;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.Image;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.ImageTerms;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.lazy.LazyMessages.WantedDiffs;
import io.muninn.coherence.lazy.LazyState.Writer;
import io.muninn.directory.AppliedDiffs;
import io.muninn.kernel.Counted;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The requests of a node, and its treatment of the replies: columns of the table of {@link Lazy}.
 */
class LazyFetchTest {
    // fetches

    @Test
    void staleFault_asksOnlyWritersThatNoOtherCovers() {
        acquire(absent(), chainAndAnother())
                .readFault()
                .expect(send(4, imageRequest(1, 0)), askDiffs(5, name(5, 1)));
        acquire(clean(), chainAndAnother())
                .withdrawn()
                .quietly()
                .readFault()
                .expect(ask(4, name(3, 1), name(4, 1)), askDiffs(5, name(5, 1)));
    }

    /** Knows of stores of node 3, of node 4 after them, and of node 5, unordered with these. */
    private static Writer chainAndAnother() {
        Writer chain = new Writer(4).acquires(new Writer(3).stores()).stores();
        return new Writer(6).acquires(chain).acquires(new Writer(5).stores());
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
    void writerThatHasNotHadAll_isNotAskedForTheRestAgain() {
        Writer first = new Writer(4).stores();
        Writer second = new Writer(3).acquires(first).stores();
        Subject<Msg> subject = acquire(clean(), second).withdrawn().readFault();
        acquire(subject, second.stores()).quietly();

        subject.message(3, reply(name(3, 1)))
                .expect(keep(1), ask(3, name(3, 2)), askDiffs(4, name(4, 1)));
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

    /** After two unordered notices: a copy is requested from node 3, a diff from node 4. */
    private static Subject<Msg> fetchingFirst() {
        Writer one = new Writer(3).stores();
        Writer both = new Writer(5).acquires(one).acquires(new Writer(4).stores());
        return acquire(absent(), both).readFault();
    }

    @Test
    void image_isInstalledAndOpenedAfterTheLastReply() {
        fetchingFirst()
                .expect(send(3, imageRequest(1, 0)), askDiffs(4, name(4, 1)))
                .message(3, imageReply(first(3), IMAGE))
                .expect(count(NodeCounter.PAGES_FETCHED), install(PageAccess.NONE))
                .message(4, reply(name(4, 1)))
                .expect(keep(1), apply(1), resume(PageAccess.READ));
    }

    @Test
    void imageWithoutTheDiff_isFollowedByIt() {
        acquire(absent(), new Writer(3).stores())
                .readFault()
                .quietly()
                .message(0, imageReply(AppliedDiffs.EMPTY, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        ask(3, name(3, 1)));
    }

    @Test
    void diffThatTheImageContains_isNotAppliedTwice() {
        fetchingFirst()
                .quietly()
                .message(4, reply(name(4, 1)))
                .expect(keep(1))
                .message(3, imageReply(first(3, 4), IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ));
    }

    // images in place of diffs

    @Test
    void imageInPlaceOfDiffs_replacesTheCopy() {
        fetching()
                .message(3, copy(first(3)))
                .expect(
                        discard(),
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ));
        stale().prefetch(1, Mode.READ)
                .quietly()
                .message(3, copy(first(3)))
                .expect(discard(), count(NodeCounter.PAGES_FETCHED), install(PageAccess.NONE))
                .readFault()
                .expect(count(NodeCounter.PREFETCH_HITS), resume(PageAccess.READ));
    }

    @Test
    void ownStoresThatTheImageLacks_areAppliedAgain() {
        acquire(closed(), new Writer(3).stores())
                .saved(1, 1)
                .withdrawn()
                .writeFault()
                .quietly()
                .message(3, copy(first(3)))
                .expect(
                        discard(),
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        new Effect.ApplyDiff(PAGE, new Payload.SavedDiff(PAGE, 1)),
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void diffsThatTheImageLacks_areAppliedAgainInHappenedBeforeOrder() {
        Writer early = new Writer(5).stores();
        Writer later = new Writer(4).acquires(early).stores();
        Subject<Msg> subject =
                acquire(clean(), later)
                        .withdrawn()
                        .readFault()
                        .message(4, reply(name(4, 1), name(5, 1)))
                        .quietly();

        acquire(subject, new Writer(3).stores())
                .withdrawn()
                .readFault()
                .quietly()
                .message(3, copy(first(3)))
                .expect(
                        discard(),
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        apply(2),
                        apply(1),
                        resume(PageAccess.READ));
    }

    @Test
    void whatIsInTheCopyOnly_theNextImageMustContain() {
        Subject<Msg> subject = fetching().message(3, copy(first(3))).quietly();

        acquire(subject, new Writer(4).stores())
                .withdrawn()
                .quietly()
                .readFault()
                .expect(ask(4, first(3), name(4, 1)))
                .expectViolation("Fetching", () -> subject.message(4, copy(first(4))), "CopyReply");
    }

    @Test
    void collectedDiffs_theNextImageMustContain() {
        Subject<Msg> subject = fetching().message(3, reply(name(3, 1)));
        subject.collected(new Writer(3).stores().released()).quietly();

        acquire(subject, new Writer(4).stores())
                .withdrawn()
                .quietly()
                .readFault()
                .expect(ask(4, first(3), name(4, 1)));
    }

    @Test
    void imageThatNobodyAwaits_isImpossible() {
        clean().expectViolation("Clean", () -> clean().message(3, copy(first(3))), "CopyReply");
        stale().expectViolation("Stale", () -> stale().message(3, copy(first(3))), "CopyReply");
        fetching()
                .expectViolation(
                        "Fetching", () -> fetching().message(4, copy(first(4))), "CopyReply");
    }

    @Test
    void imageBesideDiffs_isInstalledFirst() {
        acquire(clean(), chainAndAnother())
                .withdrawn()
                .readFault()
                .quietly()
                .message(5, reply(name(5, 1)))
                .expect(keep(1))
                .message(4, copy(first(3, 4)))
                .expect(
                        discard(),
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        apply(1),
                        resume(PageAccess.READ));
    }

    @Test
    void emptyDiff_isNotApplied() {
        fetching()
                .message(3, diffReply(List.of(new NamedDiff(name(3, 1), Payload.NONE))))
                .expect(resume(PageAccess.READ));
    }

    @Test
    void replyThatNobodyAwaits_isImpossible() {
        clean().expectViolation("Clean", () -> clean().message(3, reply(name(3, 1))), "DiffReply");
        clean().expectViolation(
                        "Clean",
                        () -> clean().message(0, imageReply(AppliedDiffs.EMPTY, IMAGE)),
                        "ImageReply");
        fetching()
                .expectViolation(
                        "Fetching", () -> fetching().message(3, reply(name(3, 2))), "GivenDiffs");
    }

    // prefetches

    @Test
    void prefetch_asksForWhatTheCopyLacksAndAppliesItAtTheAccess() {
        stale().prefetch(1, Mode.READ)
                .expect(count(NodeCounter.PAGES_AHEAD), ask(3, name(3, 1)))
                .message(3, reply(name(3, 1)))
                .expect(keep(1))
                .readFault()
                .expect(count(NodeCounter.PREFETCH_HITS), apply(1), resume(PageAccess.READ));
    }

    @Test
    void prefetchOfAnAbsentPage_installsTheImageAndGivesNoAccess() {
        absent().prefetch(1, Mode.WRITE)
                .expect(count(NodeCounter.PAGES_AHEAD), ASK_IMAGE)
                .message(0, imageReply(AppliedDiffs.EMPTY, IMAGE))
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

    /** A stale page that has been prefetched, where late prefetches are repeated. */
    private static Subject<Msg> repeating() {
        Subject<Msg> subject = stale();
        subject.context.updates(
                UpdateRules.PLAIN.withReadAhead(ReadAheadRules.OFF.withRepeatsLate(true)));
        return subject.prefetch(1, Mode.READ).quietly();
    }

    @Test
    void latePrefetch_isAskedAgainAndItsFirstReplyIgnored() {
        repeating()
                .readFault()
                .expect(count(NodeCounter.PREFETCHES_LATE), ask(3, name(3, 1)))
                .message(3, reply(name(3, 1)))
                .expect()
                .message(3, reply(name(3, 1)))
                .expect(keep(1), apply(1), resume(PageAccess.READ));
    }

    @Test
    void latePrefetch_mayBeAnsweredByAnImageTwice() {
        repeating()
                .readFault()
                .quietly()
                .message(3, copy(first(3)))
                .expect()
                .message(3, copy(first(3)))
                .expect(
                        discard(),
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ));
    }

    /** Pages {@link Subject#PAGE} and the next two. */
    private static final List<PageId> PAGES = List.of(PAGE, PAGE.plus(1), PAGE.plus(2));

    private static WantedDiffs third(PageId page) {
        return new WantedDiffs(
                page, List.of(name(3, 1)), new ImageTerms(true, 0, AppliedDiffs.EMPTY));
    }

    private static GivenDiffs given(PageId page) {
        return new GivenDiffs(page, List.of(new NamedDiff(name(3, 1), DIFF)));
    }

    /** Node 1 has copies of some of {@link #PAGES}, all of which node 3 has stored to. */
    private static Subject<Msg> stalePages(int count) {
        int end = PAGE.index() + PAGES.size();
        Subject<Msg> subject = new Subject<>(new FakeContext(1, Protocol.LAZY, end), Lazy::new);
        for (PageId page : PAGES.subList(0, count)) {
            subject.readFault(page)
                    .message(
                            0,
                            new ImageReply(
                                    List.of(new Image(page, false, AppliedDiffs.EMPTY, IMAGE))));
        }
        acquire(subject, new Writer(3).storesTo(PAGES));
        for (PageId page : PAGES.subList(0, count)) {
            subject.withdrawn(page);
        }
        return subject.quietly();
    }

    @Test
    void prefetchOfSeveralPages_isOneRequestOfAKindToANode() {
        stalePages(2)
                .prefetch(3, Mode.READ)
                .expect(
                        new Counted(NodeCounter.PAGES_AHEAD, 3),
                        send(3, new ImageRequest(node(1), 0, PAGES.subList(2, 3))),
                        send(3, new DiffRequest(List.of(third(PAGES.get(0)), third(PAGES.get(1))))))
                .message(3, new DiffReply(List.of(given(PAGES.get(0)), given(PAGES.get(1)))))
                .expect(
                        new Effect.KeepDiff(PAGES.get(0), 1, DIFF),
                        new Effect.KeepDiff(PAGES.get(1), 2, DIFF))
                .readFault()
                .expect(count(NodeCounter.PREFETCH_HITS), apply(1), resume(PageAccess.READ));
    }

    @Test
    void imagesOfSeveralPages_areInstalledWithoutAccess() {
        absent().prefetch(2, Mode.READ)
                .expect(
                        new Counted(NodeCounter.PAGES_AHEAD, 2),
                        send(0, new ImageRequest(node(1), 0, PAGES.subList(0, 2))))
                .message(
                        0,
                        new ImageReply(
                                List.of(
                                        new Image(PAGES.get(0), false, AppliedDiffs.EMPTY, IMAGE),
                                        new Image(PAGES.get(1), false, AppliedDiffs.EMPTY, IMAGE))))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        count(NodeCounter.PAGES_FETCHED),
                        new Effect.InstallPage(FIRST, PAGES.get(1), IMAGE, PageAccess.NONE));
    }

    @Test
    void scan_readsAhead() {
        Subject<Msg> subject = stalePages(3);
        subject.context.updates(UpdateRules.PLAIN.withReadAhead(new ReadAheadRules(8, 1)));

        subject.readFault()
                .expect(
                        new Counted(NodeCounter.PAGES_AHEAD, 2),
                        send(3, new DiffRequest(PAGES.stream().map(LazyFetchTest::third).toList())))
                .message(3, new DiffReply(PAGES.stream().map(LazyFetchTest::given).toList()))
                .quietly()
                .readFault(PAGES.get(1))
                .expect(
                        new Effect.ApplyDiff(
                                PAGES.get(1), new Payload.LastingDiff(PAGES.get(1), 2)),
                        new Effect.ResumeFault(FIRST, PAGES.get(1), PageAccess.READ),
                        new Effect.ApplyDiff(
                                PAGES.get(2), new Payload.LastingDiff(PAGES.get(2), 3)),
                        new Effect.ResumeFault(FIRST, PAGES.get(2), PageAccess.READ),
                        count(NodeCounter.PAGES_OPENED));
    }

    @Test
    void pagesThatWait_areBounded() {
        FakeContext context = new FakeContext(1, Protocol.LAZY, 2 * LazyAhead.PAGES_MAX);
        Subject<Msg> subject = new Subject<>(context, Lazy::new);

        subject.prefetch(LazyAhead.PAGES_MAX + 5, Mode.READ)
                .expect(
                        new Counted(NodeCounter.PAGES_AHEAD, LazyAhead.PAGES_MAX),
                        new Counted(NodeCounter.PREFETCHES_UNNECESSARY, 5),
                        send(
                                0,
                                new ImageRequest(
                                        node(1),
                                        0,
                                        IntStream.range(0, LazyAhead.PAGES_MAX)
                                                .mapToObj(PAGE::plus)
                                                .toList())));
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
    void prefetchOfZerosBehindANotice_installsThem() {
        Writer writer = new Writer(3).stores();
        allocated(1)
                .acquire(ACQUIRE, 3, writer.cargo(1), writer.released())
                .quietly()
                .prefetch(1, Mode.READ)
                .expect(
                        new Effect.InstallPage(FIRST, PAGE, Payload.ZERO_PAGE, PageAccess.NONE),
                        count(NodeCounter.PAGES_AHEAD),
                        ask(3, name(3, 1)))
                .message(2, imageRequest(2, 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        sendImage(AppliedDiffs.EMPTY, new Payload.PageImage(PAGE)));
    }
}
