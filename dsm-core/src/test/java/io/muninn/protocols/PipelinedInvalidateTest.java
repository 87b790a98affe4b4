package io.muninn.protocols;

import static io.muninn.protocols.Subject.IMAGE;
import static io.muninn.protocols.Subject.PAGE;
import static io.muninn.protocols.Subject.access;
import static io.muninn.protocols.Subject.arm;
import static io.muninn.protocols.Subject.count;
import static io.muninn.protocols.Subject.discard;
import static io.muninn.protocols.Subject.install;
import static io.muninn.protocols.Subject.node;
import static io.muninn.protocols.Subject.poison;
import static io.muninn.protocols.Subject.resume;
import static io.muninn.protocols.Subject.send;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.muninn.api.Protocol;
import io.muninn.directory.Copyset;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageAccess;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Leaving;
import io.muninn.protocols.Conventional.Invalidate;
import io.muninn.protocols.Conventional.InvalidateAck;
import io.muninn.protocols.Conventional.Msg;
import io.muninn.protocols.Conventional.ReadReply;
import io.muninn.protocols.Conventional.ReadRequest;
import io.muninn.protocols.Conventional.WriteGrant;
import io.muninn.protocols.Conventional.WriteRequest;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every cell of the table of {@link PipelinedInvalidate}. Node 1 is under test; node 0 is the root.
 */
class PipelinedInvalidateTest {
    private static final long HOLD = FakeContext.HOLD_NANOS;
    private static final Payload PRESENT = new Payload.PageImage(PAGE);

    private static final Leaving BARRIER = new Leaving.Arrival(new BarrierId("sweep"), 1, 0);
    private static final Leaving TOKEN = new Leaving.Token(new LockId("lock"), node(3));

    private static final ReadRequest OWN_READ = new ReadRequest(PAGE, node(1));
    private static final WriteRequest OWN_WRITE = new WriteRequest(PAGE, node(1));
    private static final ReadRequest READ_OF_2 = new ReadRequest(PAGE, node(2));
    private static final ReadRequest READ_OF_3 = new ReadRequest(PAGE, node(3));
    private static final WriteRequest WRITE_OF_2 = new WriteRequest(PAGE, node(2));
    private static final WriteRequest WRITE_OF_3 = new WriteRequest(PAGE, node(3));
    private static final ReadReply REPLY = new ReadReply(PAGE, 4, IMAGE);

    /** The states of the table, and how the page of a node gets into each. */
    private enum State {
        INVALID("Invalid") {
            @Override
            Subject<Msg> subject() {
                return new Subject<>(1, Protocol.PIPELINED, PipelinedInvalidate::new);
            }
        },
        SHARED("Shared") {
            @Override
            Subject<Msg> subject() {
                return AWAIT_COPY.subject().message(0, REPLY).passNanos(HOLD).quietly();
            }
        },
        SHARED_OWNER("Shared") {
            @Override
            Subject<Msg> subject() {
                return EXCLUSIVE.subject().message(4, new ReadRequest(PAGE, node(4))).quietly();
            }
        },
        EXCLUSIVE("Exclusive") {
            @Override
            Subject<Msg> subject() {
                return AWAIT_GRANT
                        .subject()
                        .message(0, new WriteGrant(PAGE, 7, Copyset.EMPTY, IMAGE))
                        .passNanos(HOLD)
                        .quietly();
            }
        },
        AWAIT_COPY("AwaitCopy") {
            @Override
            Subject<Msg> subject() {
                return INVALID.subject().readFault().quietly();
            }
        },
        AWAIT_GRANT("AwaitGrant") {
            @Override
            Subject<Msg> subject() {
                return INVALID.subject().writeFault().quietly();
            }
        },
        UPGRADING("AwaitGrant") {
            @Override
            Subject<Msg> subject() {
                return SHARED.subject().writeFault().quietly();
            }
        },
        INVALIDATING("Invalidating") {
            @Override
            Subject<Msg> subject() {
                Copyset victims = Copyset.of(node(4)).with(node(5));
                return AWAIT_GRANT
                        .subject()
                        .message(0, new WriteGrant(PAGE, 7, victims, IMAGE))
                        .quietly();
            }
        };

