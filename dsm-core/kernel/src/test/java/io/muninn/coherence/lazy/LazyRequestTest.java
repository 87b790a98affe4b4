package io.muninn.coherence.lazy;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.lazy.LazyState.DIFF;
import static io.muninn.coherence.lazy.LazyState.DROP_TWIN;
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
import static io.muninn.coherence.lazy.LazyState.copy;
import static io.muninn.coherence.lazy.LazyState.diffReply;
import static io.muninn.coherence.lazy.LazyState.diffRequest;
import static io.muninn.coherence.lazy.LazyState.dirty;
import static io.muninn.coherence.lazy.LazyState.discarded;
import static io.muninn.coherence.lazy.LazyState.fetching;
import static io.muninn.coherence.lazy.LazyState.first;
import static io.muninn.coherence.lazy.LazyState.imageRequest;
import static io.muninn.coherence.lazy.LazyState.keep;
import static io.muninn.coherence.lazy.LazyState.name;
import static io.muninn.coherence.lazy.LazyState.onRoot;
import static io.muninn.coherence.lazy.LazyState.own;
import static io.muninn.coherence.lazy.LazyState.release;
import static io.muninn.coherence.lazy.LazyState.reply;
import static io.muninn.coherence.lazy.LazyState.save;
import static io.muninn.coherence.lazy.LazyState.sendImage;
import static io.muninn.coherence.lazy.LazyState.sendOwn;
import static io.muninn.coherence.lazy.LazyState.stale;
import static io.muninn.coherence.lazy.LazyState.wanted;
import static io.muninn.coherence.lazy.LazyState.withdrawing;

