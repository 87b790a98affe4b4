package io.muninn.coherence.invalidate;

import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;

import io.muninn.api.Protocol;
import io.muninn.coherence.invalidate.Conventional.Invalidate;
import io.muninn.coherence.invalidate.Conventional.InvalidateAck;
import io.muninn.coherence.invalidate.Conventional.ReadReply;
import io.muninn.model.PageAccess;
import io.muninn.spi.NodeCounter;
import org.junit.jupiter.api.Test;

/** The cells of the table of {@link Conventional} in which a store waits for acknowledgements. */
class ConventionalTest extends WriteInvalidateCells {
    ConventionalTest() {
        super(Protocol.CONVENTIONAL, Conventional::new, "AwaitAcks", PageAccess.NONE);
    }

    @Test
    void faultOnAPageThatAwaitsAcknowledgements_joins() {
        in(State.ENDING).readFault().writeFault().expect();
    }

    @Test
    void writeFaultOfTheOwner_endsEveryOtherCopyBeforeTheStore() {
        in(State.SHARED_OWNER)
                .message(2, READ_OF_2)
                .quietly()
                .writeFault()
                .expect(send(2, new Invalidate(PAGE, 8)), send(4, new Invalidate(PAGE, 8)))
                .message(4, new InvalidateAck(PAGE, 8))
                .expect()
                .message(2, new InvalidateAck(PAGE, 8))
                .expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void grantWithCopiesElsewhere_installsWithoutAccessAndEndsThem() {
        in(State.AWAIT_GRANT)
                .message(0, grant(VICTIMS))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        send(4, new Invalidate(PAGE, 7)),
                        send(5, new Invalidate(PAGE, 7)));
    }

    @Test
    void acknowledgementOfAllButOne_doesNotYetGrantTheStore() {
        in(State.ENDING)
                .message(4, new InvalidateAck(PAGE, 7))
                .expect()
                .message(5, new InvalidateAck(PAGE, 7))
                .expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void lastAcknowledgement_beginsTheHoldTimeAndWhatWasDeferredIsAnsweredAfterIt() {
        in(State.ENDING)
                .message(2, READ_OF_2)
                .passNanos(HOLD)
                .message(4, new InvalidateAck(PAGE, 7))
                .message(5, new InvalidateAck(PAGE, 7))
                .expect(resume(PageAccess.READ_WRITE), arm(HOLD))
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 9, 7, PRESENT)));
    }

    @Test
    void lossOfANode_poisonsWhatAwaitsAcknowledgements() {
        in(State.ENDING).peerLost(0).expect(poison());
    }
}
