package io.muninn.coherence.singlewriter;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.node;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.coherence.singlewriter.SingleWriterMessages.CopyReply;
import io.muninn.coherence.singlewriter.SingleWriterMessages.CopyRequest;
import io.muninn.coherence.singlewriter.SingleWriterMessages.Msg;
import io.muninn.coherence.singlewriter.SingleWriterMessages.OwnershipGrant;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.spi.Bytes;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.VectorTimestamp;
import java.util.List;
import java.util.function.Supplier;

/** Every state of the table of {@link SingleWriter}, and how node 1, or the root, enters it. */
enum SingleWriterState {
    INVALID("Invalid", () -> of(1)),
    FETCHING("Fetching", () -> of(1).readFault()),
    CLEAN("Clean", () -> FETCHING.subject().message(0, copy(5))),
    WITHDRAWING("Withdrawing", () -> noticed(CLEAN.subject())),
    ASKING("Asking", () -> of(1).writeFault()),
    /** With the copy of {@link #CLEAN}. */
    UPGRADING("Asking", () -> CLEAN.subject().writeFault()),
    /** Within the hold time. */
    DIRTY("Dirty", () -> ASKING.subject().message(0, new OwnershipGrant(PAGE, 5, false, IMAGE))),
    /** After it. */
    OLD_DIRTY("Dirty", () -> DIRTY.subject().passNanos(FakeContext.HOLD_NANOS)),
    OWNED("Owned", () -> released(OLD_DIRTY.subject())),
    /** Within the hold time. */
    EXCLUSIVE(
            "Exclusive",
            () -> ASKING.subject().message(0, new OwnershipGrant(PAGE, 5, true, IMAGE))),
    /** After it. */
    OLD_EXCLUSIVE("Exclusive", () -> EXCLUSIVE.subject().passNanos(FakeContext.HOLD_NANOS)),
    /** On the root, whose threads have not used the page. */
    IDLE("Idle", () -> of(0).sealed()),
    /** As {@link #IDLE}, but node 3 has a copy. */
    COPIED_IDLE("Idle", () -> IDLE.subject().message(3, new CopyRequest(PAGE, node(3)))),
    INITIAL("Initial", () -> of(0).writeFault());

    /** The version of an owner that received version 5 and stored to it. */
    static final long VERSION = 6;

    static final GatedRelease LEAVING = new GatedRelease.Arrival(new BarrierId("sweep"), 1, 0);
    static final GatedAcquire TOKEN = new GatedAcquire.Token(new LockId("lock"));
    static final VectorTimestamp NOTHING =
            VectorTimestamp.zero(new FakeContext(0, Protocol.LAZY).nodes());

    /** Covers the first interval of node 2. */
    static final VectorTimestamp OF_2 = NOTHING.with(node(2), 1);

    final String row;
    private final Supplier<Subject<Msg>> made;

    SingleWriterState(String row, Supplier<Subject<Msg>> made) {
        this.row = row;
        this.made = made;
    }

    Subject<Msg> subject() {
        return made.get().quietly();
    }

    static Subject<Msg> of(int self) {
        return new Subject<>(self, Protocol.LAZY, SingleWriter::new);
    }

    private static Subject<Msg> released(Subject<Msg> subject) {
        return subject.leave(LEAVING);
    }

    /** The node acquires the store of node 2 to the page in its first interval. */
    static Subject<Msg> noticed(Subject<Msg> subject) {
        return noticed(subject, 2, TOKEN);
    }

    static Subject<Msg> noticed(Subject<Msg> subject, int writer, GatedAcquire gate) {
        VectorTimestamp until = subject.context.clock().have().with(node(writer), 1);
        return subject.acquire(gate, writer, noticeOf(writer), until);
    }

    static Bytes noticeOf(int writer) {
        FakeContext context = new FakeContext(writer, Protocol.LAZY);
        WriteNotices notices = new WriteNotices(context, WriteNotices.Order.TIMESTAMPS);
        context.clock().stored();
        notices.add(List.of(PAGE));
        context.clock().endInterval();
        return notices.forMessage(node(63));
    }

    /** A copy from an owner that knows of no interval. */
    static CopyReply copy(long version) {
        return new CopyReply(PAGE, version, NOTHING, IMAGE);
    }
}
