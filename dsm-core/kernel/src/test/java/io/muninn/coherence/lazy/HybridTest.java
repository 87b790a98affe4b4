package io.muninn.coherence.lazy;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.lazy.LazyState.ACQUIRE;
import static io.muninn.coherence.lazy.LazyState.DIFF;
import static io.muninn.coherence.lazy.LazyState.DROP_TWIN;
import static io.muninn.coherence.lazy.LazyState.MAKE_TWIN;
import static io.muninn.coherence.lazy.LazyState.RELEASE;
import static io.muninn.coherence.lazy.LazyState.WITHDRAW;
import static io.muninn.coherence.lazy.LazyState.acquire;
import static io.muninn.coherence.lazy.LazyState.apply;
import static io.muninn.coherence.lazy.LazyState.ask;
import static io.muninn.coherence.lazy.LazyState.collect;
import static io.muninn.coherence.lazy.LazyState.imageReply;
import static io.muninn.coherence.lazy.LazyState.imageRequest;
import static io.muninn.coherence.lazy.LazyState.keep;
import static io.muninn.coherence.lazy.LazyState.name;
import static io.muninn.coherence.lazy.LazyState.own;
import static io.muninn.coherence.lazy.LazyState.reply;
import static io.muninn.coherence.lazy.LazyState.save;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Advice;
import io.muninn.api.Protocol;
import io.muninn.api.spi.PageAdvice;
import io.muninn.coherence.Subject;
import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.lazy.LazyMessages.Push;
import io.muninn.coherence.lazy.LazyMessages.Unread;
import io.muninn.coherence.lazy.LazyState.Writer;
import io.muninn.directory.AppliedDiffs;
import io.muninn.kernel.Counted;
import io.muninn.model.BarrierId;
import io.muninn.model.PageAccess;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The additions of {@link Hybrid} to {@link Lazy}: its pushes, and the cells of its table that they
 * change. Node 1 is under test; node 0 is the root.
 */
class HybridTest {
    private static final BarrierId SWEEP = new BarrierId("sweep");
    private static final GatedRelease ARRIVAL = new GatedRelease.Arrival(SWEEP, 1, 0);
    private static final GatedRelease OF_SOME =
            new GatedRelease.Arrival(SWEEP, 1, 0, false, Bytes.EMPTY);
    private static final Object RECEIVED = count(NodeCounter.PUSHES_RECEIVED);
    private static final Object USEFUL = count(NodeCounter.PUSHES_USEFUL);
    private static final Object WASTED = count(NodeCounter.PUSHES_WASTED);

    private static Subject<Msg> absent() {
        return new Subject<>(1, Protocol.HYBRID, Hybrid::new);
    }

    private static Subject<Msg> clean() {
        Subject<Msg> subject = absent();
        subject.context.twins(AdaptiveTwinRules.OFF);
        return subject.readFault().message(0, imageReply(AppliedDiffs.EMPTY, IMAGE)).quietly();
    }

    private static Subject<Msg> dirty() {
        return clean().writeFault().quietly();
    }

    private static Subject<Msg> stale(Writer writer) {
        return acquire(clean(), writer).withdrawn().quietly();
    }

    private static Push push(DiffName... names) {
        return new Push(List.of(given(names)));
    }

    private static GivenDiffs given(DiffName... names) {
        return new GivenDiffs(
                PAGE, Stream.of(names).map(name -> new NamedDiff(name, DIFF)).toList());
    }

    private static Effect pushOwn(int to, Long... intervals) {
        List<NamedDiff> diffs =
                Stream.of(intervals)
                        .map(each ->
                                new NamedDiff(name(1, each), new Payload.SavedDiff(PAGE, each)))
                        .toList();
        return send(to, new Push(List.of(new GivenDiffs(PAGE, diffs))));
    }

    /** Stores, and arrives at a barrier; the page is not pushed. */
    private static Subject<Msg> sweep(Subject<Msg> subject) {
        return subject.writeFault().leave(ARRIVAL).expectPerformed(ARRIVAL).quietly();
    }

