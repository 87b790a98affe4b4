package io.muninn.coherence.invalidate;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.invalidate.Conventional.Invalidate;
import io.muninn.coherence.invalidate.Conventional.InvalidateAck;
import io.muninn.coherence.invalidate.Conventional.Msg;
import io.muninn.coherence.invalidate.Conventional.ReadReply;
import io.muninn.coherence.invalidate.Conventional.ReadRequest;
import io.muninn.coherence.invalidate.Conventional.WriteGrant;
import io.muninn.coherence.invalidate.Conventional.WriteRequest;
import io.muninn.coherence.shared.Outrun;
import io.muninn.coherence.shared.Requests;
import io.muninn.directory.Copyset;
import io.muninn.model.PageAccess;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cells of pages that travel with a lock. Node 1 is under test, node 0 the root. */
class PagesThatTravelTest {
    private static final long HOLD = FakeContext.HOLD_NANOS;
    private static final Payload PRESENT = new Payload.PageImage(PAGE);
    private static final WriteGrant UNASKED = grant(Requests.UNASKED, 7, List.of(), IMAGE);
    private static final ReadRequest READ_OF_2 = new ReadRequest(PAGE, node(2), 9);
    private static final WriteRequest WRITE_OF_2 = new WriteRequest(PAGE, node(2), 9);

    private static final Object[] INSTALLED = {
        count(NodeCounter.PAGES_FETCHED),
        install(PageAccess.READ_WRITE),
        resume(PageAccess.READ_WRITE)
    };

    private static WriteGrant grant(
            long answered, long generation, List<Outrun> outrun, Payload image) {
        return new WriteGrant(PAGE, answered, generation, Copyset.EMPTY, outrun, image);
    }

    private static Object[] sent(WriteGrant grant) {
        return new Object[] {
            access(PageAccess.READ), count(NodeCounter.PAGES_SENT), send(2, grant), discard()
        };
    }

    private static Subject<Msg> invalid() {
        return new Subject<>(1, Protocol.CONVENTIONAL, Conventional::new);
    }

    private static Subject<Msg> held() {
        return invalid().writeFault().message(0, grant(1, 7, List.of(), IMAGE)).quietly();
    }

    @Test
    void lockPassed_sendsTheOnlyCopy() {
        held().passNanos(HOLD)
                .lockPassed(2, true)
                .expect(sent(grant(Requests.UNASKED, 8, List.of(), PRESENT)))
                .readFault()
                .expect(send(2, new ReadRequest(PAGE, node(1), 2)));
    }

    @Test
    void lockPassed_leavesAPageThatIsHeldOrWaitedForOrThatOthersMayLoad() {
        invalid().lockPassed(2, false).expect();
        held().lockPassed(2, false).expect();
        held().message(3, READ_OF_2).quietly().passNanos(HOLD).lockPassed(2, false).expect();
        held().passNanos(HOLD).message(3, READ_OF_2).quietly().lockPassed(2, false).expect();
        invalid().readFault().quietly().lockPassed(2, false).expect();
        invalid().writeFault().quietly().lockPassed(2, false).expect();
    }

    @Test
    void pageUnasked_isInstalledAndHeld() {
        invalid().message(0, UNASKED).expect(INSTALLED).message(2, READ_OF_2).expect(arm(HOLD));
    }

    @Test
    void pageUnasked_isImpossibleWhereACopyIs() {
        Subject<Msg> exclusive = held();
        exclusive.expectViolation("Exclusive", () -> exclusive.message(0, UNASKED), "WriteGrant");
        Subject<Msg> shared =
                invalid().readFault().message(0, new ReadReply(PAGE, 1, 4, IMAGE)).quietly();
        shared.expectViolation("Shared", () -> shared.message(0, UNASKED), "WriteGrant");
        Subject<Msg> upgrading = shared.writeFault().quietly();
        upgrading.expectViolation("AwaitGrant", () -> upgrading.message(0, UNASKED), "WriteGrant");
    }

    @Test
    void pageThatOutrunsARequestForACopy_wakesWhoWaits_andTheReplyIsDropped() {
        invalid()
                .readFault()
                .message(2, new Invalidate(PAGE, 6))
                .expect(
                        send(0, new ReadRequest(PAGE, node(1), 1)),
                        send(2, new InvalidateAck(PAGE, 6)))
                .message(2, UNASKED)
                .expect(INSTALLED)
                .message(0, new ReadReply(PAGE, 1, 5, IMAGE))
                .expect(count(NodeCounter.DEAD_IMAGES))
                .message(3, new ReadRequest(PAGE, node(1), 1))
                .expect();
    }

    @Test
    void replyToAnOutrunRequest_isDroppedAlsoWhereTheNextOneIsUnderWay() {
        invalid()
                .readFault()
                .message(2, UNASKED)
                .passNanos(HOLD)
                .message(2, WRITE_OF_2)
                .readFault()
                .quietly()
                .message(0, new ReadReply(PAGE, 1, 5, IMAGE))
                .expect(count(NodeCounter.DEAD_IMAGES))
                .message(2, new ReadReply(PAGE, 2, 8, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.READ),
                        resume(PageAccess.READ));
    }

    @Test
    void pageThatOutrunsARequestForOwnership_isHeldBeforeTheDeferredAreAnswered() {
        invalid()
                .writeFault()
                .message(2, READ_OF_2)
                .quietly()
                .message(0, UNASKED)
                .expect(INSTALLED[0], INSTALLED[1], INSTALLED[2], arm(HOLD))
                .message(3, new WriteRequest(PAGE, node(1), 1))
                .expect();
    }

    @Test
    void pageThatMovesOn_saysWhatItHasOutrun() {
        Outrun own = new Outrun(node(1), 1);
        invalid()
                .writeFault()
                .message(0, UNASKED)
                .passNanos(HOLD)
                .quietly()
                .message(2, WRITE_OF_2)
                .expect(sent(grant(9, 8, List.of(own), PRESENT)));
    }

    @Test
    void outrunRequestOfAnother_isDropped_alsoWhenThePageHasMovedOn() {
        Outrun of2 = new Outrun(node(2), 9);
        invalid()
                .message(0, grant(Requests.UNASKED, 7, List.of(of2), IMAGE))
                .passNanos(HOLD)
                .quietly()
                .message(3, READ_OF_2)
                .message(3, WRITE_OF_2)
                .expect()
                .lockPassed(2, true)
                .expect(sent(grant(Requests.UNASKED, 8, List.of(of2), PRESENT)))
                .message(3, WRITE_OF_2)
                .expect()
                .message(3, new WriteRequest(PAGE, node(2), 10))
                .expect(count(NodeCounter.FORWARDS), send(2, new WriteRequest(PAGE, node(2), 10)));
    }

    @Test
    void prefetchedPageThatComesUnasked_isNoHit() {
        invalid()
                .prefetch(1, Mode.READ)
                .quietly()
                .message(0, UNASKED)
                .expect(
                        count(NodeCounter.PREFETCHES_INVALIDATED),
                        INSTALLED[0],
                        INSTALLED[1],
                        INSTALLED[2]);
    }
}
