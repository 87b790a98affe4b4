package io.muninn.protocols;

import static io.muninn.protocols.Subject.IMAGE;
import static io.muninn.protocols.Subject.PAGE;
import static io.muninn.protocols.Subject.access;
import static io.muninn.protocols.Subject.count;
import static io.muninn.protocols.Subject.install;
import static io.muninn.protocols.Subject.poison;
import static io.muninn.protocols.Subject.resume;
import static io.muninn.protocols.Subject.send;

import io.muninn.api.Protocol;
import io.muninn.model.PageAccess;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effect;
import io.muninn.protocols.ReadOnly.CopyReply;
import io.muninn.protocols.ReadOnly.CopyRequest;
import io.muninn.protocols.ReadOnly.Msg;
import io.muninn.wire.Payload;
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
                        count(Counter.PAGES_SENT),
                        send(1, new CopyReply(PAGE, new Payload.PageImage(PAGE))));
    }

    @Test
    void replyForAwaitedPage_installsAndResumes() {
        awaiting()
                .message(0, REPLY)
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.READ),
                        resume(PageAccess.READ));
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
