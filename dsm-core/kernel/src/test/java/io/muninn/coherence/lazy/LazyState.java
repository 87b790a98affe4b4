package io.muninn.coherence.lazy;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.send;
import static io.muninn.model.MappingId.FIRST;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.lazy.LazyMessages.CopyReply;
import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.Image;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.ImageTerms;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.lazy.LazyMessages.WantedDiffs;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** States of the table of {@link Lazy}, and the transitions into them. Node 1 is under test. */
final class LazyState {
    private LazyState() {}

    static final LockId LOCK = new LockId("lock");
    static final GatedAcquire ACQUIRE = new GatedAcquire.Token(LOCK);
    static final GatedRelease RELEASE = new GatedRelease.Token(LOCK, node(2));
    static final Payload DIFF =
            new Payload.Received(MemorySegment.ofArray(new byte[] {7, 8}), false);
    static final Effect MAKE_TWIN = new Effect.MakeTwin(PAGE);
    static final Effect DROP_TWIN = new Effect.DropTwin(PAGE);
    static final Effect WITHDRAW = new Effect.Withdraw(FIRST, PAGE, 1);
    static final Effect ASK_IMAGE = send(0, imageRequest(1, 0));

    /** Another node, which stores to the page. */
    static final class Writer {
        final int number;
        private final FakeContext context;
        private final WriteNotices notices;

        Writer(int number) {
            this.number = number;
            this.context = new FakeContext(number, Protocol.LAZY);
            this.notices = new WriteNotices(context, WriteNotices.Order.TIMESTAMPS);
        }

        /** Stores to the page in one more interval. */
        Writer stores() {
            return storesTo(List.of(PAGE));
        }

        /** Stores to these pages in one more interval. */
        Writer storesTo(List<PageId> pages) {
            context.clock().stored();
            notices.add(pages);
            context.clock().endInterval();
            context.clock().onReleasePerformed(context.clock().interval());
            return this;
        }

        /** Acquires the releases of another node. */
        Writer acquires(Writer other) {
            notices.deposit(node(other.number), other.cargo(number));
            context.clock().onDeposited(other.released());
            context.clock().onAcquirePerformed(other.released());
            return this;
        }

        VectorTimestamp released() {
            return context.clock().seen();
        }

        Bytes cargo(int to) {
            return notices.forMessage(node(to));
        }
    }

    static Subject<Msg> acquire(Subject<Msg> subject, Writer from) {
        return subject.acquire(ACQUIRE, from.number, from.cargo(1), from.released());
    }

    static DiffName name(int writer, long interval) {
        return new DiffName(node(writer), interval);
    }

    static Effect ask(int writer, DiffName... diffs) {
        return ask(writer, AppliedDiffs.EMPTY, diffs);
    }

    /** Accepts an image with these diffs. */
    static Effect ask(int writer, AppliedDiffs base, DiffName... diffs) {
        return send(writer, diffRequest(List.of(diffs), new ImageTerms(true, 0, base)));
    }

    static ImageRequest imageRequest(int asker, long collection) {
        return new ImageRequest(node(asker), collection, List.of(PAGE));
    }

    static ImageReply imageReply(AppliedDiffs applied, Payload image) {
        return new ImageReply(List.of(new Image(PAGE, false, applied, image)));
    }

    static DiffRequest diffRequest(List<DiffName> diffs, ImageTerms terms) {
        return new DiffRequest(List.of(new WantedDiffs(PAGE, diffs, terms)));
    }

    static DiffReply diffReply(List<NamedDiff> diffs) {
        return new DiffReply(List.of(new GivenDiffs(PAGE, diffs)));
    }

    /** Accepts no image, or one with these diffs that these collections cover. */
    static Effect ask(int writer, ImageTerms terms, DiffName... diffs) {
        return send(writer, diffRequest(List.of(diffs), terms));
    }

    /** Accepts no image. */
    static Effect askDiffs(int writer, DiffName... diffs) {
        return send(writer, diffRequest(List.of(diffs), ImageTerms.NONE));
    }

    static CopyReply copy(AppliedDiffs applied) {
        return new CopyReply(PAGE, applied, IMAGE, List.of());
    }

    /** Diffs that an image contains: those of one interval of each of these nodes. */
    static AppliedDiffs first(int... writers) {
        AppliedDiffs applied = AppliedDiffs.EMPTY;
        for (int writer : writers) {
            applied = applied.with(node(writer), 1);
        }
        return applied;
    }

    static DiffReply reply(DiffName... names) {
        return diffReply(List.of(names).stream().map(name -> new NamedDiff(name, DIFF)).toList());
    }

    static Effect sendOwn(int to, long interval) {
        return send(
                to,
                diffReply(
                        List.of(
                                new NamedDiff(
                                        name(1, interval),
                                        new Payload.SavedDiff(PAGE, interval)))));
    }

    static DiffRequest own(Long... intervals) {
        return diffRequest(wanted(intervals), ImageTerms.NONE);
    }

    /** Diffs of node 1. */
    static List<DiffName> wanted(Long... intervals) {
        return List.of(intervals).stream().map(each -> name(1, each)).toList();
    }

    static Effect keep(long number) {
        return new Effect.KeepDiff(PAGE, number, DIFF);
    }

    static Effect apply(long number) {
        return new Effect.ApplyDiff(PAGE, new Payload.LastingDiff(PAGE, number));
    }

    static Effect save(long interval, boolean keepTwin) {
        return new Effect.SaveDiff(PAGE, interval, keepTwin);
    }

    static Effect sendImage(AppliedDiffs applied, Payload image) {
        return send(2, imageReply(applied, image));
    }

    static Subject<Msg> absent() {
        return new Subject<>(1, Protocol.LAZY, Lazy::new);
    }

    static Subject<Msg> clean() {
        return absent().readFault().message(0, imageReply(AppliedDiffs.EMPTY, IMAGE)).quietly();
    }

    static Subject<Msg> dirty() {
        return clean().writeFault().quietly();
    }

    static Subject<Msg> release(Subject<Msg> subject) {
        return subject.leave(RELEASE);
    }

    /** Closed in interval 1. */
    static Subject<Msg> closed() {
        return release(dirty()).quietly();
    }

    static Subject<Msg> withdrawing() {
        return acquire(clean(), new Writer(3).stores()).quietly();
    }

    /** Listed in interval 1. */
    static Subject<Msg> closing() {
        return acquire(dirty(), new Writer(3).stores()).quietly();
    }

    static Subject<Msg> stale() {
        return withdrawing().withdrawn().quietly();
    }

    static Subject<Msg> fetching() {
        return stale().readFault().quietly();
    }

    /** A node whose region was allocated on every node. */
    static Subject<Msg> allocated(int node) {
        FakeContext context = new FakeContext(node, Protocol.LAZY);
        Subject<Msg> subject = new Subject<>(context, Lazy::new);
        subject.protocol.onRegionAllocated(context.region());
        return subject;
    }

    static Subject<Msg> onRoot() {
        return new Subject<>(0, Protocol.LAZY, Lazy::new);
    }

    static Subject<Msg> collect(Subject<Msg> subject, long number, Writer from) {
        return subject.collect(number, from.number, from.cargo(1), from.released());
    }

    static Effect.Discard discarded() {
        return new Effect.Discard(PAGE);
    }
}
