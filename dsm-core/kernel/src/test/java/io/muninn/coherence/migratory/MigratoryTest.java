package io.muninn.coherence.migratory;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.migratory.Migratory.Msg;
import io.muninn.coherence.migratory.Migratory.PageMove;
import io.muninn.coherence.migratory.Migratory.PageRequest;
import io.muninn.coherence.shared.Outrun;
import io.muninn.model.PageAccess;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every cell of the table of {@link Migratory}. Node 1 is under test; node 0 is the root. */
class MigratoryTest {
    private static final PageMove MOVE = new PageMove(PAGE, 1, List.of(), IMAGE);
    private static final PageMove UNASKED = new PageMove(PAGE, 0, List.of(), IMAGE);
    private static final PageMove MOVE_OUT = moveOut(7, List.of());
    private static final PageRequest OWN = new PageRequest(PAGE, node(1), 1);
    private static final PageRequest OWN_NEXT = new PageRequest(PAGE, node(1), 2);
    private static final PageRequest OF_2 = new PageRequest(PAGE, node(2), 7);
    private static final PageRequest OF_3 = new PageRequest(PAGE, node(3), 8);
    private static final Outrun OUTRUN_OWN = new Outrun(node(1), 1);
    private static final Outrun OUTRUN_OF_2 = new Outrun(node(2), 7);

    private static PageMove moveOut(long answered, List<Outrun> outrun) {
        return new PageMove(PAGE, answered, outrun, new Payload.PageImage(PAGE));
    }

    @Test
    void faultOnAbsentPage_asksTheProbableOwner() {
        absent().readFault().expect(send(0, OWN));
        absent().writeFault().expect(send(0, OWN));
    }

    @Test
    void faultOnAwaitedPage_joins() {
        awaiting().readFault().writeFault().expect();
    }

