package io.muninn.protocols;

import static io.muninn.protocols.Subject.IMAGE;
import static io.muninn.protocols.Subject.PAGE;
import static io.muninn.protocols.Subject.access;
import static io.muninn.protocols.Subject.count;
import static io.muninn.protocols.Subject.discard;
import static io.muninn.protocols.Subject.install;
import static io.muninn.protocols.Subject.node;
import static io.muninn.protocols.Subject.poison;
import static io.muninn.protocols.Subject.resume;
import static io.muninn.protocols.Subject.send;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.muninn.api.Protocol;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.node.RecordingEffects;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Leaving;
import io.muninn.protocols.WriteSharedMessages.FetchReply;
import io.muninn.protocols.WriteSharedMessages.FetchRequest;
import io.muninn.protocols.WriteSharedMessages.Msg;
import io.muninn.protocols.WriteSharedMessages.Offer;
import io.muninn.protocols.WriteSharedMessages.PageCopies;
import io.muninn.protocols.WriteSharedMessages.PageDiff;
import io.muninn.protocols.WriteSharedMessages.Update;
import io.muninn.protocols.WriteSharedMessages.UpdateAck;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every cell of the table of {@link WriteShared}. Node 1 is under test; node 0 is the root, and
 * under test where only the root has the state.
 */
class WriteSharedTest {
    private static final Payload PRESENT = new Payload.PageImage(PAGE);
    private static final Leaving ELAPSED = new Leaving.Elapsed();

    private static final FetchRequest OWN = new FetchRequest(PAGE, node(1), 0);
    private static final FetchRequest OF_2 = new FetchRequest(PAGE, node(2), 0);
    private static final FetchReply REPLY =
            new FetchReply(PAGE, false, copyset(0), AppliedDiffs.EMPTY, IMAGE);
    private static final FetchReply HAND_OVER =
            new FetchReply(PAGE, true, DatedCopyset.EMPTY, AppliedDiffs.EMPTY, IMAGE);
    private static final Update UPDATE =
            new Update(9, List.of(new PageDiff(offer(PAGE, copyset(2)), IMAGE)));

    /** The states of the table, and how the page of a node gets into each. */
    private enum State {
        ABSENT("Absent") {
            @Override
            Subject<Msg> subject() {
                return on(1);
            }
        },
        FETCHING("Fetching") {
            @Override
            Subject<Msg> subject() {
                return on(1).readFault().quietly();
            }
        },
        CLEAN("Clean") {
            @Override
            Subject<Msg> subject() {
                return FETCHING.subject().message(0, REPLY).quietly();
            }
        },
        DIRTY("Dirty") {
            @Override
            Subject<Msg> subject() {
                return CLEAN.subject().writeFault().quietly();
            }
        },
        EXCLUSIVE("Exclusive") {
            @Override
            Subject<Msg> subject() {
                return FETCHING.subject().message(0, HAND_OVER).quietly();
            }
        },
        IDLE("Idle") {
            @Override
            Subject<Msg> subject() {
                return on(0);
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
    void readFaultOnAbsentPage_asksTheProbableOwner() {
        State.ABSENT.subject().readFault().expect(send(0, OWN));
    }

    @Test
    void readFaultOnFetchedPage_joins() {
        State.FETCHING.subject().readFault().expect();
    }

    @Test
    void readFaultOnAPageThatIsHere_resumesWithWhatTheStateGrants() {
        State.CLEAN.subject().readFault().expect(resume(PageAccess.READ));
        State.DIRTY.subject().readFault().expect(resume(PageAccess.READ_WRITE));
        State.EXCLUSIVE.subject().readFault().expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void faultOnIdlePage_makesTheRootItsUser() {
        State.IDLE.subject().readFault().expect(resume(PageAccess.READ_WRITE));
        State.IDLE.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
        State.IDLE
                .subject()
                .readFault()
                .quietly()
                .message(2, OF_2) // from now on it is copied, not handed over
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE, false, copyset(0), AppliedDiffs.EMPTY, PRESENT)));
    }

    // write fault

    @Test
    void writeFaultOnAbsentPage_asksTheProbableOwner() {
        State.ABSENT.subject().writeFault().expect(send(0, OWN));
    }

