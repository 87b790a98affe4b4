package io.muninn.protocols;

import static io.muninn.protocols.Subject.IMAGE;
import static io.muninn.protocols.Subject.PAGE;
import static io.muninn.protocols.Subject.access;
import static io.muninn.protocols.Subject.count;
import static io.muninn.protocols.Subject.discard;
import static io.muninn.protocols.Subject.install;
import static io.muninn.protocols.Subject.node;
import static io.muninn.protocols.Subject.resume;
import static io.muninn.protocols.Subject.send;

import io.muninn.api.Protocol;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.node.RecordingEffects;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Leaving;
import io.muninn.protocol.UpdateRules;
import io.muninn.protocols.WriteSharedMessages.FetchReply;
import io.muninn.protocols.WriteSharedMessages.FetchRequest;
import io.muninn.protocols.WriteSharedMessages.Msg;
import io.muninn.protocols.WriteSharedMessages.Offer;
import io.muninn.protocols.WriteSharedMessages.PageCopies;
import io.muninn.protocols.WriteSharedMessages.PageDiff;
import io.muninn.protocols.WriteSharedMessages.Update;
import io.muninn.protocols.WriteSharedMessages.UpdateAck;
import io.muninn.protocols.WriteSharedMessages.UpdateList;
import io.muninn.protocols.WriteSharedMessages.UpdateRequest;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table of {@link WriteShared} with an update timeout and with update lists. Node 1 is under
 * test, node 0 is the root; {@link WriteSharedTest} and {@link WriteSharedFlushTest} have the rest.
 */
class UpdateTimeoutTest {
    private static final long WINDOW_NANOS = 1_000;
    private static final int PACKET_BYTES = 100;
    private static final Leaving ELAPSED = new Leaving.Elapsed();
    private static final Effect APPLY = new Effect.ApplyDiff(PAGE, IMAGE);
    private static final Effect APPLIED = count(Counter.DIFFS_APPLIED);

    /** What node 2 sends; it knows of the root, too. */
    private static final DatedCopyset OF_2 = copies(0, 2);

    private static final Update UPDATE = new Update(9, List.of(new PageDiff(offer(PAGE), IMAGE)));
    private static final UpdateList LIST = new UpdateList(9, List.of(offer(PAGE)));

    private static final UpdateAck ACK = ack(9, copies(0, 1, 2));
    private static final UpdateAck REFUSAL = ack(9, copies(0, 1, 2).end(node(1)));

    // Withdrawn

    @Test
    void updateOfAnUnusedCopy_isAppliedAndTakesTheAccess() {
        clean().passNanos(FakeContext.HOLD_NANOS)
                .message(2, UPDATE)
                .expect(APPLIED, APPLY, access(PageAccess.NONE), send(2, ACK));
    }

    @Test
    void updateWithinTheHoldTime_leavesTheAccess() {
        clean().passNanos(FakeContext.HOLD_NANOS - 1)
                .message(2, UPDATE)
                .expect(APPLIED, APPLY, send(2, ACK));
    }

    @Test
    void updateWithoutATimeout_leavesTheAccess() {
        clean(UpdateRules.PLAIN)
                .passNanos(FakeContext.HOLD_NANOS)
                .message(2, UPDATE)
                .expect(APPLIED, APPLY, send(2, ACK));
    }

    @Test
    void updateWithinTheWindow_isAppliedAndTheWindowGoesOn() {
        withdrawn()
                .passNanos(WINDOW_NANOS - 1)
                .message(2, UPDATE)
                .expect(APPLIED, APPLY, send(2, ACK))
                .passNanos(1)
                .message(2, UPDATE)
                .expect(count(Counter.UPDATE_TIMEOUTS), discard(), send(2, REFUSAL));
    }