    @Test
    void faultOnPresentPage_resumes() {
        present().readFault().expect(resume(PageAccess.READ_WRITE));
        present().writeFault().expect(resume(PageAccess.READ_WRITE));
        onRoot().writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void requestForAbsentPage_isForwardedAndTheAskerIsTheNextProbableOwner() {
        absent().message(2, OF_2)
                .expect(count(NodeCounter.FORWARDS), send(0, OF_2))
                .message(3, OF_3)
                .expect(count(NodeCounter.FORWARDS), send(2, OF_3));
    }

    @Test
    void requestForAwaitedPage_isDeferredUntilThePageWasHeld() {
        awaiting()
                .message(2, OF_2)
                .expect()
                .message(0, MOVE)
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE),
                        arm(FakeContext.HOLD_NANOS));
    }

    @Test
    void requestWithinTheHoldTime_isDeferredAndArmsTheTimerOnce() {
        present()
                .passNanos(30)
                .message(2, OF_2)
                .expect(arm(FakeContext.HOLD_NANOS - 30))
                .message(3, OF_3)
                .expect();
    }

    @Test
    void requestAfterTheHoldTime_movesThePage() {
        heldLongEnough()
                .message(2, OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, MOVE_OUT),
                        discard())
                .readFault()
                .expect(send(2, OWN_NEXT));
    }

    @Test
    void requestAfterTheHoldTimeButBehindADeferredOne_waitsToo() {
        present()
                .message(2, OF_2)
                .quietly()
                .passNanos(FakeContext.HOLD_NANOS)
                .message(3, OF_3)
                .expect();
    }

    @Test
    void moveOfAwaitedPage_installsAndResumes() {
        awaiting()
                .message(0, MOVE)
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void holdOver_answersTheDeferredInOrder() {
        present()
                .message(2, OF_2)
                .message(3, OF_3)
                .quietly()
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, MOVE_OUT),
                        discard(),
                        count(NodeCounter.FORWARDS),
                        send(2, OF_3));
    }

    @Test
    void holdOverOfAPageThatMovedOn_isIgnored() {
        absent().holdOver().expect();
        awaiting().holdOver().expect();
    }

    @Test
    void answerOfAPageNotAwaited_isImpossible() {
        Subject<Msg> absent = absent();
        absent.expectViolation("Absent", () -> absent.message(0, MOVE), "PageMove");
        Subject<Msg> present = present();
        present.expectViolation("Present", () -> present.message(0, MOVE), "PageMove");
        Subject<Msg> again = heldLongEnough().message(2, OF_2).readFault().quietly();
        again.expectViolation("Awaiting", () -> again.message(2, MOVE), "PageMove");
    }

    // pages that travel with a lock

    @Test
    void lockPassed_sendsAPresentPageThatNobodyWaitsFor() {
        heldLongEnough()
                .lockPassed(2, true)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, moveOut(0, List.of())),
                        discard())
                .readFault()
                .expect(send(2, OWN_NEXT));
    }

    @Test
    void lockPassed_leavesAPageThatIsNotHereOrHeldOrWaitedFor() {
        absent().lockPassed(2, false).expect();
        awaiting().lockPassed(2, false).expect();
        present().lockPassed(2, false).expect();
        present()
                .message(3, OF_3)
                .quietly()
                .passNanos(FakeContext.HOLD_NANOS)
                .lockPassed(2, false)
                .expect();
    }

    @Test
    void pageThatTravels_isInstalledWhereNobodyAwaitsIt() {
        absent().message(0, UNASKED)
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE))
                .message(2, OF_2)
                .expect(arm(FakeContext.HOLD_NANOS));
        Subject<Msg> present = present();
        present.expectViolation("Present", () -> present.message(0, UNASKED), "PageMove");
    }

    @Test
    void pageThatOutrunsARequest_wakesWhoWaitsAndTheRequestIsDropped() {
        outrunning().message(0, OWN).expect();
        outrunning()
                .passNanos(FakeContext.HOLD_NANOS)
                .message(2, OF_2)
                .quietly()
                .message(0, OWN)
                .expect();
        outrunning()
                .passNanos(FakeContext.HOLD_NANOS)
                .message(2, OF_2)
                .readFault()
                .quietly()
                .message(0, OWN)
                .expect();
    }

    @Test
    void requestsDeferredWhereAPageOutrunsARequest_areAnsweredLater() {
        awaiting()
                .message(2, OF_2)
                .message(0, UNASKED)
                .quietly()
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, moveOut(7, List.of(OUTRUN_OWN))),
                        discard());
    }

    @Test
    void outrunRequests_goWithThePage() {
        outrunning()
                .passNanos(FakeContext.HOLD_NANOS)
                .message(2, OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, moveOut(7, List.of(OUTRUN_OWN))),
                        discard());
    }

    @Test
    void outrunRequest_isDroppedWhereThePageHasBeenSince() {
        PageMove move = new PageMove(PAGE, 1, List.of(OUTRUN_OF_2), IMAGE);

        awaiting().message(0, move).quietly().message(2, OF_2).expect();
        awaiting()
                .message(0, move)
                .passNanos(FakeContext.HOLD_NANOS)
                .message(3, OF_3)
                .quietly()
                .message(2, OF_2)
                .expect();
        awaiting().message(2, OF_2).message(0, move).quietly().holdOver().expect();
    }

    @Test
    void requestAfterAnOutrunOne_isServed() {
        PageRequest later = new PageRequest(PAGE, node(2), 8);

        awaiting()
                .message(0, new PageMove(PAGE, 1, List.of(OUTRUN_OF_2), IMAGE))
                .passNanos(FakeContext.HOLD_NANOS)
                .quietly()
                .message(2, later)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, moveOut(8, List.of(OUTRUN_OF_2))),
                        discard());
    }

    private static Subject<Msg> outrunning() {
        return awaiting()
                .message(0, UNASKED)
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void ownRequestComingBack_isImpossibleInEveryState() {
        Subject<Msg> absent = absent();
        absent.expectViolation("Absent", () -> absent.message(0, OWN), "PageRequest");
        Subject<Msg> awaiting = awaiting();
        awaiting.expectViolation("Awaiting", () -> awaiting.message(0, OWN), "PageRequest");
        Subject<Msg> present = present();
        present.expectViolation("Present", () -> present.message(0, OWN), "PageRequest");
    }

    @Test
    void lossOfANode_poisonsWhatIsAwaitedAndWhatIsAskedForLater() {
        awaiting().peerLost(0).expect(poison());
        present().peerLost(0).expect().readFault().expect(resume(PageAccess.READ_WRITE));
        absent().peerLost(0).expect().readFault().expect(poison());
    }

    private static Subject<Msg> onRoot() {
        return new Subject<>(0, Protocol.MIGRATORY, Migratory::new);
    }

    private static Subject<Msg> absent() {
        return new Subject<>(1, Protocol.MIGRATORY, Migratory::new);
    }

    private static Subject<Msg> awaiting() {
        return absent().readFault().quietly();
    }

    private static Subject<Msg> present() {
        return awaiting().message(0, MOVE).quietly();
    }

    private static Subject<Msg> heldLongEnough() {
        return present().passNanos(FakeContext.HOLD_NANOS);
    }
}
