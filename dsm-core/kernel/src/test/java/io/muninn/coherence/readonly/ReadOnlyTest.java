package io.muninn.coherence.readonly;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.Subject;
import io.muninn.coherence.readonly.ReadOnly.CopiesReply;
import io.muninn.coherence.readonly.ReadOnly.CopiesRequest;
import io.muninn.coherence.readonly.ReadOnly.CopyReply;
import io.muninn.coherence.readonly.ReadOnly.CopyRequest;
import io.muninn.coherence.readonly.ReadOnly.Msg;
import io.muninn.kernel.Counted;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every cell of the table of {@link ReadOnly}. Node 1 is under test, or the root, node 0. */
class ReadOnlyTest {
    private static final CopyRequest REQUEST = new CopyRequest(PAGE);
    private static final CopyReply REPLY = new CopyReply(PAGE, IMAGE);

    @Test
    void faultOnTheRootBeforeSealing_resumesWithEveryAccess() {
        writable().readFault().expect(resume(PageAccess.READ_WRITE));
        writable().writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void sealing_takesStoresFromThePagesThatWereTouched() {
        writable().writeFault().quietly().sealed().expect(access(PageAccess.READ));
        writable().sealed().expect();
    }

    @Test
    void readFaultOnAbsentPage_asksTheRoot() {
        absent().readFault().expect(send(0, REQUEST));
    }

    @Test
    void readFaultOnAwaitedPage_joins() {
        awaiting().readFault().expect();
    }

    @Test
    void readFaultOnReadablePage_resumes() {
        readable().readFault().expect(resume(PageAccess.READ));
        readableRoot().readFault().expect(resume(PageAccess.READ));
    }

    @Test
    void pageThatTheRootFirstTouchesAfterSealing_isReadable() {
        writable().sealed().readFault().expect(resume(PageAccess.READ));
    }

    @Test
    void writeFaultAfterInitialization_failsTheRunNamingVariablePageAndNode() {
        absent().writeFault().expect(failure(1));
        awaiting().writeFault().expect(failure(1));
        readable().writeFault().expect(failure(1));
        readableRoot().writeFault().expect(failure(0));
    }

    @Test
    void requestForReadablePage_isAnsweredWithACopy() {
        readableRoot()
                .message(1, REQUEST)
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(1, new CopyReply(PAGE, new Payload.PageImage(PAGE))));
    }