    @Test
    void accessToAWithdrawnPage_isGivenAndEndsTheWindow() {
        withdrawn()
                .readFault()
                .expect(resume(PageAccess.READ))
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE)
                .expect(APPLIED, APPLY, access(PageAccess.NONE), send(2, ACK));
    }

    @Test
    void storeToAWithdrawnPage_makesTheTwin() {
        withdrawn()
                .writeFault()
                .expect(
                        count(Counter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE))
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE) // a twin: it is in use
                .expect(APPLIED, APPLY, send(2, ACK));
    }

    @Test
    void requestForAWithdrawnPage_isAnsweredWithThePage() {
        withdrawn()
                .message(3, new FetchRequest(PAGE, node(3), 0))
                .expect(
                        count(Counter.PAGES_SENT),
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
                        count(Counter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ));
    }

    @Test
    void requestAtANodeThatGaveItsCopyUp_isForwardedToTheNodeThatWasTold() {
        FetchRequest request = new FetchRequest(PAGE, node(3), 0);

        givenUp().message(3, request).expect(count(Counter.FORWARDS), send(2, request));
    }

    @Test
    void updateOfACopyThatWasGivenUp_isRefusedWithTheKeptCopyset() {
        Update of3 = of3(applied(2, 9), copies(3).end(node(1)));
        FetchRequest request = new FetchRequest(PAGE, node(4), 0);

        givenUp()
                .message(3, of3)
                .expect(send(3, ack(4, copies(0, 1, 2, 3).end(node(1)))))
                .message(4, request) // node 3 holds the page for certain, and node 2 may not
                .expect(count(Counter.FORWARDS), send(3, request));
    }

    @Test
    void nodeThatHasNotHeardThatTheCopyIsGone_isNotAskedForTheNextOne() {
        FetchRequest request = new FetchRequest(PAGE, node(4), 0);

        givenUp()
                .message(3, of3(applied(2, 9), copies(3)))
                .expect(send(3, ack(4, copies(0, 1, 2, 3).end(node(1)))))
                .message(4, request) // node 3 may have given its own up since it sent this
                .expect(count(Counter.FORWARDS), send(2, request));
    }

    @Test
    void nodeThatLacksADiffOfTheCopy_isNotAskedForTheNextOne() {
        FetchRequest request = new FetchRequest(PAGE, node(4), 0);

        givenUp()
                .message(3, of3(AppliedDiffs.EMPTY))
                .expect(send(3, ack(4, copies(0, 1, 2, 3).end(node(1)))))
                .message(4, request) // node 2 has what this node has seen
                .expect(count(Counter.FORWARDS), send(2, request));
    }

    @Test
    void copyWithADiffThatTheSenderLacks_isKept() {
        withdrawn()
                .passNanos(WINDOW_NANOS)
                .message(3, of3(AppliedDiffs.EMPTY))
                .expect(APPLIED, APPLY, send(3, ack(4, copies(0, 1, 2, 3))))
                .message(3, of3(applied(2, 9)))
                .expect(
                        count(Counter.UPDATE_TIMEOUTS),
                        discard(),
                        send(3, ack(4, copies(0, 1, 2, 3).end(node(1)))));
    }

    @Test
    void copyIsKept_forASenderThatHasNotHeardOfAllThatAreGone() {
        DatedCopyset known = copies(0, 1, 2).end(node(0));

        withdrawn()
                .message(2, update(9, copies(2).end(node(0)), applied(2, 9)))
                .expect(APPLIED, APPLY, send(2, ack(9, known)))
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE) // node 2 may rely on node 0
                .expect(APPLIED, APPLY, send(2, ack(9, known)));
    }

    @Test
    void copyIsKept_forASenderThatHasNone() {
        withdrawn()
                .passNanos(WINDOW_NANOS)
                .message(2, update(9, copies(0), applied(2, 9)))
                .expect(APPLIED, APPLY, send(2, ACK));
    }

    // the copy of last resort

    @Test
    void nodeWhoseUpdateIsUnderWay_keepsItsCopyForOneThatComesAfter() {
        Update of0 = update(4, copies(0, 2), applied(2, 9).with(node(0), 4));
        Subject<Msg> subject = sent().message(2, UPDATE).quietly().passNanos(WINDOW_NANOS);

        subject.message(0, of0).expect(APPLIED, APPLY, send(0, ack(4, copies(0, 1, 2))));
        subject.message(0, ack(1, copies(0, 1, 2)))
                .quietly()
                .message(2, ack(1, copies(0, 1, 2)))
                .expect(new Effect.DropDiff(PAGE, 1))
                .message(
                        0, update(5, copies(0, 2), applied(2, 9).with(node(0), 5).with(node(1), 1)))
                .expect(
                        count(Counter.UPDATE_TIMEOUTS),
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
                .expect(count(Counter.FORWARDS), send(2, new FetchRequest(PAGE, node(3), 0)))
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
                .expect(APPLIED, APPLY, send(2, ack(9, of1Alone)));
        exclusive()
                .message(2, new UpdateList(9, List.of(new Offer(PAGE, of1Alone, applied(2, 9)))))
                .expect(
                        count(Counter.UPDATES_REQUESTED),
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
                .expect(new Effect.DropDiff(PAGE, 1)) // the image had the update
                .writeFault()
                .expect(
                        count(Counter.TWINS_MADE),
                        new Effect.MakeTwin(PAGE),
                        new Effect.WatchReleases(),
                        resume(PageAccess.READ_WRITE));
    }

    /** Node 2 gave its copy up and fetched another from the root, which had not been told yet. */
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

    /** The same, after node 2 had applied the update to the copy that it gave up for another. */
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
                .message(0, ack(1, copies(0, 1, 2))) // the root has not heard
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

    // lists

    @Test
    void diffsThatFitOnePacket_travelAtOnce() {
        dirty().release(ELAPSED)
                .quietly()
                .saved(1, 8) // 96 bytes
                .expect(count(Counter.DIFFS_MADE), send(0, update(1, copies(0, 1))));
    }

    @Test
    void diffsThatDoNotFit_areOfferedAndSentOnRequest() {
        dirty().release(ELAPSED)
                .quietly()
                .saved(1, 9)
                .expect(
                        count(Counter.DIFFS_MADE),
                        count(Counter.UPDATE_LISTS_SENT),
                        send(
                                0,
                                new UpdateList(
                                        1, List.of(new Offer(PAGE, copies(0, 1), applied(1, 1))))))
                .message(0, new UpdateRequest(1, List.of(PAGE)))
                .expect(send(0, update(1, copies(0, 1))))
                .expectPerformed()
                .message(0, ack(1, copies(0, 1)))
                .expect(new Effect.DropDiff(PAGE, 1))
                .expectPerformed(ELAPSED);
    }

    @Test
    void requestForADiffThatWasNotOffered_isImpossible() {
        Subject<Msg> subject = sent();

        subject.expectViolation(
                "Clean",
                () -> subject.message(2, new UpdateRequest(1, List.of(PAGE))),
                "UpdateRequest");
        subject.expectViolation(
                "Clean",
                () -> subject.message(0, new UpdateRequest(2, List.of(PAGE))),
                "UpdateRequest");
    }

    @Test
    void offerOfAPageThatIsHereOrComes_isTaken() {
        List<Subject<Msg>> holders = List.of(clean(), dirty(), withdrawn(), fetching());
        for (Subject<Msg> holder : holders) {
            holder.message(2, LIST)
                    .expect(
                            count(Counter.UPDATES_REQUESTED),
                            send(2, new UpdateRequest(9, List.of(PAGE))));
        }
    }

    @Test
    void offerOfAPageThatIsNotHere_isRefused() {
        on(UpdateRules.PLAIN, 1).message(2, LIST).expect(send(2, ack(9, OF_2)));
    }

    @Test
    void offerOfAnUnusedCopyAfterTheWindow_isRefusedAndTheCopyGivenUp() {
        withdrawn()
                .passNanos(WINDOW_NANOS)
                .message(2, LIST)
                .expect(count(Counter.UPDATE_TIMEOUTS), discard(), send(2, REFUSAL));
    }

    @Test
    void offerOfTwoPages_isAnsweredForEach() {
        PageId other = new PageId(0, 4);
        Subject<Msg> subject = clean();
        List<Offer> offers = List.of(offer(other), offer(PAGE));

        subject.message(2, new UpdateList(9, offers))
                .expect(
                        send(2, new UpdateAck(9, List.of(new PageCopies(other, OF_2)))),
                        count(Counter.UPDATES_REQUESTED),
                        send(2, new UpdateRequest(9, List.of(PAGE))));
    }

    /** The copy went, in answer to another node's update, between the list and the diff. */
    @Test
    void diffThatWasAskedFor_isRefusedWhenTheCopyIsGone() {
        Update of3 = of3(applied(2, 9));

        withdrawn()
                .passNanos(WINDOW_NANOS - 1)
                .message(2, LIST)
                .passNanos(1)
                .message(3, of3)
                .quietly()
                .message(2, UPDATE)
                .expect(send(2, ack(9, copies(0, 1, 2, 3).end(node(1)))));
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

    // subjects

    private static Subject<Msg> on(UpdateRules rules, int self) {
        return new Subject<>(
                self,
                Protocol.WRITE_SHARED,
                context -> {
                    context.updates(rules);
                    return new WriteShared(context);
                });
    }

    private static Subject<Msg> fetching() {
        return fetching(new UpdateRules(WINDOW_NANOS, PACKET_BYTES));
    }

    private static Subject<Msg> fetching(UpdateRules rules) {
        return on(rules, 1).readFault().quietly();
    }

    private static Subject<Msg> clean() {
        return clean(new UpdateRules(WINDOW_NANOS, PACKET_BYTES));
    }

    private static Subject<Msg> clean(UpdateRules rules) {
        return fetching(rules)
                .message(0, new FetchReply(PAGE, false, copies(0), AppliedDiffs.EMPTY, IMAGE))
                .quietly();
    }

    private static Subject<Msg> dirty() {
        return clean().writeFault().quietly();
    }

    /** With a window that begins now, and copies known of nodes 0, 1 and 2. */
    private static Subject<Msg> withdrawn() {
        return clean().passNanos(FakeContext.HOLD_NANOS).message(2, UPDATE).quietly();
    }

    /** Told to node 2. */
    private static Subject<Msg> givenUp() {
        return withdrawn().passNanos(WINDOW_NANOS).message(2, UPDATE).quietly();
    }

    /** Clean, with an update of interval 1 on its way to the root, and a release waiting. */
    private static Subject<Msg> sent() {
        return dirty().release(ELAPSED).saved(1, 5).quietly();
    }

    /** The same, with the copy given up to node 2, which has not been told of the update. */
    private static Subject<Msg> givenUpWhileSent() {
        return sent().message(2, UPDATE)
                .quietly()
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE)
                .expect(count(Counter.UPDATE_TIMEOUTS), discard(), send(2, REFUSAL));
    }

    private static Subject<Msg> exclusive() {
        return fetching()
                .message(
                        0,
                        new FetchReply(PAGE, true, DatedCopyset.EMPTY, AppliedDiffs.EMPTY, IMAGE))
                .quietly();
    }

    /** The same, on its way to node 2, too. */
    private static Subject<Msg> sentToTwo() {
        Subject<Msg> subject = dirty();
        subject.protocol.onMessage(
                node(2), new FetchRequest(PAGE, node(2), 0), new RecordingEffects());
        return subject.release(ELAPSED).saved(1, 5).quietly();
    }

    private static UpdateAck ack(long interval, DatedCopyset copies) {
        return new UpdateAck(interval, List.of(new PageCopies(PAGE, copies)));
    }

    private static Update update(long interval, DatedCopyset copies) {
        return new Update(
                interval,
                List.of(
                        new PageDiff(
                                new Offer(PAGE, copies, applied(1, 1)),
                                new Payload.SavedDiff(PAGE, interval))));
    }

    /** An update of node 3, which has these diffs of others in its copy. */
    private static Update of3(AppliedDiffs others) {
        return of3(others, copies(3));
    }

    private static Update of3(AppliedDiffs others, DatedCopyset copies) {
        return update(4, copies, others.with(node(3), 4));
    }

    /** An update of another node. */
    private static Update update(long interval, DatedCopyset copies, AppliedDiffs applied) {
        return new Update(interval, List.of(new PageDiff(new Offer(PAGE, copies, applied), IMAGE)));
    }

    /** The update of interval 1 of this node, which has applied one of node 2. */
    private static Update updateOf1(DatedCopyset copies) {
        Offer offer = new Offer(PAGE, copies, applied(2, 9).with(node(1), 1));
        return new Update(1, List.of(new PageDiff(offer, new Payload.SavedDiff(PAGE, 1))));
    }

    private static Offer offer(PageId page) {
        return new Offer(page, OF_2, applied(2, 9));
    }

    private static AppliedDiffs applied(int node, long interval) {
        return AppliedDiffs.EMPTY.with(node(node), interval);
    }

    private static DatedCopyset copies(int... nodes) {
        DatedCopyset copies = DatedCopyset.EMPTY;
        for (int node : nodes) {
            copies = copies.with(node(node), 0);
        }
        return copies;
    }
}