import io.muninn.coherence.Subject;
import io.muninn.coherence.lazy.LazyMessages.CopyReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.ImageTerms;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.lazy.LazyState.Writer;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.PageAccess;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The replies of a node, and collections: columns of the table of {@link Lazy}. */
class LazyRequestTest {
    /** The size that {@link Subject#saved} reports for a diff of one granule. */
    private static final int BYTES_OF_ONE = 12;

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
                                diffReply(
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

        subject.message(2, diffRequest(List.of(name(3, 1), name(1, 1)), ImageTerms.NONE))
                .expect(save(1, false))
                .saved(1, 1)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        send(
                                2,
                                diffReply(
                                        List.of(
                                                new NamedDiff(
                                                        name(1, 1), new Payload.SavedDiff(PAGE, 1)),
                                                new NamedDiff(
                                                        name(3, 1),
                                                        new Payload.LastingDiff(PAGE, 1))))));
    }

    @Test
    void requestForNoDiffOfThisNode_isImpossible() {
        Subject<Msg> subject = fetching().message(3, reply(name(3, 1))).quietly();

        subject.expectViolation(
                "Clean",
                () -> subject.message(2, diffRequest(List.of(name(3, 1)), ImageTerms.NONE)),
                "WantedDiffs");
    }

    @Test
    void diffsThatDoNotFit_areLeftToTheirWriters() {
        Subject<Msg> subject = fetching();
        subject.context.updates(
                UpdateRules.PLAIN.withLimits(new MessageLimits(1, BYTES_OF_ONE + 1, 1, 1)));
        subject.message(3, reply(name(3, 1)));
        release(subject.writeFault()).message(2, own(1L)).saved(1, 1);
        release(subject.writeFault()).message(2, own(2L)).saved(2, 1).quietly();

        // one byte is left after the first, none after the second
        subject.message(
                        2,
                        diffRequest(List.of(name(3, 1), name(1, 1), name(1, 2)), ImageTerms.NONE))
                .expect(
                        send(
                                2,
                                diffReply(
                                        List.of(
                                                new NamedDiff(
                                                        name(1, 1), new Payload.SavedDiff(PAGE, 1)),
                                                new NamedDiff(
                                                        name(1, 2),
                                                        new Payload.SavedDiff(PAGE, 2))))));
    }

    @Test
    void requestForPageNeverStoredTo_isImpossible() {
        absent().expectViolation("Absent", () -> absent().message(2, own(1L)), "WantedDiffs");
        onRoot().expectViolation("Idle", () -> onRoot().message(2, own(1L)), "WantedDiffs");
        clean().expectViolation("Clean", () -> clean().message(2, own(1L)), "WantedDiffs");
    }

    @Test
    void imageRequest_isAnsweredWithoutStoresThatAreInNoDiff() {
        AppliedDiffs none = AppliedDiffs.EMPTY;
        Payload page = new Payload.PageImage(PAGE);
        Payload twin = new Payload.TwinImage(PAGE);

        clean().message(2, imageRequest(2, 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, page));
        withdrawing()
                .message(2, imageRequest(2, 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, page));
        stale().message(2, imageRequest(2, 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, page));
        fetching()
                .message(2, imageRequest(2, 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, page));
        dirty().message(2, imageRequest(2, 0))
                .expect(count(NodeCounter.PAGES_SENT), sendImage(none, twin));
        closed().writeFault()
                .quietly()
                .message(2, imageRequest(2, 0))
                .expect(
                        save(1, true),
                        count(NodeCounter.PAGES_SENT),
                        sendImage(none.with(node(1), 1), twin));
        closing()
                .message(2, imageRequest(2, 0))
                .expect()
                .withdrawn()
                .saved(1, 1)
                .expect(
                        save(1, false),
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        count(NodeCounter.PAGES_SENT),
                        sendImage(none.with(node(1), 1), page));
        closed().message(2, imageRequest(2, 0))
                .expect(
                        save(1, false),
                        count(NodeCounter.PAGES_SENT),
                        sendImage(none.with(node(1), 1), page));
        absent().message(2, imageRequest(2, 0))
                .expect(count(NodeCounter.FORWARDS), send(0, imageRequest(2, 0)));
    }

    // images in place of diffs

    private static final int LONG = 400; // granules of a diff that is longer than a page

    private static DiffRequest ownOrCopy(AppliedDiffs base, Long... intervals) {
        return diffRequest(wanted(intervals), new ImageTerms(true, 0, base));
    }

    private static Effect sendCopy(AppliedDiffs applied, Payload image, NamedDiff... diffs) {
        return send(2, new CopyReply(PAGE, applied, image, List.of(diffs)));
    }

    @Test
    void longDiff_isAnsweredByAnImage() {
        closed().message(2, ownOrCopy(AppliedDiffs.EMPTY, 1L))
                .expect(save(1, false))
                .saved(1, LONG)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        count(NodeCounter.PAGES_SENT),
                        sendCopy(first(1), new Payload.PageImage(PAGE)));
        closed().writeFault()
                .quietly()
                .message(2, ownOrCopy(AppliedDiffs.EMPTY, 1L))
                .expect(save(1, true))
                .savedAndKept(1, LONG)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        count(NodeCounter.PAGES_SENT),
                        sendCopy(first(1), new Payload.TwinImage(PAGE)));
        closing()
                .message(2, ownOrCopy(AppliedDiffs.EMPTY, 1L))
                .expect()
                .withdrawn()
                .expect(save(1, false))
                .saved(1, LONG)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        count(NodeCounter.PAGES_SENT),
                        sendCopy(first(1), new Payload.PageImage(PAGE)));
    }

    @Test
    void longDiffThatIsMade_isAnsweredByWhatIsListed() {
        Subject<Msg> subject = closed().message(2, own(1L)).saved(1, LONG).quietly();

        subject.message(2, ownOrCopy(AppliedDiffs.EMPTY, 1L))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        sendCopy(first(1), new Payload.PageImage(PAGE)));
        release(subject.writeFault())
                .quietly()
                .message(2, ownOrCopy(AppliedDiffs.EMPTY, 1L))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        sendCopy(first(1), new Payload.TwinImage(PAGE)));
    }

    @Test
    void askerThatTakesNoImage_getsDiffs() {
        closed().message(2, own(1L))
                .quietly()
                .saved(1, LONG)
                .expect(count(NodeCounter.DIFFS_MADE), DROP_TWIN, sendOwn(2, 1))
                .message(2, ownOrCopy(first(4), 1L))
                .expect(sendOwn(2, 1))
                .message(2, diffRequest(wanted(1L), new ImageTerms(true, 1, AppliedDiffs.EMPTY)))
                .expect(sendOwn(2, 1));
    }

    @Test
    void diffThatIsNotHere_isAnsweredByAnImageAndTheOthersComeAlong() {
        Subject<Msg> subject = fetching().message(3, copy(first(3)));
        release(subject.writeFault()).message(2, own(1L)).saved(1, 1).quietly();

        subject.message(
                        2,
                        diffRequest(
                                List.of(name(3, 1), name(1, 1)),
                                new ImageTerms(true, 0, AppliedDiffs.EMPTY)))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        sendCopy(
                                first(3, 1),
                                new Payload.PageImage(PAGE),
                                new NamedDiff(name(1, 1), new Payload.SavedDiff(PAGE, 1))));
    }

    @Test
    void diffsThatCameAlong_areSentOn() {
        Subject<Msg> subject =
                fetching()
                        .message(
                                3,
                                new CopyReply(
                                        PAGE,
                                        first(3),
                                        IMAGE,
                                        List.of(new NamedDiff(name(3, 1), DIFF))))
                        .expect(
                                discard(),
                                count(NodeCounter.PAGES_FETCHED),
                                install(PageAccess.NONE),
                                keep(1),
                                resume(PageAccess.READ));
        release(subject.writeFault()).message(2, own(1L)).saved(1, 1).quietly();

        subject.message(
                        2,
                        diffRequest(
                                List.of(name(3, 1), name(1, 1)),
                                new ImageTerms(true, 0, AppliedDiffs.EMPTY)))
                .expect(
                        send(
                                2,
                                diffReply(
                                        List.of(
                                                new NamedDiff(
                                                        name(1, 1), new Payload.SavedDiff(PAGE, 1)),
                                                new NamedDiff(
                                                        name(3, 1),
                                                        new Payload.LastingDiff(PAGE, 1))))));
    }

    // collections

    @Test
    void collection_givesUpAStaleCopyAndAsksTheKeeperLater() {
        Subject<Msg> subject = collect(clean(), 1, new Writer(3).stores());

        subject.expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectCollected()
                .withdrawn()
                .expect(discarded())
                .expectCollected(1L)
                .readFault()
                .expect(send(3, imageRequest(1, 1)));
    }

    @Test
    void collection_forgetsWhatAnAbsentPageLacks() {
        Writer writer = new Writer(3).stores();

        collect(absent(), 1, writer)
                .expect()
                .expectCollected(1L)
                .readFault()
                .expect(send(3, imageRequest(1, 1)));
    }

    @Test
    void collection_makesAnUntouchedPageThatIsStoredToElsewhereAbsent() {
        Writer writer = new Writer(3).stores();

        allocated(1)
                .collect(1, 3, writer.cargo(1), writer.released())
                .expect()
                .expectCollected(1L)
                .message(2, imageRequest(2, 0))
                .expect(count(NodeCounter.FORWARDS), send(3, imageRequest(2, 0)));
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
                .expect(ask(3, new ImageTerms(true, 1, AppliedDiffs.EMPTY), name(3, 1)))
                .expectCollected()
                .message(2, imageRequest(2, 1))
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
                .expect(
                        count(NodeCounter.INVALIDATIONS),
                        WITHDRAW,
                        ask(4, new ImageTerms(true, 1, AppliedDiffs.EMPTY), name(4, 1)));
    }

    @Test
    void collectedDiffs_areDroppedWhenAllHavePerformed() {
        Subject<Msg> subject = fetching().message(3, reply(name(3, 1))).writeFault();
        subject.leave(RELEASE).message(2, own(1L)).saved(1, 1).quietly();
        VectorTimestamp all = new Writer(3).stores().released().with(node(1), 1);

        subject.collected(all).expect(new Effect.DropDiff(PAGE, 1), new Effect.DropKept(PAGE, 1));
    }

    /**
     * The image may lack stores that the node gives others as diffs, and drops after the
     * collection.
     */
    @Test
    void collection_waitsForAnImageInPlaceOfDiffs() {
        Subject<Msg> subject =
                acquire(closed(), new Writer(3).stores())
                        .saved(1, 1)
                        .withdrawn()
                        .readFault()
                        .quietly();
        VectorTimestamp own = VectorTimestamp.zero(subject.context.nodes()).with(node(1), 1);

        subject.collect(1, 3, Bytes.EMPTY, own)
                .expectCollected()
                .message(3, copy(first(3)))
                .expect(
                        discard(),
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        new Effect.ApplyDiff(PAGE, new Payload.SavedDiff(PAGE, 1)),
                        resume(PageAccess.READ))
                .expectCollected(1L);
    }
}
