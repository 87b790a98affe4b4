package io.muninn.coherence.writeshared;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.ACK;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.APPLY;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.ELAPSED;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.LIST;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.REFUSAL;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.UPDATE;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.WINDOW_NANOS;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.ack;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.applied;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.clean;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.copies;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.exclusive;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.givenUp;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.givenUpWhileSent;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.of3;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.on;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.sent;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.sentToTwo;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.update;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.updateOf1;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.withdrawn;

import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateAck;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateRequest;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.PageAccess;
import io.muninn.spi.Effect;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table of {@link WriteShared} with an update timeout; {@link UpdateListTest} has update lists.
 * Node 1 is under test, node 0 is the root; {@link WriteSharedTest} and {@link
 * WriteSharedFlushTest} have the rest.
 */
class UpdateTimeoutTest {
    private static final UpdateRules STEADY =
            new UpdateRules(WINDOW_NANOS, UpdateRules.ALL_DIRECT).withSteadyAccess(true);

    // Withdrawn

    @Test
    void updateOfAnUnusedCopy_isAppliedAndTakesTheAccess() {
        clean().passNanos(FakeContext.HOLD_NANOS)
                .message(2, UPDATE)
                .expect(APPLY, access(PageAccess.NONE), send(2, ACK));
    }

    @Test
    void updateWithinTheHoldTime_leavesTheAccess() {
        clean().passNanos(FakeContext.HOLD_NANOS - 1)
                .message(2, UPDATE)
                .expect(APPLY, send(2, ACK));
    }

    @Test
    void updateWithinAWindowOfTheAccess_leavesSteadyAccess() {
        clean(STEADY)
                .passNanos(WINDOW_NANOS - 1)
                .message(2, UPDATE)
                .expect(APPLY, send(2, ACK))
                .passNanos(1)
                .message(2, UPDATE)
                .expect(APPLY, access(PageAccess.NONE), send(2, ACK));
    }

