package io.muninn.coherence.writeshared;

import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.ELAPSED;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.LIST;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.OF_2;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.REFUSAL;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.UPDATE;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.WINDOW_NANOS;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.ack;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.applied;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.clean;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.copies;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.dirty;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.fetching;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.of3;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.offer;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.on;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.sent;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.update;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.withdrawn;

import io.muninn.coherence.Subject;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageCopies;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateAck;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateRequest;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The table of {@link WriteShared} with update lists. Node 1 is under test, node 0 is the root;
 * {@link UpdateTimeoutTest}, {@link WriteSharedTest} and {@link WriteSharedFlushTest} have the
 * rest.
 */
class UpdateListTest {
    @Test
    void diffsThatFitOnePacket_travelAtOnce() {
        dirty().release(ELAPSED)
                .quietly()
                .saved(1, 8) // 96 bytes
                .expect(
                        new Effect.DropTwin(PAGE),
                        count(NodeCounter.DIFFS_MADE),
                        send(0, update(1, copies(0, 1))));
    }

    @Test
    void diffsThatDoNotFit_areOfferedAndSentOnRequest() {
        dirty().release(ELAPSED)
                .quietly()
                .saved(1, 9)
                .expect(
                        new Effect.DropTwin(PAGE),
                        count(NodeCounter.DIFFS_MADE),
                        count(NodeCounter.UPDATE_LISTS_SENT),
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
                            count(NodeCounter.UPDATES_REQUESTED),
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
                .expect(count(NodeCounter.UPDATE_TIMEOUTS), discard(), send(2, REFUSAL));
    }

    @Test
    void offerOfTwoPages_isAnsweredForEach() {
        PageId other = new PageId(0, 4);
        Subject<Msg> subject = clean();
        List<Offer> offers = List.of(offer(other), offer(PAGE));

        subject.message(2, new UpdateList(9, offers))
                .expect(
                        send(2, new UpdateAck(9, List.of(new PageCopies(other, OF_2)))),
                        count(NodeCounter.UPDATES_REQUESTED),
                        send(2, new UpdateRequest(9, List.of(PAGE))));
    }

    /** The copy was given up, to another node's update, between the list and the diff. */
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
}
