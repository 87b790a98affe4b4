package io.muninn.coherence.writeshared;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.poison;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.writeshared.WriteSharedState.ABSENT;
import static io.muninn.coherence.writeshared.WriteSharedState.CLEAN;
import static io.muninn.coherence.writeshared.WriteSharedState.DIRTY;
import static io.muninn.coherence.writeshared.WriteSharedState.EXCLUSIVE;
import static io.muninn.coherence.writeshared.WriteSharedState.FETCHING;
import static io.muninn.coherence.writeshared.WriteSharedState.HAND_OVER;
import static io.muninn.coherence.writeshared.WriteSharedState.HOT;
import static io.muninn.coherence.writeshared.WriteSharedState.IDLE;
import static io.muninn.coherence.writeshared.WriteSharedState.REPLY;
import static io.muninn.coherence.writeshared.WriteSharedState.acknowledgement;
import static io.muninn.coherence.writeshared.WriteSharedState.copyset;
import static io.muninn.coherence.writeshared.WriteSharedState.offer;
import static io.muninn.model.MappingId.FIRST;

import io.muninn.coherence.Subject;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Faults, requests and updates in every state of the table of {@link WriteShared}; {@link
 * WriteSharedFlushTest} has releases and their acknowledgements. Node 1 is under test; node 0 is
 * the root, and under test for states that only the root has.
 */
class WriteSharedTest {
    private static final Payload PRESENT = new Payload.PageImage(PAGE);

    private static final FetchRequest OWN = new FetchRequest(PAGE, node(1), 0);
    private static final FetchRequest OF_2 = new FetchRequest(PAGE, node(2), 0);
    private static final Update UPDATE =
            new Update(9, List.of(new PageDiff(offer(PAGE, copyset(2)), IMAGE)));

    // read fault

    @Test
    void readFaultOnAbsentPage_asksTheProbableOwner() {
        ABSENT.subject().readFault().expect(send(0, OWN));
    }

    @Test
    void readFaultOnFetchedPage_joins() {
        FETCHING.subject().readFault().expect();
    }

