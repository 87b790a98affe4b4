package io.muninn.coherence.invalidate;

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
import static org.junit.jupiter.params.provider.Arguments.arguments;

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
import io.muninn.directory.Copyset;
import io.muninn.model.PageAccess;
import io.muninn.spi.Effect;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.TimerId;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cells that are the same in the tables of {@link Conventional} and {@link
 * PipelinedInvalidate}; the tests of the two have the rest. Node 1 is under test, node 0 the root.
 */
abstract class WriteInvalidateCells {
    static final long HOLD = FakeContext.HOLD_NANOS;
    static final Payload PRESENT = new Payload.PageImage(PAGE);
    static final Copyset VICTIMS = Copyset.of(node(4)).with(node(5));
    static final ReadRequest READ_OF_2 = new ReadRequest(PAGE, node(2), 9);
    static final WriteRequest WRITE_OF_3 = new WriteRequest(PAGE, node(3), 9);

    private static final ReadRequest OWN_READ = new ReadRequest(PAGE, node(1), 1);
    private static final ReadRequest OWN_READ_NEXT = new ReadRequest(PAGE, node(1), 2);
    private static final WriteRequest OWN_WRITE = new WriteRequest(PAGE, node(1), 1);
    private static final WriteRequest OWN_WRITE_NEXT = new WriteRequest(PAGE, node(1), 2);
    private static final ReadRequest READ_OF_3 = new ReadRequest(PAGE, node(3), 9);
    private static final WriteRequest WRITE_OF_2 = new WriteRequest(PAGE, node(2), 9);
    private static final ReadReply REPLY = new ReadReply(PAGE, 1, 4, IMAGE);

    /** The states of the tables; in the last the copies of nodes 4 and 5 are being invalidated. */
    enum State {
        INVALID,
        SHARED,
        SHARED_OWNER,
        EXCLUSIVE,
        AWAIT_COPY,
        AWAIT_GRANT,
        UPGRADING,
        ENDING
    }

    private final Protocol kind;
    private final Function<FakeContext, WriteInvalidate> constructor;
    private final String ending;
    private final PageAccess installed;

    /**
     * @param ending name of the last state in the table
     * @param installed the access of a page that is received with ownership
     */
    WriteInvalidateCells(
            Protocol kind,
            Function<FakeContext, WriteInvalidate> constructor,
            String ending,
            PageAccess installed) {
        this.kind = kind;
        this.constructor = constructor;
        this.ending = ending;
        this.installed = installed;
    }

    private Subject<Msg> on(int self) {
        return new Subject<>(self, kind, constructor);
    }

    /** Takes the page of a node into a state. */
    final Subject<Msg> in(State state) {
        return switch (state) {
            case INVALID -> on(1);
            case SHARED -> heldShared().passNanos(HOLD);
            case SHARED_OWNER ->
                    in(State.EXCLUSIVE).message(4, new ReadRequest(PAGE, node(4), 9)).quietly();
            case EXCLUSIVE -> heldExclusive().passNanos(HOLD);
            case AWAIT_COPY -> in(State.INVALID).readFault().quietly();
            case AWAIT_GRANT -> in(State.INVALID).writeFault().quietly();
            case UPGRADING -> in(State.SHARED).writeFault().quietly();
            case ENDING -> in(State.AWAIT_GRANT).message(0, grant(VICTIMS)).quietly();
        };
    }

    private Subject<Msg> heldShared() {
        return in(State.AWAIT_COPY).message(0, REPLY).quietly();
    }

    final Subject<Msg> heldExclusive() {
        return in(State.AWAIT_GRANT).message(0, grant(Copyset.EMPTY)).quietly();
    }

    static WriteGrant grant(Copyset victims) {
        return new WriteGrant(PAGE, 1, 7, victims, List.of(), IMAGE);
    }

    /** Answers a request of another node. */
    static WriteGrant granted(Copyset victims, Payload image) {
        return new WriteGrant(PAGE, 9, 8, victims, List.of(), image);
    }

    private String text(State state) {
        return switch (state) {
            case INVALID -> "Invalid";
            case SHARED, SHARED_OWNER -> "Shared";
            case EXCLUSIVE -> "Exclusive";
            case AWAIT_COPY -> "AwaitCopy";
            case AWAIT_GRANT, UPGRADING -> "AwaitGrant";
            case ENDING -> ending;
        };
    }

    // read fault

    @Test
    void readFaultOnInvalidPage_asksTheProbableOwnerForACopy() {
        in(State.INVALID).readFault().expect(send(0, OWN_READ));
    }

