package io.muninn.coherence.lazy;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.lazy.LazyState.ASK_IMAGE;
import static io.muninn.coherence.lazy.LazyState.MAKE_TWIN;
import static io.muninn.coherence.lazy.LazyState.RELEASE;
import static io.muninn.coherence.lazy.LazyState.WITHDRAW;
import static io.muninn.coherence.lazy.LazyState.absent;
import static io.muninn.coherence.lazy.LazyState.acquire;
import static io.muninn.coherence.lazy.LazyState.clean;
import static io.muninn.coherence.lazy.LazyState.imageRequest;
import static io.muninn.coherence.lazy.LazyState.onRoot;
import static io.muninn.coherence.lazy.LazyState.own;
import static io.muninn.coherence.lazy.LazyState.sendImage;

import io.muninn.api.Mode;
import io.muninn.coherence.Subject;
import io.muninn.coherence.lazy.LazyMessages.Image;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyState.Writer;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rows Exclusive and Idle of the table of {@link Lazy}. Node 1 is under test, or the root. */
class OnlyCopiesTest {
    private static final PageId NEXT = PAGE.plus(1);

    private static ImageReply handedOver(Payload image) {
        return new ImageReply(List.of(new Image(PAGE, true, AppliedDiffs.EMPTY, image)));
    }

    private static Effect sendAsked(int to, int asker) {
        return send(to, imageRequest(asker, 0));
    }

    private static Subject<Msg> exclusive() {
        return absent().readFault().quietly().message(0, handedOver(IMAGE)).quietly();
    }

    private static Subject<Msg> idle() {
        return absent().prefetch(1, Mode.READ).quietly().message(0, handedOver(IMAGE)).quietly();
    }

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
                .expectState("Idle");
    }

    @Test
    void idlePageOfTheRoot_isHandedOverWithWhatTheInitializationStored() {
        onRoot().writeFault()
                .sealed()
                .withdrawn()
                .quietly()
                .message(2, imageRequest(2, 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(2, handedOver(new Payload.PageImage(PAGE))),
                        discard())
                .expectState("Absent");
    }

    @Test
    void untouchedPageOfTheRoot_isHandedOverAsZeros() {
        onRoot().sealed()
                .message(2, imageRequest(2, 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(2, handedOver(Payload.ZERO_PAGE)),
                        discard());
    }

    @Test
    void severalPages_areSentInOneMessageAndDiscardedThen() {
        onRoot().sealed()
                .message(2, new ImageRequest(node(2), 0, List.of(PAGE, NEXT)))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        count(NodeCounter.PAGES_SENT),
                        send(
                                2,
                                new ImageReply(
                                        List.of(
                                                new Image(
                                                        PAGE,
                                                        true,
                                                        AppliedDiffs.EMPTY,
                                                        Payload.ZERO_PAGE),
                                                new Image(
                                                        NEXT,
                                                        true,
                                                        AppliedDiffs.EMPTY,
                                                        Payload.ZERO_PAGE)))),
                        discard(),
                        new Effect.Discard(NEXT));
    }

    @Test
    void requestsForAPageThatWasHandedOver_followIt() {
        onRoot().sealed()
                .message(2, imageRequest(2, 0))
                .quietly()
                .message(3, imageRequest(3, 0))
                .expect(count(NodeCounter.FORWARDS), sendAsked(2, 3))
                .readFault()
                .expect(sendAsked(2, 0))
                .message(3, new ImageRequest(node(3), 0, List.of(PAGE)))
                .expect(count(NodeCounter.FORWARDS), sendAsked(2, 3));
        idle().message(0, imageRequest(3, 0)).quietly().readFault().expect(sendAsked(3, 1));
    }

    @Test
    void pagesThatWereHandedToOneNode_areAskedForInOneMessage() {
        ImageRequest both = new ImageRequest(node(3), 0, List.of(PAGE, NEXT));
        onRoot().sealed()
                .message(2, new ImageRequest(node(2), 0, List.of(PAGE, NEXT)))
                .quietly()
                .message(3, both)
                .expect(count(NodeCounter.FORWARDS), send(2, both));
    }

    @Test
    void idlePage_isExclusiveFromTheFirstFaultOn() {
        onRoot().sealed()
                .readFault()
                .expect(resume(PageAccess.READ_WRITE))
                .expectState("Exclusive");
        idle().expectState("Idle")
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE), count(NodeCounter.PREFETCH_HITS))
                .expectState("Exclusive");
    }

    @Test
    void pageThatIsHandedOver_isStoredToWithoutATwin() {
        absent().readFault()
                .expect(ASK_IMAGE)
                .message(0, handedOver(IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ_WRITE))
                .expectState("Exclusive");
    }

    @Test
    void exclusivePage_isInNoInterval() {
        exclusive()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .leave(RELEASE)
                .expect()
                .expectPerformed(RELEASE)
                .expectState("Exclusive");
    }

    @Test
    void firstCopyOfAnother_endsTheStoresWithoutATwin() {
        exclusive()
                .message(0, imageRequest(2, 0))
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        sendImage(AppliedDiffs.EMPTY, new Payload.PageImage(PAGE)))
                .expectState("Clean")
                .writeFault()
                .expect(MAKE_TWIN, count(NodeCounter.TWINS_MADE), resume(PageAccess.READ_WRITE));
    }

    @Test
    void pageThatNoThreadHasUsed_goesOnToTheNextNode() {
        idle().message(0, imageRequest(2, 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        count(NodeCounter.PREFETCHES_INVALIDATED),
                        send(2, handedOver(new Payload.PageImage(PAGE))),
                        discard())
                .expectState("Absent");
    }

    @Test
    void copyThatWasExclusive_isHeldFromItsFetchOn() {
        Writer writer = new Writer(3).stores();
        Subject<Msg> subject = exclusive();
        subject.context.letThreadsRun();
        subject.message(0, imageRequest(3, 0)).quietly();
        acquire(subject, writer).expect(Subject.arm(subject.context.holdNanos()));
    }

    @Test
    void onlyCopy_meetsNeitherNoticesNorRequestsForDiffs() {
        exclusive()
                .expectViolation(
                        "Exclusive", () -> acquire(exclusive(), new Writer(3).stores()), "notice");
        idle().expectViolation("Idle", () -> acquire(idle(), new Writer(3).stores()), "notice");
        exclusive()
                .expectViolation("Exclusive", () -> exclusive().message(2, own(1L)), "WantedDiffs");
        idle().expectViolation("Idle", () -> idle().message(2, own(1L)), "WantedDiffs");
        clean().expectViolation("Clean", () -> clean().message(0, handedOver(IMAGE)), "ImageReply");
    }
}
