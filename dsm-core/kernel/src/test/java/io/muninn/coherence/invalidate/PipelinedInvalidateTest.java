package io.muninn.coherence.invalidate;

import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;

import io.muninn.api.Protocol;
import io.muninn.coherence.Subject;
import io.muninn.coherence.invalidate.Conventional.Invalidate;
import io.muninn.coherence.invalidate.Conventional.InvalidateAck;
import io.muninn.coherence.invalidate.Conventional.Msg;
import io.muninn.coherence.invalidate.Conventional.ReadReply;
import io.muninn.directory.Copyset;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import org.junit.jupiter.api.Test;

/**
 * The cells of the table of {@link PipelinedInvalidate} in which threads store before all
 * invalidations are acknowledged, and the releases that wait for these.
 */
class PipelinedInvalidateTest extends WriteInvalidateCells {
    private static final GatedRelease BARRIER =
            new GatedRelease.Arrival(new BarrierId("sweep"), 1, 0);
    private static final GatedRelease TOKEN = new GatedRelease.Token(new LockId("lock"), node(3));

    PipelinedInvalidateTest() {
        super(Protocol.PIPELINED, PipelinedInvalidate::new, "Invalidating", PageAccess.READ_WRITE);
    }

    @Test
    void faultOnAPageWhoseCopiesAreBeingEnded_resumes() {
        in(State.ENDING)
                .readFault()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE), resume(PageAccess.READ_WRITE));
    }

    @Test
    void writeFaultOfTheOwner_resumesAndEndsEveryOtherCopy() {
        in(State.SHARED_OWNER)
                .message(2, READ_OF_2)
                .quietly()
                .writeFault()
                .expect(
                        resume(PageAccess.READ_WRITE),
                        send(2, new Invalidate(PAGE, 8)),
                        send(4, new Invalidate(PAGE, 8)))
                .message(4, new InvalidateAck(PAGE, 8))
                .message(2, new InvalidateAck(PAGE, 8))
                .expect();
    }

    @Test
    void grantWithCopiesElsewhere_resumesBeforeTheyAreGone() {
        in(State.AWAIT_GRANT)
                .message(0, grant(VICTIMS))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE),
                        send(4, new Invalidate(PAGE, 7)),
                        send(5, new Invalidate(PAGE, 7)));
    }

    @Test
    void lastAcknowledgementAfterTheHoldTime_answersWhatWasDeferred() {
        in(State.ENDING)
                .message(2, READ_OF_2)
                .message(3, WRITE_OF_3)
                .passNanos(HOLD)
                .message(4, new InvalidateAck(PAGE, 7))
                .expect()
                .message(5, new InvalidateAck(PAGE, 7))
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 9, 7, PRESENT)),
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(3, granted(Copyset.of(node(2)), PRESENT)),
                        discard());
    }

    @Test
    void lastAcknowledgementWithinTheHoldTime_leavesWhatWasDeferredToItsEnd() {
        in(State.ENDING)
                .message(2, READ_OF_2)
                .passNanos(10)
                .message(4, new InvalidateAck(PAGE, 7))
                .message(5, new InvalidateAck(PAGE, 7))
                .expect(arm(HOLD - 10))
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 9, 7, PRESENT)));
    }

    @Test
    void releaseWithNothingUnderWay_isPerformedAtOnce() {
        for (State state : State.values()) {
            Subject<Msg> subject = in(state).release(BARRIER);

            if (state == State.ENDING) {
                subject.expectPerformed();
            } else {
                subject.expectPerformed(BARRIER);
            }
        }
    }

    @Test
    void releaseWithInvalidationsUnderWay_isPerformedByTheLastAcknowledgement() {
        in(State.ENDING)
                .release(BARRIER)
                .message(4, new InvalidateAck(PAGE, 7))
                .release(TOKEN)
                .expectPerformed()
                .message(5, new InvalidateAck(PAGE, 7))
                .expectPerformed(BARRIER, TOKEN);
    }

    @Test
    void lossOfANode_leavesThePageThatIsStoredTo() {
        in(State.ENDING).peerLost(0).readFault().expect(resume(PageAccess.READ_WRITE));
    }
}
