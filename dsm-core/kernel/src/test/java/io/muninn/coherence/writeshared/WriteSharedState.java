package io.muninn.coherence.writeshared;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.node;

import io.muninn.api.Protocol;
import io.muninn.coherence.Subject;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageCopies;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateAck;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.GatedRelease;
import java.util.List;

/**
 * The states of the table of {@link WriteShared}, and the transitions of a page into each: on node
 * 1, or on the root for states that only the root has.
 */
enum WriteSharedState {
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
    HOT("Hot") {
        @Override
        Subject<Msg> subject() {
            return heated(CLEAN.subject());
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

    static final FetchReply REPLY =
            new FetchReply(PAGE, false, copyset(0), AppliedDiffs.EMPTY, IMAGE);
    static final FetchReply HAND_OVER =
            new FetchReply(PAGE, true, DatedCopyset.EMPTY, AppliedDiffs.EMPTY, IMAGE);

    final String text;

    WriteSharedState(String text) {
        this.text = text;
    }

    abstract Subject<Msg> subject();

    /** From clean, by three intervals, which the root has acknowledged. */
    static Subject<Msg> heated(Subject<Msg> clean) {
        for (int interval = 1; interval < AdaptiveTwinRules.DEFAULT.hotAfter(); interval++) {
            clean.writeFault()
                    .release(new GatedRelease.Elapsed())
                    .saved(interval, 5)
                    .message(0, acknowledgement(interval, copyset(0)));
        }
        int last = AdaptiveTwinRules.DEFAULT.hotAfter();
        return clean.writeFault()
                .release(new GatedRelease.Elapsed())
                .savedAndKept(last, 5)
                .message(0, acknowledgement(last, copyset(0)))
                .quietly();
    }

    private static Subject<Msg> on(int self) {
        return new Subject<>(self, Protocol.WRITE_SHARED, WriteShared::new);
    }

    static UpdateAck acknowledgement(long interval, DatedCopyset copies) {
        return new UpdateAck(interval, List.of(new PageCopies(PAGE, copies)));
    }

    static Offer offer(PageId page, DatedCopyset copies) {
        return new Offer(page, copies, AppliedDiffs.EMPTY);
    }

    static DatedCopyset copyset(int... nodes) {
        DatedCopyset copyset = DatedCopyset.EMPTY;
        for (int node : nodes) {
            copyset = copyset.with(node(node), 0);
        }
        return copyset;
    }
}