        private final String text;

        State(String text) {
            this.text = text;
        }

        abstract Subject<Msg> subject();
    }

    // read fault

    @Test
    void readFaultOnInvalidPage_asksTheProbableOwnerForACopy() {
        State.INVALID.subject().readFault().expect(send(0, OWN_READ));
    }

    @Test
    void readFaultOnAPageThatIsHere_resumesWithWhatTheStateGrants() {
        State.SHARED.subject().readFault().expect(resume(PageAccess.READ));
        State.SHARED_OWNER.subject().readFault().expect(resume(PageAccess.READ));
        State.EXCLUSIVE.subject().readFault().expect(resume(PageAccess.READ_WRITE));
        State.INVALIDATING.subject().readFault().expect(resume(PageAccess.READ_WRITE));
    }

    @ParameterizedTest
    @EnumSource(names = {"AWAIT_COPY", "AWAIT_GRANT", "UPGRADING"})
    void faultOnAPageThatIsOnItsWay_joins(State state) {
        state.subject().readFault().writeFault().expect();
    }

    // write fault

    @Test
    void writeFaultWithoutOwnership_asksTheProbableOwnerForIt() {
        State.INVALID.subject().writeFault().expect(send(0, OWN_WRITE));
        State.SHARED.subject().writeFault().expect(send(0, OWN_WRITE));
    }