    @Test
    void steadyAccessThatIsNotAskedForAgain_endsWithTheNextWindow() {
        clean(STEADY)
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE)
                .quietly()
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE)
                .expect(count(NodeCounter.UPDATE_TIMEOUTS), discard(), send(2, REFUSAL));
    }

    @Test
    void updateWithoutATimeout_leavesTheAccess() {
        clean(UpdateRules.PLAIN)
                .passNanos(FakeContext.HOLD_NANOS)
                .message(2, UPDATE)
                .expect(APPLY, send(2, ACK));
    }

    @Test
    void updateWithinTheWindow_isAppliedAndTheWindowGoesOn() {
        withdrawn()
                .passNanos(WINDOW_NANOS - 1)
                .message(2, UPDATE)
                .expect(APPLY, send(2, ACK))
                .passNanos(1)
                .message(2, UPDATE)
                .expect(count(NodeCounter.UPDATE_TIMEOUTS), discard(), send(2, REFUSAL));
    }

    @Test
    void accessToAWithdrawnPage_isGivenAndEndsTheWindow() {
        withdrawn()
                .readFault()
                .expect(resume(PageAccess.READ))
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE)
                .expect(APPLY, access(PageAccess.NONE), send(2, ACK));
    }

    @Test
    void storeToAWithdrawnPage_makesTheTwin() {
        withdrawn()
                .writeFault()
                .expect(
                        count(NodeCounter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE))
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE) // a twin: it is in use
                .expect(APPLY, send(2, ACK));
    }

    @Test
    void requestForAWithdrawnPage_isAnsweredWithThePage() {
        withdrawn()
                .message(3, new FetchRequest(PAGE, node(3), 0))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(
                                3,
                                new FetchReply(
                                        PAGE,
                                        false,
                                        copies(0, 1, 2),
                                        applied(2, 9),
                                        new Payload.PageImage(PAGE))));
    }

    @Test
    void replyForAWithdrawnPage_isImpossible() {
        Subject<Msg> subject = withdrawn();

        subject.expectViolation(
                "Withdrawn",
                () ->
                        subject.message(
                                2,
                                new FetchReply(PAGE, false, copies(0), AppliedDiffs.EMPTY, IMAGE)),
                "FetchReply");
    }

    @Test
    void lossOfANode_leavesAWithdrawnPageUsable() {
        withdrawn().peerLost(2).expect().readFault().expect(resume(PageAccess.READ));
    }

    // what was given up

    @Test
    void copyThatWasGivenUp_isAskedForAtTheNodeThatWasTold() {
        givenUp()
                .readFault()
                .expect(send(2, new FetchRequest(PAGE, node(1), 1)))
                .message(
                        2,
                        new FetchReply(
                                PAGE, false, copies(0, 2).with(node(1), 1), applied(2, 9), IMAGE))
                .expect(
                        install(PageAccess.NONE),
                        resume(PageAccess.READ),
                        count(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void requestAtANodeThatGaveItsCopyUp_isForwardedToTheNodeThatWasTold() {
        FetchRequest request = new FetchRequest(PAGE, node(3), 0);

        givenUp().message(3, request).expect(count(NodeCounter.FORWARDS), send(2, request));
    }

    @Test
    void updateOfACopyThatWasGivenUp_isRefusedWithTheKeptCopyset() {
        Update of3 = of3(applied(2, 9), copies(3).end(node(1)));
        FetchRequest request = new FetchRequest(PAGE, node(4), 0);

        givenUp()
                .message(3, of3)
                .expect(send(3, ack(4, copies(0, 1, 2, 3).end(node(1)))))
                .message(4, request) // node 3 holds the page for certain, and node 2 may not
                .expect(count(NodeCounter.FORWARDS), send(3, request));
    }

    @Test
    void nodeThatHasNotHeardThatTheCopyIsGone_isNotAskedForTheNextOne() {
        FetchRequest request = new FetchRequest(PAGE, node(4), 0);

        givenUp()
                .message(3, of3(applied(2, 9), copies(3)))
                .expect(send(3, ack(4, copies(0, 1, 2, 3).end(node(1)))))
                .message(4, request) // node 3 may have given its own up since it sent this
                .expect(count(NodeCounter.FORWARDS), send(2, request));
    }

    @Test
    void nodeThatLacksADiffOfTheCopy_isNotAskedForTheNextOne() {
        FetchRequest request = new FetchRequest(PAGE, node(4), 0);

        givenUp()
                .message(3, of3(AppliedDiffs.EMPTY))
                .expect(send(3, ack(4, copies(0, 1, 2, 3).end(node(1)))))
                .message(4, request) // node 2 has everything that this node has seen
                .expect(count(NodeCounter.FORWARDS), send(2, request));
    }

    @Test
    void copyWithADiffThatTheSenderLacks_isKept() {
        withdrawn()
                .passNanos(WINDOW_NANOS)
                .message(3, of3(AppliedDiffs.EMPTY))
                .expect(APPLY, send(3, ack(4, copies(0, 1, 2, 3))))
                .message(3, of3(applied(2, 9)))
                .expect(
                        count(NodeCounter.UPDATE_TIMEOUTS),
                        discard(),
                        send(3, ack(4, copies(0, 1, 2, 3).end(node(1)))));
    }

    @Test
    void copyIsKept_forASenderThatHasNotHeardOfAllThatAreGone() {
        DatedCopyset known = copies(0, 1, 2).end(node(0));

        withdrawn()
                .message(2, update(9, copies(2).end(node(0)), applied(2, 9)))
                .expect(APPLY, send(2, ack(9, known)))
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE) // node 2 may rely on node 0
                .expect(APPLY, send(2, ack(9, known)));
    }

    @Test
    void copyIsKept_forASenderThatHasNone() {
        withdrawn()
                .passNanos(WINDOW_NANOS)
                .message(2, update(9, copies(0), applied(2, 9)))
                .expect(APPLY, send(2, ACK));
    }

    // the copy of last resort

    @Test
    void nodeWhoseUpdateIsUnderWay_keepsItsCopyForOneThatComesAfter() {
        Update of0 = update(4, copies(0, 2), applied(2, 9).with(node(0), 4));
        Subject<Msg> subject = sent().message(2, UPDATE).quietly().passNanos(WINDOW_NANOS);

        subject.message(0, of0).expect(APPLY, send(0, ack(4, copies(0, 1, 2))));
        subject.message(0, ack(1, copies(0, 1, 2)))
                .quietly()
                .message(2, ack(1, copies(0, 1, 2)))
                .expect(new Effect.DropDiff(PAGE, 1))
                .message(
                        0, update(5, copies(0, 2), applied(2, 9).with(node(0), 5).with(node(1), 1)))
                .expect(
                        count(NodeCounter.UPDATE_TIMEOUTS),
                        discard(),
                        send(0, ack(5, copies(0, 1, 2).end(node(1)))));
    }

    @Test
    void nodeWhoseUpdateIsUnderWay_givesItsCopyUpToOneThatComesBefore() {
        givenUpWhileSent()
                .message(0, ack(1, copies(0, 1)))
                .expect(send(2, updateOf1(copies(0, 1, 2).end(node(1)))))
                .message(2, ack(1, copies(0, 1, 2).end(node(1))))
                .expect(new Effect.DropDiff(PAGE, 1));
    }

    @Test
    void nextAccess_waitsUntilTheOwnUpdateIsAcknowledged() {
        Subject<Msg> subject = givenUpWhileSent().readFault().expect().writeFault().expect();

        subject.message(3, new FetchRequest(PAGE, node(3), 0))
                .expect(count(NodeCounter.FORWARDS), send(2, new FetchRequest(PAGE, node(3), 0)))
                .message(2, UPDATE)
                .expect(send(2, REFUSAL))
                .message(2, LIST)
                .expect(send(2, REFUSAL));
        subject.message(0, ack(1, copies(0, 1)))
                .quietly()
                .message(2, ack(1, copies(0, 1, 2).end(node(1))))
                .expect(new Effect.DropDiff(PAGE, 1), send(2, new FetchRequest(PAGE, node(1), 1)))
                .expectPerformed(ELAPSED);
    }

    @Test
    void updateOfANodeThatGaveItsCopyUp_isAppliedByTheSoleHolder() {
        DatedCopyset of1Alone = copies(1).end(node(2));

        exclusive()
                .message(2, update(9, of1Alone, applied(2, 9)))
                .expect(APPLY, send(2, ack(9, of1Alone)));
        exclusive()
                .message(2, new UpdateList(9, List.of(new Offer(PAGE, of1Alone, applied(2, 9)))))
                .expect(
                        count(NodeCounter.UPDATES_REQUESTED),
                        send(2, new UpdateRequest(9, List.of(PAGE))));
    }

    @Test
    void lastOtherCopyGivenUp_makesTheNextStoreExclusive() {
        sent().message(0, ack(1, copies(0, 1).end(node(0))))
                .expect(new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED)
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE));
    }

    // crossings

    @Test
    void copyFetchedFromHereWhileItsRefusalIsUnderWay_staysInTheCopyset() {
        sent().message(0, new FetchRequest(PAGE, node(0), 1))
                .quietly()
                .message(0, ack(1, copies(0, 1).end(node(0))))
                .expect(new Effect.DropDiff(PAGE, 1)) // the image contained the update
                .writeFault()
                .expect(
                        count(NodeCounter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE));
    }

    /**
     * Node 2 gave its copy up and fetched another from the root, which had not received the update
     * yet.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void copyFetchedElsewhere_isToldAgainWhateverIsHeardFirst(boolean refusalFirst) {
        UpdateAck refusal = ack(1, copies(0, 1, 2).end(node(2)));
        DatedCopyset known = copies(0, 1, 2).end(node(2)).with(node(2), 1);
        Subject<Msg> subject = sentToTwo();

        subject.message(refusalFirst ? 2 : 0, refusalFirst ? refusal : ack(1, known))
                .expect()
                .message(refusalFirst ? 0 : 2, refusalFirst ? ack(1, known) : refusal)
                .expect(send(2, update(1, known)))
                .expectPerformed()
                .message(2, ack(1, known))
                .expect(new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED);
    }

    /** As above, after node 2 had applied the update to the copy that it gave up for another. */
    @Test
    void copyFetchedElsewhereAfterTheAcknowledgement_isToldAgain() {
        DatedCopyset known = copies(0, 1, 2).end(node(2)).with(node(2), 1);

        sentToTwo()
                .message(2, ack(1, copies(0, 1, 2)))
                .expect()
                .message(0, ack(1, known))
                .expect(send(2, update(1, known)));
    }

    @Test
    void oldNameOfACopyThatWasGivenUp_isNotFollowed() {
        sentToTwo()
                .message(2, ack(1, copies(0, 1, 2).end(node(2))))
                .expect()
                .message(0, ack(1, copies(0, 1, 2))) // the root has not received it
                .expect(new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED);
    }

    @Test
    void twoThatGaveUpAndNameEachOther_areNotFollowed() {
        sentToTwo()
                .message(2, ack(1, copies(0, 1, 2).end(node(2))))
                .message(0, ack(1, copies(0, 1, 2).end(node(0))))
                .expect(new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED)
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void updateOfAPageThatNobodyElseEverHeld_isImpossible() {
        Subject<Msg> idle = on(UpdateRules.PLAIN, 0);

        idle.expectViolation("Idle", () -> idle.message(2, LIST), "UpdateList");
        idle.expectViolation("Idle", () -> idle.message(2, UPDATE), "Update");
    }

    @Test
    void updateThatKnowsOfACopyBesideTheOnlyOne_isImpossible() {
        Subject<Msg> exclusive = exclusive();

        exclusive.expectViolation("Exclusive", () -> exclusive.message(2, UPDATE), "Update");
    }
}