    @Test
    void readFaultOnAPageThatIsHere_resumesWithWhatTheStateGrants() {
        CLEAN.subject().readFault().expect(resume(PageAccess.READ));
        DIRTY.subject().readFault().expect(resume(PageAccess.READ_WRITE));
        HOT.subject().readFault().expect(resume(PageAccess.READ_WRITE));
        EXCLUSIVE.subject().readFault().expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void faultOnIdlePage_makesTheRootItsUser() {
        IDLE.subject().readFault().expect(resume(PageAccess.READ_WRITE));
        IDLE.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
        IDLE.subject()
                .readFault()
                .quietly()
                .message(2, OF_2) // from now on it is copied, not handed over
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE, false, copyset(0), AppliedDiffs.EMPTY, PRESENT)));
    }

    // write fault

    @Test
    void writeFaultOnAbsentPage_asksTheProbableOwner() {
        ABSENT.subject().writeFault().expect(send(0, OWN));
    }

    @Test
    void writeFaultOnFetchedPage_joinsAndMakesTheTwinWhenTheImageComes() {
        FETCHING.subject()
                .writeFault()
                .expect()
                .message(0, REPLY)
                .expect(
                        install(PageAccess.NONE),
                        count(NodeCounter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE),
                        count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void writeFaultOnCleanPage_makesTheTwinBeforeTheStore() {
        CLEAN.subject()
                .writeFault()
                .expect(
                        count(NodeCounter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void writeFaultOnAPageThatTakesStores_resumes() {
        DIRTY.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
        HOT.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
        EXCLUSIVE.subject().writeFault().expect(resume(PageAccess.READ_WRITE));
    }

    // TwinMade

    @Test
    void twinOfATrapOnCleanPage_makesItDirty() {
        CLEAN.subject()
                .twinMade()
                .expect(count(NodeCounter.TWINS_MADE))
                .message(2, OF_2)
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE,
                                        false,
                                        copyset(0, 1),
                                        AppliedDiffs.EMPTY,
                                        new Payload.TwinImage(PAGE))));
    }

    @Test
    void twinOfATrapOnAPageThatNobodyElseHolds_isDropped() {
        EXCLUSIVE
                .subject()
                .twinMade()
                .expect(new Effect.DropTwin(PAGE), access(PageAccess.READ_WRITE));
    }

    @ParameterizedTest
    @EnumSource(names = {"ABSENT", "FETCHING", "DIRTY", "HOT", "IDLE"})
    void twinOfATrapOnAPageThatIsNotOnlyReadable_isImpossible(WriteSharedState state) {
        Subject<Msg> subject = state.subject();

        subject.expectViolation(state.text, subject::twinMade, "TwinMade");
    }

    // FetchRequest

    @ParameterizedTest
    @EnumSource(names = {"ABSENT", "FETCHING"})
    void requestAtANodeWithoutThePage_isForwarded(WriteSharedState state) {
        state.subject().message(2, OF_2).expect(count(NodeCounter.FORWARDS), send(0, OF_2));
    }

    @Test
    void requestForCleanPage_isAnsweredWithThePage() {
        CLEAN.subject()
                .message(2, OF_2)
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE, false, copyset(0, 1), AppliedDiffs.EMPTY, PRESENT)));
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRTY", "HOT"})
    void requestForDirtyPage_isAnsweredWithTheTwin(WriteSharedState state) {
        state.subject()
                .message(2, OF_2)
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE,
                                        false,
                                        copyset(0, 1),
                                        AppliedDiffs.EMPTY,
                                        new Payload.TwinImage(PAGE))));
    }

    @Test
    void requestForExclusivePage_freezesItAndTheImageIsTheNextTwin() {
        EXCLUSIVE
                .subject()
                .message(2, OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
                        send(
                                2,
                                new FetchReply(
                                        PAGE, false, copyset(1), AppliedDiffs.EMPTY, PRESENT)))
                .writeFault()
                .expect(
                        count(NodeCounter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void requestForIdlePage_isHandedThePageItself() {
        IDLE.subject()
                .message(2, OF_2)
                .expect(
                        count(NodeCounter.PAGES_SENT),
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
                .expect(count(NodeCounter.FORWARDS), send(2, new FetchRequest(PAGE, node(3), 0)));
    }

    @ParameterizedTest
    @EnumSource
    void ownRequestComingBack_isImpossible(WriteSharedState state) {
        Subject<Msg> subject = state.subject();
        FetchRequest own = new FetchRequest(PAGE, subject.context.self(), 0);

        subject.expectViolation(state.text, () -> subject.message(2, own), "FetchRequest");
    }

    // FetchReply

    @Test
    void replyForALoad_isReadable() {
        FETCHING.subject()
                .message(0, REPLY)
                .expect(
                        install(PageAccess.NONE),
                        resume(PageAccess.READ),
                        count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void replyThatHandsOver_makesThePageExclusive() {
        FETCHING.subject()
                .message(0, HAND_OVER)
                .expect(
                        install(PageAccess.NONE),
                        resume(PageAccess.READ_WRITE),
                        count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void replyAfterAnUpdate_appliesAndAcknowledgesWhatWasKept() {
        FETCHING.subject()
                .message(2, UPDATE)
                .expect(new Effect.KeepDiff(PAGE, 1, IMAGE))
                .message(0, REPLY)
                .expect(
                        install(PageAccess.NONE),
                        new Effect.ApplyDiff(PAGE, new Payload.KeptDiff(PAGE, 1)),
                        send(2, acknowledgement(9, copyset(0, 1, 2))),
                        resume(PageAccess.READ),
                        count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void handOverOfAPageThatOthersUpdate_isImpossible() {
        Subject<Msg> subject = FETCHING.subject().message(2, UPDATE).quietly();

        subject.expectViolation("Fetching", () -> subject.message(0, HAND_OVER), "FetchReply");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FETCHING")
    void replyThatNobodyAskedFor_isImpossible(WriteSharedState state) {
        Subject<Msg> subject = state.subject();

        subject.expectViolation(state.text, () -> subject.message(2, REPLY), "FetchReply");
    }

    // Update

    @Test
    void updateOfAbsentPage_isRefused() {
        ABSENT.subject().message(2, UPDATE).expect(send(2, acknowledgement(9, copyset(2))));
    }

    @ParameterizedTest
    @EnumSource(names = {"CLEAN", "DIRTY", "HOT"})
    void updateOfAPageThatIsHere_isAppliedAndAcknowledgedWithTheCopyset(WriteSharedState state) {
        state.subject()
                .message(2, UPDATE)
                .expect(
                        new Effect.ApplyDiff(PAGE, IMAGE),
                        send(2, acknowledgement(9, copyset(0, 1, 2))));
    }

    @Test
    void updateOfTwoPages_isAcknowledgedOnceForThoseThatAreNotFetched() {
        PageId fetched = new PageId(0, 4);
        Subject<Msg> subject = CLEAN.subject();
        subject.protocol.onReadFault(fetched, new RecordingEffects());
        List<PageDiff> diffs =
                List.of(
                        new PageDiff(offer(fetched, copyset(2)), IMAGE),
                        new PageDiff(offer(PAGE, copyset(2)), IMAGE));

        subject.message(2, new Update(9, diffs))
                .expect(
                        new Effect.KeepDiff(fetched, 1, IMAGE),
                        new Effect.ApplyDiff(PAGE, IMAGE),
                        send(2, acknowledgement(9, copyset(0, 1, 2))));
    }

    @ParameterizedTest
    @EnumSource(names = {"EXCLUSIVE", "IDLE"})
    void updateOfAPageThatNobodyElseHolds_isImpossible(WriteSharedState state) {
        Subject<Msg> subject = state.subject();

        subject.expectViolation(state.text, () -> subject.message(2, UPDATE), "Update");
    }

    // sealing

    @Test
    void sealing_withdrawsTheRootsPagesInOneRun() {
        Subject<Msg> root = IDLE.subject();
        for (int i = 3; i < 9; i++) {
            if (i != 6) {
                root.protocol.onWriteFault(new PageId(0, i), new RecordingEffects());
            }
        }

        root.sealed()
                .expect(
                        new Effect.Withdraw(FIRST, new PageId(0, 3), 3),
                        new Effect.Withdraw(FIRST, new PageId(0, 7), 2))
                .message(2, OF_2)
                .expect(
                        count(NodeCounter.PAGES_SENT),
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
        IDLE.subject().sealed().expect();
    }

    // loss

    @Test
    void lossOfANode_poisonsWhatIsFetchedAndWhatIsAskedForLater() {
        FETCHING.subject().peerLost(0).expect(poison());
        FETCHING.subject()
                .message(2, UPDATE)
                .message(2, UPDATE)
                .quietly()
                .peerLost(0)
                .expect(poison(), new Effect.DropKept(PAGE, 1), new Effect.DropKept(PAGE, 2));
        ABSENT.subject().peerLost(0).readFault().writeFault().expect(poison(), poison());
        CLEAN.subject().peerLost(0).readFault().expect(resume(PageAccess.READ));
        DIRTY.subject().peerLost(0).readFault().expect(resume(PageAccess.READ_WRITE));
    }
}
