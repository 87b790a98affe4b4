package io.muninn.coherence.writeshared;

import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.writeshared.WriteSharedState.ABSENT;
import static io.muninn.coherence.writeshared.WriteSharedState.CLEAN;
import static io.muninn.coherence.writeshared.WriteSharedState.DIRTY;
import static io.muninn.coherence.writeshared.WriteSharedState.EXCLUSIVE;
import static io.muninn.coherence.writeshared.WriteSharedState.FETCHING;
import static io.muninn.coherence.writeshared.WriteSharedState.HOT;
import static io.muninn.coherence.writeshared.WriteSharedState.IDLE;
import static io.muninn.coherence.writeshared.WriteSharedState.acknowledgement;
import static io.muninn.coherence.writeshared.WriteSharedState.copyset;
import static io.muninn.coherence.writeshared.WriteSharedState.offer;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.muninn.coherence.Subject;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateAck;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.PageAccess;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Releases and acknowledgements in every state of the table of {@link WriteShared}, and their
 * results. Node 1 is under test, node 0 is the root; {@link WriteSharedTest} has the rest.
 */
class WriteSharedFlushTest {
    private static final Payload PRESENT = new Payload.PageImage(PAGE);
    private static final GatedRelease ELAPSED = new GatedRelease.Elapsed();
    private static final Effect DROP_TWIN = new Effect.DropTwin(PAGE);

    private static final FetchRequest OF_2 = new FetchRequest(PAGE, node(2), 0);

    // release

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DIRTY", "HOT"})
    void releaseWithNothingDirty_isPerformedAtOnce(WriteSharedState state) {
        state.subject().release(ELAPSED).expect().expectPerformed(ELAPSED);
    }

    @Test
    void releaseOfADirtyPage_protectsThenComparesThenSends() {
        DIRTY.subject()
                .release(ELAPSED)
                .expect(
                        count(NodeCounter.FLUSHES),
                        access(PageAccess.READ),
                        new Effect.SaveDiff(PAGE, 1, false))
                .saved(1, 5)
                .expect(DROP_TWIN, count(NodeCounter.DIFFS_MADE), send(0, update(1, copyset(0, 1))))
                .expectPerformed()
                .message(0, acknowledgement(1, copyset(0, 1)))
                .expect(new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED);
    }

    @Test
    void releaseOfAPageThatEqualsItsTwin_sendsNothing() {
        DIRTY.subject()
                .release(ELAPSED)
                .quietly()
                .saved(1, 0)
                .expect(DROP_TWIN, count(NodeCounter.DIFFS_EMPTY), new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED);
    }

    @Test
    void releaseOfADirtyPageWhoseOtherHoldersLeft_makesItExclusive() {
        twoFlushesAfterTheOnlyHolderRefused()
                .saved(2, 5)
                .expect(DROP_TWIN, new Effect.DropDiff(PAGE, 2))
                .expectPerformed(ELAPSED)
                .message(2, OF_2)
                .expect(
                        access(PageAccess.READ),
                        count(NodeCounter.PAGES_SENT),
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
    void dirtyPageThatCouldNotBeProtected_isDirtyAgain() {
        GatedRelease second = new GatedRelease.Elapsed();
        DIRTY.subject()
                .release(ELAPSED)
                .quietly()
                .savedAndKept(1, 5)
                .expect(count(NodeCounter.DIFFS_MADE), send(0, update(1, copyset(0, 1))))
                .message(0, acknowledgement(1, copyset(0, 1)))
                .quietly()
                .release(second)
                .expect(
                        count(NodeCounter.FLUSHES),
                        access(PageAccess.READ),
                        new Effect.SaveDiff(PAGE, 2, false))
                .saved(2, 0)
                .expectPerformed(second);
    }

    @Test
    void dirtyPageThatCouldNotBeProtectedAndHasNoOtherHolder_isExclusive() {
        twoFlushesAfterTheOnlyHolderRefused()
                .savedAndKept(2, 5)
                .expect(DROP_TWIN, new Effect.DropDiff(PAGE, 2))
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .release(ELAPSED)
                .expect();
    }

    @Test
    void twinOfATrapOnCleanPageThatNobodyElseHolds_isDropped() {
        sentInInterval1()
                .message(0, refusal(1, DatedCopyset.EMPTY))
                .quietly()
                .twinMade()
                .expect(DROP_TWIN, access(PageAccess.READ_WRITE));
    }

    @Test
    void secondReleaseWithNothingNew_waitsForTheFirstOnesAcknowledgements() {
        GatedRelease second = new GatedRelease.Elapsed();
        sentInInterval1()
                .release(second)
                .expectPerformed()
                .message(0, acknowledgement(1, copyset(0, 1)))
                .expectPerformed(ELAPSED, second);
    }

    @Test
    void secondFlushOfAPage_waitsForTheFirstOnesAcknowledgements() {
        GatedRelease second = new GatedRelease.Elapsed();
        sentInInterval1()
                .writeFault()
                .quietly()
                .release(second)
                .expect(count(NodeCounter.FLUSHES))
                .message(0, acknowledgement(1, copyset(0, 1)))
                .expect(
                        new Effect.DropDiff(PAGE, 1),
                        access(PageAccess.READ),
                        new Effect.SaveDiff(PAGE, 2, false))
                .expectPerformed(ELAPSED)
                .saved(2, 5)
                .message(0, acknowledgement(2, copyset(0, 1)))
                .expectPerformed(second);
    }

    @Test
    void askerOfADirtyPage_isToldAtTheRelease() {
        DIRTY.subject()
                .message(2, OF_2)
                .release(ELAPSED)
                .quietly()
                .saved(1, 5)
                .expect(
                        DROP_TWIN,
                        count(NodeCounter.DIFFS_MADE),
                        send(0, update(1, copyset(0, 1, 2))),
                        send(2, update(1, copyset(0, 1, 2))));
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
                .expect(
                        DROP_TWIN,
                        count(NodeCounter.DIFFS_MADE),
                        send(2, update(2, copyset(1, 2).end(node(0)))));
    }

    @Test
    void writeFaultOnCleanPageThatNobodyElseHolds_needsNoTwin() {
        sentInInterval1()
                .message(0, refusal(1, DatedCopyset.EMPTY))
                .quietly()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE));
    }

    static Stream<Arguments> strayAcknowledgements() {
        return Stream.of(
                arguments("Clean", CLEAN.subject(), 0, 1),
                arguments("Clean", sentInInterval1(), 0, 2),
                arguments("Clean", sentInInterval1(), 3, 1),
                arguments("Absent", ABSENT.subject(), 0, 1),
                arguments("Fetching", FETCHING.subject(), 0, 1),
                arguments("Dirty", DIRTY.subject(), 0, 1),
                arguments("Hot", HOT.subject(), 0, 3),
                arguments("Exclusive", EXCLUSIVE.subject(), 0, 1),
                arguments("Idle", IDLE.subject(), 2, 1));
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

    /** Clean, with an update of interval 1 in transit to the root, and a waiting release. */
    private static Subject<Msg> sentInInterval1() {
        return DIRTY.subject().release(ELAPSED).saved(1, 5).quietly();
    }

    private static Subject<Msg> twoFlushesAfterTheOnlyHolderRefused() {
        return sentInInterval1()
                .writeFault()
                .message(0, refusal(1, DatedCopyset.EMPTY))
                .release(ELAPSED)
                .quietly();
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
}
