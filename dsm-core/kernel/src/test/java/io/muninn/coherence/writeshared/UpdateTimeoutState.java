package io.muninn.coherence.writeshared;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.send;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageCopies;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateAck;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * The states of a page of node 1 with an update timeout and update lists, the transitions into
 * them, and the messages of other nodes: for {@link UpdateTimeoutTest} and {@link UpdateListTest}.
 */
final class UpdateTimeoutState {
    static final long WINDOW_NANOS = 1_000;
    static final int PACKET_BYTES = 100;
    static final GatedRelease ELAPSED = new GatedRelease.Elapsed();
    static final Effect APPLY = new Effect.ApplyDiff(PAGE, IMAGE);

    /** The copyset of node 2; it also knows of the root. */
    static final DatedCopyset OF_2 = copies(0, 2);

    static final Update UPDATE = new Update(9, List.of(new PageDiff(offer(PAGE), IMAGE)));
    static final UpdateList LIST = new UpdateList(9, List.of(offer(PAGE)));

    static final UpdateAck ACK = ack(9, copies(0, 1, 2));
    static final UpdateAck REFUSAL = ack(9, copies(0, 1, 2).end(node(1)));

    private UpdateTimeoutState() {}

    static Subject<Msg> on(UpdateRules rules, int self) {
        return new Subject<>(
                self,
                Protocol.WRITE_SHARED,
                context -> {
                    context.updates(rules);
                    return new WriteShared(context);
                });
    }

    static Subject<Msg> fetching() {
        return fetching(new UpdateRules(WINDOW_NANOS, PACKET_BYTES));
    }

    static Subject<Msg> fetching(UpdateRules rules) {
        return on(rules, 1).readFault().quietly();
    }

    static Subject<Msg> clean() {
        return clean(new UpdateRules(WINDOW_NANOS, PACKET_BYTES));
    }

    static Subject<Msg> clean(UpdateRules rules) {
        return fetching(rules).message(0, replyFor(PAGE)).quietly();
    }

    static FetchReply replyFor(PageId page) {
        return new FetchReply(page, false, copies(0), AppliedDiffs.EMPTY, IMAGE);
    }

    static Subject<Msg> dirty() {
        return clean().writeFault().quietly();
    }

    /** With a window that begins now, and copies known of nodes 0, 1 and 2. */
    static Subject<Msg> withdrawn() {
        return clean().passNanos(FakeContext.HOLD_NANOS).message(2, UPDATE).quietly();
    }

    /** Given up to node 2. */
    static Subject<Msg> givenUp() {
        return withdrawn().passNanos(WINDOW_NANOS).message(2, UPDATE).quietly();
    }

    /** Clean, with an update of interval 1 in transit to the root, and a waiting release. */
    static Subject<Msg> sent() {
        return dirty().release(ELAPSED).saved(1, 5).quietly();
    }

    /** As {@link #sent}, with the copy given up to node 2, which has not received the update. */
    static Subject<Msg> givenUpWhileSent() {
        return sent().message(2, UPDATE)
                .quietly()
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE)
                .expect(count(NodeCounter.UPDATE_TIMEOUTS), discard(), send(2, REFUSAL));
    }

    static Subject<Msg> exclusive() {
        return fetching()
                .message(
                        0,
                        new FetchReply(PAGE, true, DatedCopyset.EMPTY, AppliedDiffs.EMPTY, IMAGE))
                .quietly();
    }

    /** As {@link #givenUpWhileSent}, with the update also in transit to node 2. */
    static Subject<Msg> sentToTwo() {
        Subject<Msg> subject = dirty();
        subject.protocol.onMessage(
                node(2), new FetchRequest(PAGE, node(2), 0), new RecordingEffects());
        return subject.release(ELAPSED).saved(1, 5).quietly();
    }

    static UpdateAck ack(long interval, DatedCopyset copies) {
        return new UpdateAck(interval, List.of(new PageCopies(PAGE, copies)));
    }

    static Update update(long interval, DatedCopyset copies) {
        return new Update(
                interval,
                List.of(
                        new PageDiff(
                                new Offer(PAGE, copies, applied(1, 1)),
                                new Payload.SavedDiff(PAGE, interval))));
    }

    /** An update of node 3, which has these diffs of others in its copy. */
    static Update of3(AppliedDiffs others) {
        return of3(others, copies(3));
    }

    static Update of3(AppliedDiffs others, DatedCopyset copies) {
        return update(4, copies, others.with(node(3), 4));
    }

    /** An update of another node. */
    static Update update(long interval, DatedCopyset copies, AppliedDiffs applied) {
        return new Update(interval, List.of(new PageDiff(new Offer(PAGE, copies, applied), IMAGE)));
    }

    /** The update of interval 1 of this node, which has applied one of node 2. */
    static Update updateOf1(DatedCopyset copies) {
        Offer offer = new Offer(PAGE, copies, applied(2, 9).with(node(1), 1));
        return new Update(1, List.of(new PageDiff(offer, new Payload.SavedDiff(PAGE, 1))));
    }

    static Offer offer(PageId page) {
        return new Offer(page, OF_2, applied(2, 9));
    }

    static AppliedDiffs applied(int node, long interval) {
        return AppliedDiffs.EMPTY.with(node(node), interval);
    }

    static DatedCopyset copies(int... nodes) {
        DatedCopyset copies = DatedCopyset.EMPTY;
        for (int node : nodes) {
            copies = copies.with(node(node), 0);
        }
        return copies;
    }
}