    @Test
    void writeFaultOfTheOwner_resumesAndEndsEveryOtherCopy() {
        State.SHARED_OWNER
                .subject()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE), send(4, new Invalidate(PAGE, 8)))
                .message(4, new InvalidateAck(PAGE, 8))
                .expect();
    }

    @Test
    void writeFaultOfTheOwnerWithoutOtherCopies_resumesAtOnce() {
        Subject<Msg> root = new Subject<>(0, Protocol.PIPELINED, PipelinedInvalidate::new);

        root.writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void writeFaultOnAPageThatMayBeStoredTo_resumes() {
        State.EXCLUSIVE.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
        State.INVALIDATING.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void writeFaultWithAnInvalidationDeferred_asksAndThenEndsTheCopy() {
        heldShared()
                .message(2, new Invalidate(PAGE, 5))
                .quietly()
                .writeFault()
                .expect(
                        send(0, OWN_WRITE),
                        count(Counter.INVALIDATIONS),
                        discard(),
                        send(2, new InvalidateAck(PAGE, 5)));
    }

    // ReadRequest

    @ParameterizedTest
    @EnumSource(names = {"INVALID", "SHARED", "AWAIT_COPY"})
    void readRequestAtANodeThatIsNotTheOwner_isForwardedAndChangesNoHint(State state) {
        state.subject()
                .message(2, READ_OF_2)
                .expect(count(Counter.FORWARDS), send(0, READ_OF_2))
                .message(3, READ_OF_3)
                .expect(count(Counter.FORWARDS), send(0, READ_OF_3));
    }

    @Test
    void readRequestAtAnOwnerWithCopies_isAnsweredWithACopy() {
        State.SHARED_OWNER
                .subject()
                .message(2, READ_OF_2)
                .expect(count(Counter.PAGES_SENT), send(2, new ReadReply(PAGE, 7, PRESENT)))
                .writeFault()
                .expect(
                        resume(PageAccess.READ_WRITE),
                        send(2, new Invalidate(PAGE, 8)),
                        send(4, new Invalidate(PAGE, 8)));
    }

    @Test
    void readRequestAtAnExclusiveOwner_freezesThePageBeforeItIsRead() {
        State.EXCLUSIVE
                .subject()
                .message(2, READ_OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 7, PRESENT)));
    }

    @ParameterizedTest
    @EnumSource(names = {"AWAIT_GRANT", "UPGRADING", "INVALIDATING"})
    void requestsAtANodeThatDoesNotSurrenderThePageYet_areDeferred(State state) {
        state.subject().message(2, READ_OF_2).message(3, WRITE_OF_3).expect();
    }

    // WriteRequest

    @ParameterizedTest
    @EnumSource(names = {"INVALID", "SHARED", "AWAIT_COPY"})
    void writeRequestAtANodeThatIsNotTheOwner_isForwardedAndTheAskerIsTheNextHint(State state) {
        state.subject()
                .message(2, WRITE_OF_2)
                .expect(count(Counter.FORWARDS), send(0, WRITE_OF_2))
                .message(3, WRITE_OF_3)
                .expect(count(Counter.FORWARDS), send(2, WRITE_OF_3));
    }

    @Test
    void writeRequestOfANodeWithoutACopy_isGrantedWithTheImage() {
        State.SHARED_OWNER
                .subject()
                .message(2, WRITE_OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(2, new WriteGrant(PAGE, 8, Copyset.of(node(4)), PRESENT)),
                        discard())
                .readFault()
                .expect(send(2, OWN_READ));
    }

    @Test
    void writeRequestOfAHolder_isGrantedWithoutBytes() {
        State.SHARED_OWNER
                .subject()
                .message(4, new WriteRequest(PAGE, node(4)))
                .expect(
                        access(PageAccess.READ),
                        send(4, new WriteGrant(PAGE, 8, Copyset.EMPTY, Payload.NONE)),
                        discard());
    }

    @Test
    void writeRequestAtAnExclusiveOwner_isGranted() {
        State.EXCLUSIVE
                .subject()
                .message(2, WRITE_OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(2, new WriteGrant(PAGE, 8, Copyset.EMPTY, PRESENT)),
                        discard());
    }

    // hold time

    @Test
    void requestsWithinTheHoldTime_areDeferredAndAnsweredInOrderWhenItIsOver() {
        heldExclusive()
                .passNanos(10)
                .message(2, READ_OF_2)
                .expect(arm(HOLD - 10))
                .message(3, WRITE_OF_3)
                .expect()
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 7, PRESENT)),
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(3, new WriteGrant(PAGE, 8, Copyset.of(node(2)), PRESENT)),
                        discard());
    }

    @Test
    void requestAfterTheHoldTimeButBehindADeferredOne_waitsToo() {
        heldExclusive()
                .message(2, READ_OF_2)
                .quietly()
                .passNanos(HOLD)
                .message(3, READ_OF_3)
                .message(4, new WriteRequest(PAGE, node(4)))
                .expect();
    }

    @Test
    void invalidationWithinTheHoldTime_isDeferredUntilItIsOver() {
        heldShared()
                .passNanos(10)
                .message(2, new Invalidate(PAGE, 5))
                .expect(arm(HOLD - 10))
                .holdOver()
                .expect(
                        count(Counter.INVALIDATIONS),
                        discard(),
                        send(2, new InvalidateAck(PAGE, 5)));
    }

    @ParameterizedTest
    @EnumSource
    void holdOverWithNothingDeferred_isIgnored(State state) {
        state.subject().holdOver().expect();
    }

    @Test
    void holdOverWithNothingDeferred_doesNotCutTheHoldTime() {
        heldExclusive().holdOver().message(2, READ_OF_2).expect(arm(HOLD));
    }

    // ReadReply

    @Test
    void replyForAnAwaitedCopy_installsAndResumes() {
        State.AWAIT_COPY
                .subject()
                .message(2, REPLY)
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.READ),
                        resume(PageAccess.READ))
                .writeFault()
                .expect(send(2, OWN_WRITE));
    }

    @Test
    void replyOlderThanAnInvalidation_isNotInstalledAndTheNewOwnerIsAsked() {
        State.AWAIT_COPY
                .subject()
                .message(2, new Invalidate(PAGE, 5))
                .expect(send(2, new InvalidateAck(PAGE, 5)))
                .message(0, REPLY)
                .expect(count(Counter.DEAD_IMAGES), send(2, OWN_READ));
    }

    @Test
    void replyAsNewAsTheInvalidation_isInstalled() {
        State.AWAIT_COPY
                .subject()
                .message(2, new Invalidate(PAGE, 4))
                .quietly()
                .message(2, REPLY)
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.READ),
                        resume(PageAccess.READ));
    }

    // WriteGrant

    @Test
    void grantWithCopiesElsewhere_resumesBeforeTheyAreGone() {
        Copyset victims = Copyset.of(node(4)).with(node(5));
        State.AWAIT_GRANT
                .subject()
                .message(0, new WriteGrant(PAGE, 7, victims, IMAGE))
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE),
                        send(4, new Invalidate(PAGE, 7)),
                        send(5, new Invalidate(PAGE, 7)));
    }

    @Test
    void grantWithoutCopiesElsewhere_resumesAtOnce() {
        State.AWAIT_GRANT
                .subject()
                .message(0, new WriteGrant(PAGE, 7, Copyset.EMPTY, IMAGE))
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void grantToAHolder_carriesNothingToInstall() {
        State.UPGRADING
                .subject()
                .message(0, new WriteGrant(PAGE, 7, Copyset.EMPTY, Payload.NONE))
                .expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void grantWithRequestsDeferred_holdsThePageAndThenAnswersThem() {
        State.AWAIT_GRANT
                .subject()
                .message(2, READ_OF_2)
                .message(0, new WriteGrant(PAGE, 7, Copyset.EMPTY, IMAGE))
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE),
                        arm(HOLD))
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 7, PRESENT)));
    }

    @Test
    void grantWithoutBytesToANodeWithoutACopy_isImpossible() {
        WriteGrant empty = new WriteGrant(PAGE, 7, Copyset.EMPTY, Payload.NONE);
        Subject<Msg> subject = State.AWAIT_GRANT.subject();

        subject.expectViolation("AwaitGrant", () -> subject.message(0, empty), "WriteGrant");
    }

    // Invalidate

    @Test
    void invalidationOfACopy_discardsItBeforeTheAcknowledgement() {
        State.SHARED
                .subject()
                .message(2, new Invalidate(PAGE, 5))
                .expect(
                        count(Counter.INVALIDATIONS),
                        discard(),
                        send(2, new InvalidateAck(PAGE, 5)))
                .readFault()
                .expect(send(2, OWN_READ));
    }

    @Test
    void invalidationOfACopyThatIsBeingUpgraded_endsItAndTheGrantMustCarryBytes() {
        Subject<Msg> subject = State.UPGRADING.subject();
        subject.message(2, new Invalidate(PAGE, 5))
                .expect(
                        count(Counter.INVALIDATIONS),
                        discard(),
                        send(2, new InvalidateAck(PAGE, 5)))
                .message(2, new WriteGrant(PAGE, 6, Copyset.EMPTY, IMAGE))
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.READ_WRITE),
                        resume(PageAccess.READ_WRITE));
    }

    // InvalidateAck

    @Test
    void lastAcknowledgementAfterTheHoldTime_answersWhatWasDeferred() {
        State.INVALIDATING
                .subject()
                .message(2, READ_OF_2)
                .message(3, WRITE_OF_3)
                .passNanos(HOLD)
                .message(4, new InvalidateAck(PAGE, 7))
                .expect()
                .message(5, new InvalidateAck(PAGE, 7))
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 7, PRESENT)),
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(3, new WriteGrant(PAGE, 8, Copyset.of(node(2)), PRESENT)),
                        discard());
    }

    @Test
    void lastAcknowledgementWithinTheHoldTime_leavesWhatWasDeferredToItsEnd() {
        State.INVALIDATING
                .subject()
                .message(2, READ_OF_2)
                .passNanos(10)
                .message(4, new InvalidateAck(PAGE, 7))
                .message(5, new InvalidateAck(PAGE, 7))
                .expect(arm(HOLD - 10))
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 7, PRESENT)));
    }

    // release

    @Test
    void releaseWithNothingUnderWay_isPerformedAtOnce() {
        for (State state : State.values()) {
            Subject<Msg> subject = state.subject().release(BARRIER);

            if (state == State.INVALIDATING) {
                subject.expectPerformed();
            } else {
                subject.expectPerformed(BARRIER);
            }
        }
    }

    @Test
    void releaseWithInvalidationsUnderWay_isPerformedByTheLastAcknowledgement() {
        State.INVALIDATING
                .subject()
                .release(BARRIER)
                .message(4, new InvalidateAck(PAGE, 7))
                .release(TOKEN)
                .expectPerformed()
                .message(5, new InvalidateAck(PAGE, 7))
                .expectPerformed(BARRIER, TOKEN);
    }

    @Test
    void acknowledgementNobodyWaitsFor_isImpossible() {
        Subject<Msg> subject = State.INVALIDATING.subject();
        subject.expectViolation(
                "Invalidating",
                () -> subject.message(3, new InvalidateAck(PAGE, 7)),
                "InvalidateAck");
        subject.expectViolation(
                "Invalidating",
                () -> subject.message(4, new InvalidateAck(PAGE, 6)),
                "InvalidateAck");
    }

    // impossible cells

    static Stream<Arguments> impossibleCells() {
        Msg grant = new WriteGrant(PAGE, 7, Copyset.EMPTY, IMAGE);
        Msg invalidate = new Invalidate(PAGE, 9);
        Msg ack = new InvalidateAck(PAGE, 7);
        Stream.Builder<Arguments> cells = Stream.builder();
        for (State state : State.values()) {
            cells.add(arguments(state, OWN_READ));
            cells.add(arguments(state, OWN_WRITE));
            if (state != State.AWAIT_COPY) {
                cells.add(arguments(state, REPLY));
            }
            if (state != State.AWAIT_GRANT && state != State.UPGRADING) {
                cells.add(arguments(state, grant));
            }
            if (!List.of(State.SHARED, State.AWAIT_COPY, State.UPGRADING).contains(state)) {
                cells.add(arguments(state, invalidate));
            }
            if (state != State.INVALIDATING) {
                cells.add(arguments(state, ack));
            }
        }
        return cells.build();
    }

    @ParameterizedTest
    @MethodSource("impossibleCells")
    void impossibleCell_isAViolationWithPageStateAndEvent(State state, Msg message) {
        Subject<Msg> subject = state.subject();

        subject.expectViolation(
                state.text, () -> subject.message(2, message), message.getClass().getSimpleName());
    }

    // loss

    @ParameterizedTest
    @EnumSource(names = {"AWAIT_COPY", "AWAIT_GRANT", "UPGRADING"})
    void lossOfANode_poisonsWhatIsAwaited(State state) {
        state.subject().peerLost(0).expect(poison());
    }

    @Test
    void afterALoss_whatMustBeAskedForIsPoisonedAndWhatIsHereGoesOn() {
        State.INVALID.subject().peerLost(0).readFault().writeFault().expect(poison(), poison());
        State.SHARED
                .subject()
                .peerLost(0)
                .readFault()
                .writeFault()
                .expect(resume(PageAccess.READ), poison());
        State.SHARED_OWNER
                .subject()
                .peerLost(0)
                .readFault()
                .writeFault()
                .expect(resume(PageAccess.READ), poison());
        State.EXCLUSIVE.subject().peerLost(0).writeFault().expect(resume(PageAccess.READ_WRITE));
        State.INVALIDATING.subject().peerLost(0).readFault().expect(resume(PageAccess.READ_WRITE));
    }

    private static Subject<Msg> heldShared() {
        return State.AWAIT_COPY.subject().message(0, REPLY).quietly();
    }

    private static Subject<Msg> heldExclusive() {
        Effect resumed = resume(PageAccess.READ_WRITE);
        return State.AWAIT_GRANT
                .subject()
                .quietly()
                .message(0, new WriteGrant(PAGE, 7, Copyset.EMPTY, IMAGE))
                .expect(count(Counter.PAGES_FETCHED), install(PageAccess.READ_WRITE), resumed);
    }
}
