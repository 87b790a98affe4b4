package io.muninn.protocols;

import static io.muninn.protocols.Subject.PAGE;
import static io.muninn.protocols.Subject.access;
import static io.muninn.protocols.Subject.arm;
import static io.muninn.protocols.Subject.count;
import static io.muninn.protocols.Subject.install;
import static io.muninn.protocols.Subject.poison;
import static io.muninn.protocols.Subject.resume;
import static io.muninn.protocols.Subject.send;

import io.muninn.api.Protocol;
import io.muninn.model.PageAccess;
import io.muninn.protocol.Counter;
import io.muninn.protocols.Conventional.Invalidate;
import io.muninn.protocols.Conventional.InvalidateAck;
import io.muninn.protocols.Conventional.ReadReply;
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
                        count(Counter.PAGES_FETCHED),
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
                        count(Counter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 7, PRESENT)));
    }

    @Test
    void lossOfANode_poisonsWhatAwaitsAcknowledgements() {
        in(State.ENDING).peerLost(0).expect(poison());
    }
}