    @Test
    void replyForAwaitedPage_installsAndResumes() {
        awaiting()
                .message(0, REPLY)
                .expect(
                        install(PageAccess.READ),
                        resume(PageAccess.READ),
                        count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void requestForAPageThatIsNotReadable_isImpossible() {
        Subject<Msg> writable = writable();
        writable.expectViolation("WRITABLE", () -> writable.message(1, REQUEST), "CopyRequest");
        Subject<Msg> absent = absent();
        absent.expectViolation("ABSENT", () -> absent.message(2, REQUEST), "CopyRequest");
        Subject<Msg> awaiting = awaiting();
        awaiting.expectViolation("AWAITING", () -> awaiting.message(2, REQUEST), "CopyRequest");
    }

    @Test
    void replyForAPageThatIsNotAwaited_isImpossible() {
        Subject<Msg> writable = writable();
        writable.expectViolation("WRITABLE", () -> writable.message(1, REPLY), "CopyReply");
        Subject<Msg> absent = absent();
        absent.expectViolation("ABSENT", () -> absent.message(0, REPLY), "CopyReply");
        Subject<Msg> readable = readable();
        readable.expectViolation("READABLE", () -> readable.message(0, REPLY), "CopyReply");
    }

    @Test
    void sealingOfAPageThatIsNotWritable_isImpossible() {
        Subject<Msg> readable = readableRoot();
        readable.expectViolation("READABLE", readable::sealed, "Sealed");
        Subject<Msg> awaiting = awaiting();
        awaiting.expectViolation("AWAITING", awaiting::sealed, "Sealed");
        Subject<Msg> absent = absent().peerLost(0).readFault().quietly();
        absent.expectViolation("ABSENT", absent::sealed, "Sealed");
    }

    @Test
    void lossOfANode_poisonsWhatIsAwaitedAndWhatIsAskedForLater() {
        awaiting().peerLost(0).expect(poison());
        readable().peerLost(0).expect().readFault().expect(resume(PageAccess.READ));
        absent().peerLost(0).expect().readFault().expect(poison());
    }

    // prefetches, without read-ahead

    /** The page is requested because the program prefetches it. */
    private static Subject<Msg> prefetched() {
        return absent().prefetch(1, Mode.READ).quietly();
    }

    @Test
    void prefetch_asksInOneMessageForWhatIsNotHere() {
        absent().prefetch(2, Mode.WRITE)
                .expect(new Counted(NodeCounter.PAGES_AHEAD, 2), send(0, request(3, 4)));
        readable()
                .prefetch(2, Mode.READ)
                .expect(
                        count(NodeCounter.PREFETCHES_UNNECESSARY),
                        count(NodeCounter.PAGES_AHEAD),
                        send(0, request(4)));
        awaiting().prefetch(1, Mode.READ).expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
        prefetched().prefetch(1, Mode.READ).expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
        readableRoot().prefetch(1, Mode.READ).expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
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
    void prefetchedPageThatIsUnderWay_isLate() {
        prefetched()
                .readFault()
                .expect(count(NodeCounter.PREFETCHES_LATE))
                .message(0, REPLY)
                .expect(
                        install(PageAccess.READ),
                        resume(PageAccess.READ),
                        count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void prefetchedPage_isAHitWhereTheTouchOfItsNeighbourOpensIt() {
        Subject<Msg> subject = eager(1);
        subject.readFault();
        subject.protocol.onPrefetch(new PageId(0, 8), 1, Mode.READ, new RecordingEffects());
        for (int page = 3; page <= 8; page++) {
            subject.message(0, new CopyReply(new PageId(0, page), IMAGE));
        }
        RecordingEffects out = new RecordingEffects();
        subject.protocol.onReadFault(new PageId(0, 7), out);

        assertTrue(out.take().contains(count(NodeCounter.PREFETCH_HITS)));
    }

    @Test
    void lossOfTheRoot_poisonsWhatIsPrefetched() {
        prefetched().peerLost(0).expect(poison());
    }

    // read-ahead, which begins with the first fault

    private static Subject<Msg> eager(int self) {
        Subject<Msg> subject = new Subject<>(self, Protocol.READ_ONLY, ReadOnly::new);
        subject.context.updates(UpdateRules.PLAIN.withReadAhead(new ReadAheadRules(4, 1)));
        return subject;
    }

    /** Page 3 is requested ahead, with 4 to 6, by a fault on page 2. */
    private static Subject<Msg> ahead() {
        Subject<Msg> subject = eager(1);
        subject.protocol.onReadFault(new PageId(0, 2), new RecordingEffects());
        return subject;
    }

    private static CopiesRequest request(int... pages) {
        return new CopiesRequest(
                IntStream.of(pages).mapToObj(index -> new PageId(0, index)).toList());
    }

    @Test
    void faultOnAbsentPage_asksInOneMessageForThoseBehind() {
        eager(1).readFault()
                .expect(
                        send(0, REQUEST),
                        new Counted(NodeCounter.PAGES_AHEAD, 4),
                        send(0, request(4, 5, 6, 7)));
    }

    @Test
    void faultOnAPageAskedForAhead_waitsForTheReply() {
        ahead().readFault()
                .expect(count(NodeCounter.PAGES_AHEAD), send(0, request(7)))
                .message(0, REPLY)
                .expect(
                        install(PageAccess.READ),
                        resume(PageAccess.READ),
                        count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void replyAhead_isInstalledWithoutAccessAndTheTouchOpensTheNextOneToo() {
        Subject<Msg> subject = ahead();
        subject.message(0, REPLY)
                .expect(install(PageAccess.NONE), count(NodeCounter.PAGES_FETCHED))
                .message(0, new CopiesReply(List.of(new CopyReply(new PageId(0, 4), IMAGE))))
                .quietly()
                .readFault()
                .expect(
                        resume(PageAccess.READ),
                        new Effect.ResumeFault(FIRST, new PageId(0, 4), PageAccess.READ),
                        count(NodeCounter.PAGES_OPENED),
                        count(NodeCounter.PAGES_AHEAD),
                        send(0, request(7)));
    }

    @Test
    void storeToAPageAskedForAhead_endsTheRun() {
        ahead().writeFault().expect(failure(1));
    }

    @Test
    void requestAhead_isAnsweredByTheSealedRootInOneMessage() {
        writable()
                .sealed()
                .quietly()
                .message(2, request(3, 4))
                .expect(
                        new Counted(NodeCounter.PAGES_SENT, 2),
                        send(
                                2,
                                new CopiesReply(
                                        List.of(
                                                new CopyReply(PAGE, new Payload.PageImage(PAGE)),
                                                new CopyReply(
                                                        new PageId(0, 4),
                                                        new Payload.PageImage(
                                                                new PageId(0, 4)))))));
        Subject<Msg> writable = writable();
        writable.expectViolation(
                "WRITABLE", () -> writable.message(1, request(3)), "CopiesRequest");
        Subject<Msg> ahead = ahead();
        ahead.expectViolation("AHEAD", () -> ahead.message(2, request(3)), "CopiesRequest");
    }

    @Test
    void firstStoresOfTheRoot_openTheNextPageToo() {
        eager(0).writeFault()
                .expect(
                        resume(PageAccess.READ_WRITE),
                        new Effect.ResumeFault(FIRST, new PageId(0, 4), PageAccess.READ_WRITE),
                        count(NodeCounter.PAGES_OPENED));
    }

    @Test
    void lossOfANode_poisonsWhatWasAskedForAhead() {
        RecordingEffects out = new RecordingEffects();
        Subject<Msg> subject = ahead();
        subject.context.endRun();
        subject.protocol.onPeerLost(node(0), out);
        assertEquals(
                IntStream.range(2, 7)
                        .mapToObj(index -> (Effect) new Effect.Poison(new PageId(0, index)))
                        .toList(),
                out.take());
    }

    @Test
    void imagesThatDoNotFit_areInTheNextMessage() {
        Subject<Msg> root = writable().sealed().quietly();
        root.context.updates(
                UpdateRules.PLAIN.withLimits(
                        new MessageLimits(1, 1, 2 * RegionSpec.MACHINE_PAGE_BYTES, 1)));

        root.message(1, request(3, 4))
                .expect(new Counted(NodeCounter.PAGES_SENT, 2), send(1, copies(3, 4)))
                .message(1, request(3, 4, 5, 6, 7))
                .expect(
                        new Counted(NodeCounter.PAGES_SENT, 5),
                        send(1, copies(3, 4)),
                        send(1, copies(5, 6)),
                        send(1, copy(7)));
    }

    private static CopyReply copy(int page) {
        PageId id = new PageId(0, page);
        return new CopyReply(id, new Payload.PageImage(id));
    }

    private static CopiesReply copies(int... pages) {
        return new CopiesReply(IntStream.of(pages).mapToObj(ReadOnlyTest::copy).toList());
    }

    private static Effect failure(int node) {
        return new Effect.FailRun(
                "store to READ_ONLY variable 'matrix' after initialization, in page 0/3 of node "
                        + node);
    }

    private static Subject<Msg> writable() {
        return new Subject<>(0, Protocol.READ_ONLY, ReadOnly::new);
    }

    private static Subject<Msg> readableRoot() {
        return writable().writeFault().sealed().quietly();
    }

    private static Subject<Msg> absent() {
        return new Subject<>(1, Protocol.READ_ONLY, ReadOnly::new);
    }

    private static Subject<Msg> awaiting() {
        return absent().readFault().quietly();
    }

    private static Subject<Msg> readable() {
        return awaiting().message(0, REPLY).quietly();
    }
}