    /** A node has requested the stores before each of two consecutive barriers. */
    private static Subject<Msg> read(int reader) {
        Subject<Msg> subject = clean();
        for (long interval = 1; interval <= Readers.REPEATS; interval++) {
            sweep(subject).message(reader, own(interval)).saved(interval, 1).quietly();
        }
        return subject;
    }

    // pushing

    @Test
    void readerThatHasRepeatedItself_getsTheDiffAheadOfTheArrival() {
        read(2).writeFault()
                .quietly()
                .leave(ARRIVAL)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), save(3, false))
                .expectPerformed()
                .saved(3, 1)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        count(NodeCounter.PUSHES_SENT),
                        new Counted(NodeCounter.PUSHED_BYTES, 128 + 12),
                        pushOwn(2, 3L))
                .expectPerformed(ARRIVAL)
                .message(2, own(3L))
                .expect(LazyState.sendOwn(2, 3));
    }

    @Test
    void hotPage_isComparedAndStaysWritable() {
        Subject<Msg> subject = read(2);
        subject.context.twins(new AdaptiveTwinRules(1, 8));

        subject.writeFault()
                .quietly()
                .leave(ARRIVAL)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_HEATED),
                        count(NodeCounter.TWINS_KEPT),
                        save(3, true))
                .savedAndKept(3, 1)
                .expectPerformed(ARRIVAL)
                .quietly()
                .leave(ARRIVAL)
                .expect(count(NodeCounter.FLUSHES), count(NodeCounter.TWINS_KEPT), save(4, true));
    }

    @Test
    void readerThatMissesABarrier_beginsAgain() {
        Subject<Msg> subject = clean();
        sweep(subject).message(2, own(1L)).saved(1, 1).quietly();
        sweep(subject);

        sweep(subject).message(2, own(2L)).saved(2, 1).quietly();
        sweep(subject);
    }

    @Test
    void releaseThatIsNoBarrierForAll_pushesNothing() {
        for (GatedRelease leaving : List.of(RELEASE, OF_SOME)) {
            read(2).writeFault()
                    .quietly()
                    .leave(leaving)
                    .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ))
                    .expectPerformed(leaving);
        }
    }

    @Test
    void whatWasListedBetweenTwoBarriers_isPushedAtTheSecond() {
        read(2).writeFault()
                .leave(RELEASE)
                .writeFault()
                .leave(OF_SOME)
                .quietly()
                .leave(ARRIVAL)
                .expect(save(3, false))
                .saved(3, 1)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        count(NodeCounter.PUSHES_SENT),
                        new Counted(NodeCounter.PUSHED_BYTES, 128 + 12 + 128),
                        send(
                                2,
                                new Push(
                                        List.of(
                                                new GivenDiffs(
                                                        PAGE,
                                                        List.of(
                                                                new NamedDiff(
                                                                        name(1, 3),
                                                                        new Payload.SavedDiff(
                                                                                PAGE, 3)),
                                                                new NamedDiff(
                                                                        name(1, 4),
                                                                        Payload.NONE)))))))
                .expectPerformed(ARRIVAL);
    }

    @Test
    void whatAReaderHasAskedFor_isNotPushed() {
        read(2).writeFault()
                .leave(RELEASE)
                .message(2, own(3L))
                .saved(3, 1)
                .quietly()
                .leave(ARRIVAL)
                .expect()
                .expectPerformed(ARRIVAL);
    }

    @Test
    void readerThatHasNotReadThePage_getsNoMore() {
        Subject<Msg> subject = read(2).message(2, new Unread(List.of(PAGE)));
        sweep(subject);

        subject.expect();
    }

    @Test
    void nodeThatAsksForCopies_isAReader() {
        Subject<Msg> subject = clean();
        for (long interval = 1; interval <= Readers.REPEATS; interval++) {
            sweep(subject).message(2, imageRequest(2, 0)).saved(interval, 1).quietly();
        }
        subject.writeFault().leave(ARRIVAL).saved(3, 1).expectPerformed(ARRIVAL);
        subject.quietly().message(2, own(3L)).expect(LazyState.sendOwn(2, 3));
    }

    // advice

    private static Subject<Msg> advised(Subject<Msg> subject, PageAdvice advice) {
        return subject.advise(1, advice);
    }

    @Test
    void readerOfPagesToBeFlushed_isPushedToAtOnce() {
        Subject<Msg> subject = advised(clean(), new PageAdvice.Coherence(Advice.FLUSH));
        sweep(subject).message(2, own(1L)).saved(1, 1).quietly();

        subject.writeFault().leave(ARRIVAL).saved(2, 1).expectPerformed(ARRIVAL);
        assertTrue(subject.takeSent().contains(pushOwn(2, 2L)));
    }

    @Test
    void writerOfPagesToBeFlushed_isAReader() {
        Subject<Msg> subject = advised(clean(), new PageAdvice.Coherence(Advice.FLUSH));
        acquire(subject, new Writer(3).stores()).withdrawn().quietly();

        subject.writeFault()
                .message(3, reply(name(3, 1)))
                .leave(ARRIVAL)
                .saved(1, 1)
                .expectPerformed(ARRIVAL);
        assertTrue(subject.takeSent().contains(pushOwn(3, 1L)));
    }

    @Test
    void pagesToBeInvalidated_areNotPushed() {
        sweep(advised(read(2), new PageAdvice.Coherence(Advice.INVALIDATE)));
        sweep(advised(read(2), new PageAdvice.ClearReaders()));
        sweep(advised(read(2), new PageAdvice.RemoveReader(2)));
        sweep(advised(read(2), new PageAdvice.RemoveReader(2)));
    }

    @Test
    void nodeThatIsAdded_isPushedToAndThisNodeIsNot() {
        Subject<Msg> subject = advised(clean(), new PageAdvice.AddReader(2));
        advised(subject, new PageAdvice.AddReader(1));

        subject.writeFault().leave(ARRIVAL).saved(1, 1).expectPerformed(ARRIVAL);
        assertEquals(List.of(pushOwn(2, 1L)), subject.takeSent());
    }

    // receiving

    @Test
    void pushThatIsAllTheCopyLacks_isAppliedInPlaceAtTheAcquire() {
        Writer writer = new Writer(3).stores();

        Subject<Msg> subject = clean().message(3, push(name(3, 1))).expect(RECEIVED, keep(1));
        acquire(subject, writer).expect(apply(1), USEFUL).expectAcquired(ACQUIRE);
        subject.expectState("Clean").readFault().expect(resume(PageAccess.READ));
    }

    /** After an applied push, an acquire processes only the next notice of the page. */
    @Test
    void appliedPush_isInTheCopy() {
        Writer writer = new Writer(3).stores();
        Subject<Msg> subject = acquire(clean().message(3, push(name(3, 1))), writer).quietly();

        acquire(subject, writer.stores())
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .quietly()
                .readFault()
                .expect(ask(3, name(3, 2)));
    }

    @Test
    void pushForADirtyPage_leavesItWritableWithoutEndingItsInterval() {
        Subject<Msg> subject = dirty().message(3, push(name(3, 1))).quietly();

        acquire(subject, new Writer(3).stores())
                .expect(apply(1), USEFUL)
                .expectAcquired(ACQUIRE)
                .leave(RELEASE)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ));
    }

    @Test
    void pushForAClosedPage_makesTheOwnDiffFirst() {
        Subject<Msg> subject = dirty().leave(RELEASE).message(3, push(name(3, 1))).quietly();

        acquire(subject, new Writer(3).stores())
                .expect(save(1, false), apply(1), USEFUL)
                .saved(1, 1)
                .expect(count(NodeCounter.DIFFS_MADE), DROP_TWIN)
                .expectState("Clean");
    }

    @Test
    void pushesOfSeveralWriters_areAppliedInTheOrderOfTheirTimestamps() {
        Writer first = new Writer(3).stores();
        Writer second = new Writer(2).acquires(first).stores();
        Subject<Msg> subject =
                clean().message(2, push(name(2, 1))).message(3, push(name(3, 1))).quietly();

        acquire(subject, second).expect(apply(2), apply(1), USEFUL).expectAcquired(ACQUIRE);
    }

    @Test
    void pushThatIsNotAll_waitsAndOnlyTheRestIsAskedFor() {
        Writer first = new Writer(3).stores();
        Writer second = new Writer(2).acquires(first).stores();
        Subject<Msg> subject = clean().message(2, push(name(2, 1))).quietly();

        acquire(subject, second)
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .readFault()
                .expect(ask(3, name(3, 1)))
                .message(3, reply(name(3, 1)))
                .expect(keep(2), apply(2), apply(1), resume(PageAccess.READ));
    }

    @Test
    void latePush_isAppliedAtTheFault() {
        stale(new Writer(3).stores())
                .message(3, push(name(3, 1)))
                .expect(RECEIVED, keep(1))
                .writeFault()
                .expect(
                        USEFUL,
                        apply(1),
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(PageAccess.READ_WRITE));
        acquire(clean(), new Writer(3).stores())
                .readFault()
                .message(3, push(name(3, 1)))
                .quietly()
                .withdrawn()
                .expect(USEFUL, apply(1), resume(PageAccess.READ))
                .expectAcquired(ACQUIRE);
    }

    @Test
    void pushOfWhatIsAskedForOrHere_isDropped() {
        Subject<Msg> subject = stale(new Writer(3).stores()).readFault().quietly();

        subject.message(3, push(name(3, 1)))
                .expect(RECEIVED, WASTED)
                .message(3, reply(name(3, 1)))
                .expect(keep(1), apply(1), resume(PageAccess.READ))
                .message(3, push(name(3, 1)))
                .expect(RECEIVED, WASTED);
    }

    @Test
    void pushWhileTheCopyIsAwaited_isAppliedIfTheCopyLacksIt() {
        Writer writer = new Writer(3).stores();
        Subject<Msg> subject = absent().readFault().message(3, push(name(3, 1))).quietly();

        acquire(subject, writer)
                .expect()
                .message(0, imageReply(AppliedDiffs.EMPTY, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        Subject.install(PageAccess.NONE),
                        apply(1),
                        resume(PageAccess.READ));
    }

    @Test
    void pushForAPageThatIsNotHere_isDroppedAndTheWriterTold() {
        absent().message(3, push(name(3, 1)))
                .expect(RECEIVED, WASTED, send(3, new Unread(List.of(PAGE))));
    }

    @Test
    void pushBeyondTheBound_isDroppedAndTheDiffAskedFor() {
        Subject<Msg> subject = clean();
        subject.context.updates(UpdateRules.PLAIN.withLazyBytes(128 + 2));

        subject.message(3, push(name(3, 1), name(3, 2))).expect(RECEIVED, keep(1));
        acquire(subject, new Writer(3).stores().stores())
                .quietly()
                .withdrawn()
                .readFault()
                .expect(ask(3, name(3, 2)));
    }

    /** There is room for one diff. */
    private static Subject<Msg> full(Subject<Msg> subject) {
        subject.context.updates(UpdateRules.PLAIN.withLazyBytes(128 + 2));
        return subject.message(3, push(name(3, 1))).expect(RECEIVED, keep(1));
    }

    private static void expectRoom(Subject<Msg> subject, DiffName next) {
        subject.quietly()
                .message(3, push(next, name(3, 10)))
                .expect(RECEIVED, keep(2))
                .message(3, push(name(3, 11)))
                .expect(RECEIVED, WASTED);
    }

    @Test
    void pushThatIsApplied_makesRoomForTheNext() {
        expectRoom(acquire(full(clean()), new Writer(3).stores()), name(3, 2));
    }

    @Test
    void pushThatNobodyReads_makesRoomForTheNext() {
        Writer writer = new Writer(3).stores();
        Subject<Msg> subject = full(stale(writer));
        for (int i = 0; i < PushedDiffs.UNREAD_MAX; i++) {
            acquire(subject, writer.stores());
        }

        expectRoom(subject, name(3, 6));
    }

    @Test
    void pushThatIsCollected_makesRoomForTheNext() {
        Writer writer = new Writer(3).stores();
        Subject<Msg> subject = full(absent().readFault().quietly());

        collect(subject, 1, writer).collected(writer.released());
        expectRoom(subject, name(3, 2));
    }

    @Test
    void oneOfEightPushes_waitsForAnAccess() {
        Writer writer = new Writer(3);
        Subject<Msg> subject = clean();
        for (int i = 1; i < PushedDiffs.PROBE_EVERY; i++) {
            acquire(subject.message(3, push(name(3, i))), writer.stores())
                    .expect(RECEIVED, keep(i), apply(i), USEFUL);
        }
        acquire(subject.message(3, push(name(3, 8))), writer.stores())
                .expect(RECEIVED, keep(8), count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .quietly();

        subject.readFault().expect(USEFUL, apply(8), resume(PageAccess.READ));
    }

    @Test
    void pageThatNobodyReadsAnyMore_isToldToItsWriter() {
        Writer writer = new Writer(3);
        Subject<Msg> subject = stale(writer.stores()).message(3, push(name(3, 1))).quietly();
        for (int i = 1; i < PushedDiffs.UNREAD_MAX; i++) {
            acquire(subject, writer.stores()).expect();
        }

        acquire(subject, writer.stores())
                .expect(WASTED, new Effect.DropKept(PAGE, 1), send(3, new Unread(List.of(PAGE))))
                .readFault()
                .expect(ask(3, name(3, 1), name(3, 2), name(3, 3), name(3, 4), name(3, 5)));
    }

    @Test
    void pageThatIsReadNowAndThen_isNotToldToItsWriter() {
        Writer writer = new Writer(3);
        Subject<Msg> subject = stale(writer.stores()).message(3, push(name(3, 1))).quietly();
        for (int i = 1; i < PushedDiffs.UNREAD_MAX; i++) {
            acquire(subject.message(3, push(name(3, i + 1))), writer.stores());
        }
        subject.readFault().quietly();

        acquire(subject, writer.stores()).withdrawn().message(3, push(name(3, 5))).quietly();
        acquire(subject, writer.stores()).expect();
    }

    // collections

    @Test
    void pushThatACollectionCovers_isDropped() {
        Writer writer = new Writer(3).stores();
        Subject<Msg> subject = collect(stale(writer), 1, writer).quietly();

        subject.expectState("Absent")
                .readFault()
                .message(3, push(name(3, 1)))
                .expect(send(3, imageRequest(1, 1)), RECEIVED, WASTED);
        Writer other = new Writer(3).stores();
        assertEquals(
                collect(stale(other), 1, other).protocol.lazyBytes(), subject.protocol.lazyBytes());
    }

    @Test
    void pushThatWaitsBeyondACollection_isNotHadAnyMore() {
        Writer writer = new Writer(3).stores();
        Subject<Msg> subject = absent().readFault().message(3, push(name(3, 1)));
        long before = subject.protocol.lazyBytes();

        collect(subject, 1, writer);
        subject.quietly().collected(writer.released()).expect(new Effect.DropKept(PAGE, 1), WASTED);

        assertTrue(before > subject.protocol.lazyBytes());
    }

    // impossible

    @Test
    void pushDuringTheInitialization_isImpossible() {
        Subject<Msg> root = new Subject<>(0, Protocol.HYBRID, Hybrid::new).writeFault().quietly();

        root.expectViolation("Initial", () -> root.message(3, push(name(3, 1))), "Push");
    }

    @Test
    void pushOfAnothersDiff_isImpossible() {
        Subject<Msg> subject = clean();

        subject.expectViolation("Clean", () -> subject.message(2, push(name(3, 1))), "Push");
    }

    @Test
    void pushToALazyPage_isImpossible() {
        Subject<Msg> subject = LazyState.clean();

        subject.expectViolation("Clean", () -> subject.message(3, push(name(3, 1))), "Push");
    }
}