    @Test
    void writeFaultOnFetchedPage_joinsAndMakesTheTwinWhenTheImageComes() {
        State.FETCHING
                .subject()
                .writeFault()
                .expect()
                .message(0, REPLY)
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        count(Counter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void writeFaultOnCleanPage_makesTheTwinBeforeTheStore() {
        State.CLEAN
                .subject()
                .writeFault()
                .expect(
                        count(Counter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void writeFaultOnCleanPageThatNobodyElseHolds_needsNoTwin() {
        sentInInterval1()
                .message(0, refusal(1, DatedCopyset.EMPTY))
                .quietly()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void writeFaultOnAPageThatTakesStores_resumes() {
        State.DIRTY.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
        State.EXCLUSIVE.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    // FetchRequest

    @ParameterizedTest
    @EnumSource(names = {"ABSENT", "FETCHING"})
    void requestAtANodeWithoutThePage_isForwarded(State state) {
        state.subject().message(2, OF_2).expect(count(Counter.FORWARDS), send(0, OF_2));
    }

    @Test
    void requestForCleanPage_isAnsweredWithThePage() {
        State.CLEAN
                .subject()
                .message(2, OF_2)
                .expect(
                        count(Counter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE, false, copyset(0, 1), AppliedDiffs.EMPTY, PRESENT)));
    }

    @Test
    void requestForDirtyPage_isAnsweredWithTheTwinAndTheAskerIsToldAtTheRelease() {
        State.DIRTY
                .subject()
                .message(2, OF_2)
                .expect(
                        count(Counter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE,
                                        false,
                                        copyset(0, 1),
                                        AppliedDiffs.EMPTY,
                                        new Payload.TwinImage(PAGE))))
                .release(ELAPSED)
                .quietly()
                .saved(1, 5)
                .expect(
                        count(Counter.DIFFS_MADE),
                        send(0, update(1, copyset(0, 1, 2))),
                        send(2, update(1, copyset(0, 1, 2))));
    }

    @Test
    void requestForExclusivePage_freezesItAndTheImageIsTheNextTwin() {
        State.EXCLUSIVE
                .subject()
                .message(2, OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE, false, copyset(1), AppliedDiffs.EMPTY, PRESENT)))
                .writeFault()
                .expect(
                        count(Counter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void requestForIdlePage_isHandedThePageItself() {
        State.IDLE
                .subject()
                .message(2, OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE,
                                        true,
                                        DatedCopyset.EMPTY,
                                        AppliedDiffs.EMPTY,
                                        PRESENT)),
                        discard())
                .message(3, new FetchRequest(PAGE, node(3), 0))
                .expect(count(Counter.FORWARDS), send(2, new FetchRequest(PAGE, node(3), 0)));
    }

    @ParameterizedTest
    @EnumSource
    void ownRequestComingBack_isImpossible(State state) {
        Subject<Msg> subject = state.subject();
        FetchRequest own = new FetchRequest(PAGE, subject.context.self(), 0);

        subject.expectViolation(state.text, () -> subject.message(2, own), "FetchRequest");
    }

    // FetchReply

    @Test
    void replyForALoad_isReadable() {
        State.FETCHING
                .subject()
                .message(0, REPLY)
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ));
    }

    @Test
    void replyThatHandsOver_makesThePageExclusive() {
        State.FETCHING
                .subject()
                .message(0, HAND_OVER)
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void replyAfterAnUpdate_appliesAndAcknowledgesWhatWasKept() {
        State.FETCHING
                .subject()
                .message(2, UPDATE)
                .expect(new Effect.KeepDiff(PAGE, 1, IMAGE))
                .message(0, REPLY)
                .expect(
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        count(Counter.DIFFS_APPLIED),
                        new Effect.ApplyDiff(PAGE, new Payload.KeptDiff(PAGE, 1)),
                        send(2, acknowledgement(9, copyset(0, 1, 2))),
                        resume(PageAccess.READ));
    }

    @Test
    void handOverOfAPageThatOthersUpdate_isImpossible() {
        Subject<Msg> subject = State.FETCHING.subject().message(2, UPDATE).quietly();

        subject.expectViolation("Fetching", () -> subject.message(0, HAND_OVER), "FetchReply");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FETCHING")
    void replyThatNobodyAskedFor_isImpossible(State state) {
        Subject<Msg> subject = state.subject();

        subject.expectViolation(state.text, () -> subject.message(2, REPLY), "FetchReply");
    }

    // Update

    @Test
    void updateOfAbsentPage_isRefused() {
        State.ABSENT.subject().message(2, UPDATE).expect(send(2, acknowledgement(9, copyset(2))));
    }

    @ParameterizedTest
    @EnumSource(names = {"CLEAN", "DIRTY"})
    void updateOfAPageThatIsHere_isAppliedAndAcknowledgedWithTheCopyset(State state) {
        state.subject()
                .message(2, UPDATE)
                .expect(
                        count(Counter.DIFFS_APPLIED),
                        new Effect.ApplyDiff(PAGE, IMAGE),
                        send(2, acknowledgement(9, copyset(0, 1, 2))));
    }

    @Test
    void updateOfTwoPages_isAcknowledgedOnceForThoseThatAreNotFetched() {
        PageId fetched = new PageId(0, 4);
        Subject<Msg> subject = State.CLEAN.subject();
        subject.protocol.onReadFault(fetched, new RecordingEffects());
        List<PageDiff> diffs =
                List.of(
                        new PageDiff(offer(fetched, copyset(2)), IMAGE),
                        new PageDiff(offer(PAGE, copyset(2)), IMAGE));

        subject.message(2, new Update(9, diffs))
                .expect(
                        new Effect.KeepDiff(fetched, 1, IMAGE),
                        count(Counter.DIFFS_APPLIED),
                        new Effect.ApplyDiff(PAGE, IMAGE),
                        send(2, acknowledgement(9, copyset(0, 1, 2))));
    }

    @ParameterizedTest
    @EnumSource(names = {"EXCLUSIVE", "IDLE"})
    void updateOfAPageThatNobodyElseHolds_isImpossible(State state) {
        Subject<Msg> subject = state.subject();

        subject.expectViolation(state.text, () -> subject.message(2, UPDATE), "Update");
    }

    // release

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRTY")
    void releaseWithNothingDirty_isPerformedAtOnce(State state) {
        state.subject().release(ELAPSED).expect().expectPerformed(ELAPSED);
    }

    @Test
    void releaseOfADirtyPage_protectsThenComparesThenSends() {
        State.DIRTY
                .subject()
                .release(ELAPSED)
                .expect(
                        count(Counter.FLUSHES),
                        access(PageAccess.READ),
                        new Effect.SaveDiff(PAGE, 1),
                        new Effect.DropTwin(PAGE))
                .saved(1, 5)
                .expect(count(Counter.DIFFS_MADE), send(0, update(1, copyset(0, 1))))
                .expectPerformed()
                .message(0, acknowledgement(1, copyset(0, 1)))
                .expect(new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED);
    }

    @Test
    void releaseOfAPageThatEqualsItsTwin_sendsNothing() {
        State.DIRTY
                .subject()
                .release(ELAPSED)
                .quietly()
                .saved(1, 0)
                .expect(count(Counter.DIFFS_EMPTY), new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED);
    }

    @Test
    void releaseOfADirtyPageWhoseOtherHoldersLeft_makesItExclusive() {
        twoFlushesAfterTheOnlyHolderRefused()
                .saved(2, 5)
                .expect(new Effect.DropDiff(PAGE, 2))
                .expectPerformed(ELAPSED)
                .message(2, OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE,
                                        false,
                                        copyset(1).end(node(0)),
                                        AppliedDiffs.EMPTY,
                                        PRESENT)));
    }

    @Test
    void secondReleaseWithNothingNew_waitsForTheFirstOnesAcknowledgements() {
        Leaving second = new Leaving.Elapsed();
        sentInInterval1()
                .release(second)
                .expectPerformed()
                .message(0, acknowledgement(1, copyset(0, 1)))
                .expectPerformed(ELAPSED, second);
    }

    @Test
    void secondFlushOfAPage_waitsForTheFirstOnesAcknowledgements() {
        Leaving second = new Leaving.Elapsed();
        sentInInterval1()
                .writeFault()
                .quietly()
                .release(second)
                .expect(count(Counter.FLUSHES))
                .message(0, acknowledgement(1, copyset(0, 1)))
                .expect(
                        new Effect.DropDiff(PAGE, 1),
                        access(PageAccess.READ),
                        new Effect.SaveDiff(PAGE, 2),
                        new Effect.DropTwin(PAGE))
                .expectPerformed(ELAPSED)
                .saved(2, 5)
                .message(0, acknowledgement(2, copyset(0, 1)))
                .expectPerformed(second);
    }

    // UpdateAck

    @Test
    void acknowledgementThatNamesAnotherHolder_isFollowedByItsUpdate() {
        sentInInterval1()
                .message(0, acknowledgement(1, copyset(0, 1, 2, 3)))
                .expect(
                        send(2, update(1, copyset(0, 1, 2, 3))),
                        send(3, update(1, copyset(0, 1, 2, 3))))
                .message(3, acknowledgement(1, copyset(1, 3)))
                .expect()
                .message(2, acknowledgement(1, copyset(1, 2, 0)))
                .expect(new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED);
    }

    @Test
    void refusalThatNamesAnotherHolder_isFollowedTooAndTheRefuserIsToldNoMore() {
        sentInInterval1()
                .message(0, refusal(1, copyset(2)))
                .expect(send(2, update(1, copyset(1, 2).end(node(0)))))
                .message(2, acknowledgement(1, copyset(1, 2)))
                .quietly()
                .writeFault()
                .release(ELAPSED)
                .quietly()
                .saved(2, 5)
                .expect(count(Counter.DIFFS_MADE), send(2, update(2, copyset(1, 2).end(node(0)))));
    }

    static Stream<Arguments> strayAcknowledgements() {
        return Stream.of(
                arguments("Clean", State.CLEAN.subject(), 0, 1),
                arguments("Clean", sentInInterval1(), 0, 2),
                arguments("Clean", sentInInterval1(), 3, 1),
                arguments("Absent", State.ABSENT.subject(), 0, 1),
                arguments("Fetching", State.FETCHING.subject(), 0, 1),
                arguments("Dirty", State.DIRTY.subject(), 0, 1),
                arguments("Exclusive", State.EXCLUSIVE.subject(), 0, 1),
                arguments("Idle", State.IDLE.subject(), 2, 1));
    }

    @ParameterizedTest
    @MethodSource("strayAcknowledgements")
    void acknowledgementOfNoUpdate_isImpossible(
            String state, Subject<Msg> subject, int from, long interval) {
        subject.expectViolation(
                state,
                () -> subject.message(from, acknowledgement(interval, copyset(0))),
                "UpdateAck");
    }

    // sealing

    @Test
    void sealing_withdrawsTheRootsPagesInOneRun() {
        Subject<Msg> root = State.IDLE.subject();
        for (int i = 3; i < 9; i++) {
            if (i != 6) {
                root.protocol.onWriteFault(new PageId(0, i), new RecordingEffects());
            }
        }

        root.sealed()
                .expect(
                        new Effect.Withdraw(new PageId(0, 3), 3),
                        new Effect.Withdraw(new PageId(0, 7), 2))
                .message(2, OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(Counter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE,
                                        true,
                                        DatedCopyset.EMPTY,
                                        AppliedDiffs.EMPTY,
                                        PRESENT)),
                        discard());
    }

    @Test
    void sealingWithNothingTouched_doesNothing() {
        State.IDLE.subject().sealed().expect();
    }

    // loss

    @Test
    void lossOfANode_poisonsWhatIsFetchedAndWhatIsAskedForLater() {
        State.FETCHING.subject().peerLost(0).expect(poison());
        State.ABSENT.subject().peerLost(0).readFault().writeFault().expect(poison(), poison());
        State.CLEAN.subject().peerLost(0).readFault().expect(resume(PageAccess.READ));
        State.DIRTY.subject().peerLost(0).readFault().expect(resume(PageAccess.READ_WRITE));
    }

    private static Subject<Msg> on(int self) {
        return new Subject<>(self, Protocol.WRITE_SHARED, WriteShared::new);
    }

    /** Clean, with an update of interval 1 on its way to the root, and a release waiting. */
    private static Subject<Msg> sentInInterval1() {
        return State.DIRTY.subject().release(ELAPSED).saved(1, 5).quietly();
    }

    private static Subject<Msg> twoFlushesAfterTheOnlyHolderRefused() {
        return sentInInterval1()
                .writeFault()
                .message(0, refusal(1, DatedCopyset.EMPTY))
                .release(ELAPSED)
                .quietly();
    }

    private static UpdateAck acknowledgement(long interval, DatedCopyset copies) {
        return new UpdateAck(interval, List.of(new PageCopies(PAGE, copies)));
    }

    /** The root gave its copy up, and knows of these. */
    private static UpdateAck refusal(long interval, DatedCopyset copies) {
        return acknowledgement(interval, copies.end(node(0)));
    }

    private static Update update(long interval, DatedCopyset copies) {
        return new Update(
                interval,
                List.of(new PageDiff(offer(PAGE, copies), new Payload.SavedDiff(PAGE, interval))));
    }

    private static Offer offer(PageId page, DatedCopyset copies) {
        return new Offer(page, copies, AppliedDiffs.EMPTY);
    }

    private static DatedCopyset copyset(int... nodes) {
        DatedCopyset copyset = DatedCopyset.EMPTY;
        for (int node : nodes) {
            copyset = copyset.with(node(node), 0);
        }
        return copyset;
    }
}