    @Test
    void readFaultOnAPageThatIsHere_resumesWithWhatTheStateGrants() {
        in(State.SHARED).readFault().expect(resume(PageAccess.READ));
        in(State.SHARED_OWNER).readFault().expect(resume(PageAccess.READ));
        in(State.EXCLUSIVE).readFault().expect(resume(PageAccess.READ_WRITE));
    }

    @ParameterizedTest
    @EnumSource(names = {"AWAIT_COPY", "AWAIT_GRANT", "UPGRADING"})
    void faultOnAPageThatIsOnItsWay_joins(State state) {
        in(state).readFault().writeFault().expect();
    }

    // write fault

    @Test
    void writeFaultWithoutOwnership_asksTheProbableOwnerForIt() {
        in(State.INVALID).writeFault().expect(send(0, OWN_WRITE));
        in(State.SHARED).writeFault().expect(send(0, OWN_WRITE_NEXT));
    }

    @Test
    void writeFaultOfTheOwnerWithoutOtherCopies_resumesAtOnce() {
        on(0).writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void writeFaultOnExclusivePage_resumes() {
        in(State.EXCLUSIVE).writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void writeFaultWithAnInvalidationDeferred_asksAndThenEndsTheCopy() {
        heldShared()
                .message(2, new Invalidate(PAGE, 5))
                .quietly()
                .writeFault()
                .expect(
                        new Effect.CancelTimer(new TimerId.HoldOver(PAGE)),
                        send(0, OWN_WRITE_NEXT),
                        count(NodeCounter.INVALIDATIONS),
                        discard(),
                        send(2, new InvalidateAck(PAGE, 5)));
    }

    // ReadRequest

    @ParameterizedTest
    @EnumSource(names = {"INVALID", "SHARED", "AWAIT_COPY"})
    void readRequestAtANodeThatIsNotTheOwner_isForwardedAndChangesNoHint(State state) {
        in(state)
                .message(2, READ_OF_2)
                .expect(count(NodeCounter.FORWARDS), send(0, READ_OF_2))
                .message(3, READ_OF_3)
                .expect(count(NodeCounter.FORWARDS), send(0, READ_OF_3));
    }

    @Test
    void readRequestAtAnOwnerWithCopies_isAnsweredAndTheAskerIsInTheCopyset() {
        in(State.SHARED_OWNER)
                .message(2, READ_OF_2)
                .expect(count(NodeCounter.PAGES_SENT), send(2, new ReadReply(PAGE, 9, 7, PRESENT)))
                .message(3, WRITE_OF_3)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(3, granted(Copyset.of(node(2)).with(node(4)), PRESENT)),
                        discard());
    }

    @Test
    void readRequestAtAnExclusiveOwner_freezesThePageBeforeItIsRead() {
        in(State.EXCLUSIVE)
                .message(2, READ_OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 9, 7, PRESENT)));
    }

    @ParameterizedTest
    @EnumSource(names = {"AWAIT_GRANT", "UPGRADING", "ENDING"})
    void requestsAtANodeThatDoesNotSurrenderThePageYet_areDeferred(State state) {
        in(state).message(2, READ_OF_2).message(3, WRITE_OF_3).expect();
    }

    // WriteRequest

    @ParameterizedTest
    @EnumSource(names = {"INVALID", "SHARED", "AWAIT_COPY"})
    void writeRequestAtANodeThatIsNotTheOwner_isForwardedAndTheAskerIsTheNextHint(State state) {
        in(state)
                .message(2, WRITE_OF_2)
                .expect(count(NodeCounter.FORWARDS), send(0, WRITE_OF_2))
                .message(3, WRITE_OF_3)
                .expect(count(NodeCounter.FORWARDS), send(2, WRITE_OF_3));
    }

    @Test
    void writeRequestOfANodeWithoutACopy_isGrantedWithTheImage() {
        in(State.SHARED_OWNER)
                .message(2, WRITE_OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, granted(Copyset.of(node(4)), PRESENT)),
                        discard())
                .readFault()
                .expect(send(2, OWN_READ_NEXT));
    }

    @Test
    void writeRequestOfAHolder_isGrantedWithoutBytes() {
        in(State.SHARED_OWNER)
                .message(4, new WriteRequest(PAGE, node(4), 9))
                .expect(
                        access(PageAccess.READ),
                        send(4, granted(Copyset.EMPTY, Payload.NONE)),
                        discard());
    }

    @Test
    void writeRequestAtAnExclusiveOwner_isGranted() {
        in(State.EXCLUSIVE)
                .message(2, WRITE_OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, granted(Copyset.EMPTY, PRESENT)),
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
                        count(NodeCounter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 9, 7, PRESENT)),
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(3, granted(Copyset.of(node(2)), PRESENT)),
                        discard());
    }

    @Test
    void requestAfterTheHoldTimeButBehindADeferredOne_waitsToo() {
        heldExclusive()
                .message(2, READ_OF_2)
                .quietly()
                .passNanos(HOLD)
                .message(3, READ_OF_3)
                .message(4, new WriteRequest(PAGE, node(4), 9))
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
                        count(NodeCounter.INVALIDATIONS),
                        discard(),
                        send(2, new InvalidateAck(PAGE, 5)));
    }

    @ParameterizedTest
    @EnumSource
    void holdOverWithNothingDeferred_isIgnored(State state) {
        in(state).holdOver().expect();
    }

    @Test
    void holdOver_endsTheHoldOfAPageThatMayBeStoredTo() {
        heldExclusive()
                .holdOver()
                .message(2, READ_OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 9, 7, PRESENT)));
    }

    // ReadReply

    @Test
    void replyForAnAwaitedCopy_installsAndResumes() {
        in(State.AWAIT_COPY)
                .message(2, REPLY)
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.READ),
                        resume(PageAccess.READ))
                .writeFault()
                .expect(send(2, OWN_WRITE_NEXT));
    }

    @Test
    void replyOlderThanAnInvalidation_isNotInstalledAndTheNewOwnerIsAsked() {
        in(State.AWAIT_COPY)
                .message(2, new Invalidate(PAGE, 5))
                .expect(send(2, new InvalidateAck(PAGE, 5)))
                .message(0, REPLY)
                .expect(count(NodeCounter.DEAD_IMAGES), send(2, OWN_READ_NEXT));
    }

    @Test
    void replyAsNewAsTheInvalidation_isInstalled() {
        in(State.AWAIT_COPY)
                .message(2, new Invalidate(PAGE, 4))
                .quietly()
                .message(2, REPLY)
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.READ),
                        resume(PageAccess.READ));
    }

    // WriteGrant

    @Test
    void grantWithoutCopiesElsewhere_resumesAtOnce() {
        in(State.AWAIT_GRANT)
                .message(0, grant(Copyset.EMPTY))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(installed),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void grantToAHolder_carriesNothingToInstall() {
        in(State.UPGRADING)
                .message(0, new WriteGrant(PAGE, 2, 7, Copyset.EMPTY, List.of(), Payload.NONE))
                .expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void grantWithRequestsDeferred_holdsThePageAndThenAnswersThem() {
        in(State.AWAIT_GRANT)
                .message(2, READ_OF_2)
                .message(0, grant(Copyset.EMPTY))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(installed),
                        resume(PageAccess.READ_WRITE),
                        arm(HOLD))
                .holdOver()
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(2, new ReadReply(PAGE, 9, 7, PRESENT)));
    }

    @Test
    void grantWithoutBytesToANodeWithoutACopy_isImpossible() {
        WriteGrant empty = new WriteGrant(PAGE, 1, 7, Copyset.EMPTY, List.of(), Payload.NONE);
        Subject<Msg> subject = in(State.AWAIT_GRANT);

        subject.expectViolation("AwaitGrant", () -> subject.message(0, empty), "WriteGrant");
    }

    // Invalidate

    @Test
    void invalidationOfACopy_discardsItBeforeTheAcknowledgement() {
        in(State.SHARED)
                .message(2, new Invalidate(PAGE, 5))
                .expect(
                        count(NodeCounter.INVALIDATIONS),
                        discard(),
                        send(2, new InvalidateAck(PAGE, 5)))
                .readFault()
                .expect(send(2, OWN_READ_NEXT));
    }

    @Test
    void invalidationOfACopyThatIsBeingUpgraded_endsItAndTheGrantMustCarryBytes() {
        Subject<Msg> subject = in(State.UPGRADING);
        subject.message(2, new Invalidate(PAGE, 5))
                .expect(
                        count(NodeCounter.INVALIDATIONS),
                        discard(),
                        send(2, new InvalidateAck(PAGE, 5)))
                .message(2, new WriteGrant(PAGE, 2, 6, Copyset.EMPTY, List.of(), IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(installed),
                        resume(PageAccess.READ_WRITE));
    }

    // InvalidateAck

    @Test
    void acknowledgementNobodyWaitsFor_isImpossible() {
        Subject<Msg> subject = in(State.ENDING);
        subject.expectViolation(
                ending, () -> subject.message(3, new InvalidateAck(PAGE, 7)), "InvalidateAck");
        subject.expectViolation(
                ending, () -> subject.message(4, new InvalidateAck(PAGE, 6)), "InvalidateAck");
    }

    // impossible cells

    static Stream<Arguments> impossibleCells() {
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
                cells.add(arguments(state, grant(Copyset.EMPTY)));
            }
            if (!List.of(State.SHARED, State.AWAIT_COPY, State.UPGRADING).contains(state)) {
                cells.add(arguments(state, invalidate));
            }
            if (state != State.ENDING) {
                cells.add(arguments(state, ack));
            }
        }
        return cells.build();
    }

    @ParameterizedTest
    @MethodSource("impossibleCells")
    void impossibleCell_isAViolationWithPageStateAndEvent(State state, Msg message) {
        Subject<Msg> subject = in(state);

        subject.expectViolation(
                text(state), () -> subject.message(2, message), message.getClass().getSimpleName());
    }

    // loss

    @ParameterizedTest
    @EnumSource(names = {"AWAIT_COPY", "AWAIT_GRANT", "UPGRADING"})
    void lossOfANode_poisonsWhatIsAwaited(State state) {
        in(state).peerLost(0).expect(poison());
    }

    @Test
    void afterALoss_whatMustBeAskedForIsPoisonedAndWhatIsHereGoesOn() {
        in(State.INVALID).peerLost(0).readFault().writeFault().expect(poison(), poison());
        in(State.SHARED)
                .peerLost(0)
                .readFault()
                .writeFault()
                .expect(resume(PageAccess.READ), poison());
        in(State.SHARED_OWNER)
                .peerLost(0)
                .readFault()
                .writeFault()
                .expect(resume(PageAccess.READ), poison());
        in(State.EXCLUSIVE).peerLost(0).writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    // prefetches

    private Subject<Msg> prefetched() {
        return in(State.INVALID).prefetch(1, Mode.READ).expect(send(0, OWN_READ));
    }

    private Subject<Msg> prefetchedAndHere() {
        return prefetched()
                .message(0, REPLY)
                .expect(count(NodeCounter.PAGES_FETCHED), install(PageAccess.NONE));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void prefetch_asksForCopiesOnly(Mode mode) {
        in(State.INVALID)
                .prefetch(2, mode)
                .expect(send(0, OWN_READ), send(0, new ReadRequest(PAGE.plus(1), node(1), 2)));
    }

    @ParameterizedTest
    @EnumSource(value = State.class, mode = EnumSource.Mode.EXCLUDE, names = "INVALID")
    void prefetchOfAPageThatIsHereOrUnderWay_isUnnecessary(State state) {
        in(state).prefetch(1, Mode.WRITE).expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
    }

    @Test
    void prefetchedPage_isAHitAtTheFirstTouchOnlyAndHeldFromThen() {
        prefetchedAndHere()
                .passNanos(HOLD)
                .readFault()
                .expect(count(NodeCounter.PREFETCH_HITS), resume(PageAccess.READ))
                .message(0, new Invalidate(PAGE, 5))
                .expect(arm(HOLD))
                .readFault()
                .expect(resume(PageAccess.READ));
    }

    @Test
    void prefetchedPageThatIsUnderWay_isLateAndInstalledAsEver() {
        prefetched()
                .readFault()
                .expect(count(NodeCounter.PREFETCHES_LATE))
                .message(0, REPLY)
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.READ),
                        resume(PageAccess.READ));
        prefetched().writeFault().expect(count(NodeCounter.PREFETCHES_LATE));
    }

    @Test
    void storeToAPrefetchedPage_isAHitAndAsksForOwnership() {
        prefetchedAndHere()
                .writeFault()
                .expect(count(NodeCounter.PREFETCH_HITS), send(0, OWN_WRITE_NEXT));
    }

    @Test
    void prefetchedPageThatIsInvalidatedUnused_isNotHeldAndNoHitLater() {
        prefetchedAndHere()
                .message(0, new Invalidate(PAGE, 5))
                .expect(
                        count(NodeCounter.INVALIDATIONS),
                        count(NodeCounter.PREFETCHES_INVALIDATED),
                        discard(),
                        send(0, new InvalidateAck(PAGE, 5)))
                .readFault()
                .expect(send(0, OWN_READ_NEXT));
    }

    @Test
    void prefetchedImageThatIsDead_isAskedForAgain() {
        prefetched()
                .message(0, new Invalidate(PAGE, 5))
                .expect(send(0, new InvalidateAck(PAGE, 5)))
                .message(0, REPLY)
                .expect(count(NodeCounter.DEAD_IMAGES), send(0, OWN_READ_NEXT))
                .message(0, new ReadReply(PAGE, 2, 5, IMAGE))
                .expect(count(NodeCounter.PAGES_FETCHED), install(PageAccess.NONE));
    }
}
