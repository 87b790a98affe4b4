package io.muninn.protocols;

import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.Copyset;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocol.CoherenceProtocol;
import io.muninn.protocol.Context;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effects;
import io.muninn.protocol.ProtocolMessage;
import io.muninn.protocol.ProtocolViolation;
import io.muninn.protocol.TimerId;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * Conventional: one writer or many readers. A store waits until it owns the page and every other
 * copy is gone, so a region is sequentially consistent in protocol order.
 *
 * <p>Source: Li and Hudak, "Memory Coherence in Shared Virtual Memory Systems", TOCS 7(4), 1989,
 * the dynamic distributed manager, as Munin §2.2 uses it. Departures: the new owner sends the
 * invalidations; a grant to a node that holds a copy carries no bytes; a page just obtained is held
 * for the hold time; generations tell an image that an invalidation overtook from one that is newer
 * than it.
 *
 * <pre>
 *                read fault        write fault          ReadRequest        WriteRequest
 * Invalid        ask, →AwaitCopy   ask, →AwaitGrant     forward            forward, owner:=asker
 * Shared         resume            ask, →AwaitGrant     forward            forward, owner:=asker
 * Shared owner   resume            invalidate (1)       send copy          grant, →Invalid
 * Exclusive      resume            resume               copy, →Shared (2)  grant, →Invalid (2)
 * AwaitCopy      join              join                 forward            forward, owner:=asker
 * AwaitGrant     join              join                 defer              defer
 * AwaitAcks      join              join                 defer              defer
 *
 *                ReadReply             WriteGrant       Invalidate          InvalidateAck
 * Invalid        impossible            impossible       impossible          impossible
 * Shared         impossible            impossible       ack, →Invalid (2)   impossible
 * Shared owner   impossible            impossible       impossible          impossible
 * Exclusive      impossible            impossible       impossible          impossible
 * AwaitCopy      install, →Shared (3)  impossible       ack, mark dead (3)  impossible
 * AwaitGrant     impossible            →AwaitAcks (1)   end copy, ack (4)   impossible
 * AwaitAcks      impossible            impossible       impossible          count, →Exclusive
 *
 * (1) with no other copy: →Exclusive at once
 * (2) within the hold time, or behind others that wait: defer until HoldOver, which answers what
 *     was deferred and is ignored where nothing waits
 * (3) an image older than the mark is not installed, and the fault asks again
 * (4) impossible if the copy is gone already
 * </pre>
 *
 * A request of this node for a page that it waits for is impossible everywhere.
 */
public final class Conventional implements CoherenceProtocol<Conventional.Msg> {
    /** A page as this node sees it; what has a meaning in one state only lives in that state. */
    sealed interface State {
        record Invalid() implements State {}

        record Shared(long heldUntilNanos, long generation, Deferrals<Msg> deferred)
                implements State {}

        record Exclusive(long heldUntilNanos, long generation, Deferrals<Msg> deferred)
                implements State {}

        /**
         * @param deadBelow an image of an older generation is dead on arrival
         */
        record AwaitCopy(long deadBelow) implements State {}

        /**
         * @param hasCopy the copy that was readable when the request left is still here
         */
        record AwaitGrant(boolean hasCopy, Deferrals<Msg> deferred) implements State {}

        record AwaitAcks(Copyset missing, long generation, Deferrals<Msg> deferred)
                implements State {}
    }

    /** The messages of this protocol. */
    public sealed interface Msg extends ProtocolMessage {
        PageId page();

        @Override
        default List<PageId> pages() {
            return List.of(page());
        }
    }

    /** Asks for a copy; forwarded along probable owners to the owner. Layout: page, asker u8. */
    public record ReadRequest(PageId page, NodeId asker) implements Msg {
        static final Codec<ReadRequest> CODEC =
                new Codec<>(
                        0x10,
                        "read-request",
                        ReadRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                        },
                        in -> new ReadRequest(in.page(), in.node()));

        @Override
        public Codec<ReadRequest> codec() {
            return CODEC;
        }
    }

    /** Asks for ownership; forwarded likewise, and shortens the path. Layout: page, asker u8. */
    public record WriteRequest(PageId page, NodeId asker) implements Msg {
        static final Codec<WriteRequest> CODEC =
                new Codec<>(
                        0x11,
                        "write-request",
                        WriteRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                        },
                        in -> new WriteRequest(in.page(), in.node()));

        @Override
        public Codec<WriteRequest> codec() {
            return CODEC;
        }
    }

    /** Gives a copy, from the owner. Layout: page, generation i64, image payload. */
    public record ReadReply(PageId page, long generation, Payload image) implements Msg {
        static final Codec<ReadReply> CODEC =
                new Codec<>(
                        0x12,
                        "read-reply",
                        ReadReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.generation());
                            out.payload(m.image());
                        },
                        in -> new ReadReply(in.page(), in.i64(), in.payload()));

        @Override
        public Codec<ReadReply> codec() {
            return CODEC;
        }
    }

    /**
     * Gives ownership, the copies to end, and the bytes unless the asker has them. Layout: page,
     * generation i64, copyset i64, image payload or none.
     *
     * @param generation counts the owners of the page
     * @param copyset nodes that may hold a copy, without old and new owner
     */
    public record WriteGrant(PageId page, long generation, Copyset copyset, Payload image)
            implements Msg {
        static final Codec<WriteGrant> CODEC =
                new Codec<>(
                        0x13,
                        "write-grant",
                        WriteGrant.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.generation());
                            out.i64(m.copyset().bits());
                            out.payload(m.image());
                        },
                        in ->
                                new WriteGrant(
                                        in.page(), in.i64(), new Copyset(in.i64()), in.payload()));

        @Override
        public Codec<WriteGrant> codec() {
            return CODEC;
        }
    }

    /** Ends a copy, from the new owner. Layout: page, generation i64. */
    public record Invalidate(PageId page, long generation) implements Msg {
        static final Codec<Invalidate> CODEC =
                new Codec<>(
                        0x14,
                        "invalidate",
                        Invalidate.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.generation());
                        },
                        in -> new Invalidate(in.page(), in.i64()));

        @Override
        public Codec<Invalidate> codec() {
            return CODEC;
        }
    }

    /** The copy is gone. Layout: page, generation i64. */
    public record InvalidateAck(PageId page, long generation) implements Msg {
        static final Codec<InvalidateAck> CODEC =
                new Codec<>(
                        0x15,
                        "invalidate-ack",
                        InvalidateAck.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.generation());
                        },
                        in -> new InvalidateAck(in.page(), in.i64()));

        @Override
        public Codec<InvalidateAck> codec() {
            return CODEC;
        }
    }

    static final List<Codec<?>> CODECS =
            List.of(
                    ReadRequest.CODEC,
                    WriteRequest.CODEC,
                    ReadReply.CODEC,
                    WriteGrant.CODEC,
                    Invalidate.CODEC,
                    InvalidateAck.CODEC);

    private static final State INVALID = new State.Invalid();

    private final Context context;
    private final NodeId self;
    private final Directory<State> directory;

    Conventional(Context context) {
        this.context = context;
        this.self = context.self();
        this.directory =
                new Directory<>(
                        self,
                        () ->
                                self.isRoot()
                                        ? new State.Exclusive(0, 0, new Deferrals<>())
                                        : INVALID);
    }

    @Override
    public String describe(PageId page) {
        return directory.peek(page).toString();
    }

    @Override
    public PageSnapshot snapshot(PageId page) {
        DirectoryEntry<State> entry = directory.peek(page);
        boolean owner = entry.state() instanceof State.Shared && entry.isOwnedBy(self);
        return entry.snapshot(owner ? "Shared owner" : entry.state().getClass().getSimpleName());
    }

    @Override
    public void onRegionAdded(RegionSpec region) {
        directory.add(region);
    }

    @Override
    public void onReadFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        switch (entry.state()) {
            case State.Invalid() -> {
                if (mayAsk(entry, out)) {
                    entry.become(new State.AwaitCopy(0));
                    out.send(entry.probableOwner(), new ReadRequest(page, self));
                }
            }
            case State.Shared _ -> out.resumeFault(page, PageAccess.READ);
            case State.Exclusive _ -> out.resumeFault(page, PageAccess.READ_WRITE);
            case State.AwaitCopy _, State.AwaitGrant _, State.AwaitAcks _ -> {} // joined
        }
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        switch (entry.state()) {
            case State.Invalid() -> {
                if (mayAsk(entry, out)) {
                    askOwnership(entry, false, new Deferrals<>(), out);
                }
            }
            case State.Shared shared when entry.isOwnedBy(self) -> {
                if (entry.copyset().without(self).isEmpty() || mayAsk(entry, out)) {
                    endCopies(
                            entry,
                            entry.copyset().without(self),
                            shared.generation() + 1,
                            shared.deferred(),
                            out);
                }
            }
            case State.Shared shared -> {
                if (mayAsk(entry, out)) {
                    List<Deferrals.Deferral<Msg>> waiting = shared.deferred().takeAll();
                    askOwnership(entry, true, shared.deferred(), out);
                    answer(waiting, out); // an invalidation that was held back ends the copy now
                }
            }
            case State.Exclusive _ -> out.resumeFault(page, PageAccess.READ_WRITE);
            case State.AwaitCopy _, State.AwaitGrant _, State.AwaitAcks _ -> {} // joined
        }
    }

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        DirectoryEntry<State> entry = directory.entry(message.page());
        switch (message) {
            case ReadRequest request -> onReadRequest(entry, from, request, out);
            case WriteRequest request -> onWriteRequest(entry, from, request, out);
            case ReadReply reply -> onReadReply(entry, from, reply, out);
            case WriteGrant grant -> onWriteGrant(entry, grant, out);
            case Invalidate invalidate -> onInvalidate(entry, from, invalidate, out);
            case InvalidateAck ack -> onInvalidateAck(entry, from, ack, out);
        }
    }

    @Override
    public void onTimer(TimerId timer, Effects out) {
        if (!(timer instanceof TimerId.HoldOver(PageId page))) {
            return;
        }
        DirectoryEntry<State> entry = directory.entry(page);
        switch (entry.state()) {
            case State.Shared(_, long generation, var deferred) when !deferred.isEmpty() -> {
                entry.become(new State.Shared(0, generation, deferred));
                answer(deferred.takeAll(), out);
            }
            case State.Exclusive(_, long generation, var deferred) when !deferred.isEmpty() -> {
                entry.become(new State.Exclusive(0, generation, deferred));
                answer(deferred.takeAll(), out);
            }
            case State.Invalid(),
                    State.Shared _,
                    State.Exclusive _,
                    State.AwaitCopy _,
                    State.AwaitGrant _,
                    State.AwaitAcks _ -> {} // armed for an earlier stay of the page
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        directory.forEach(entry -> {
            switch (entry.state()) {
                case State.AwaitCopy _, State.AwaitGrant _, State.AwaitAcks _ ->
                        out.poison(entry.page());
                case State.Invalid(), State.Shared _, State.Exclusive _ -> {}
            }
        });
    }

    private void onReadRequest(
            DirectoryEntry<State> entry, NodeId from, ReadRequest request, Effects out) {
        ProtocolViolation.check(!request.asker().equals(self), entry, request);
        switch (entry.state()) {
            case State.Shared shared when entry.isOwnedBy(self) ->
                    sendCopy(entry, shared.generation(), request.asker(), out);
            case State.Invalid(), State.Shared _, State.AwaitCopy _ -> forward(entry, request, out);
            case State.Exclusive(long heldUntil, long generation, Deferrals<Msg> deferred) -> {
                if (mustWait(heldUntil, deferred)) {
                    deferUntil(heldUntil, entry, deferred, from, request, out);
                } else {
                    entry.become(new State.Shared(0, generation, deferred));
                    out.setAccess(entry.page(), PageAccess.READ); // freeze, then read the image
                    sendCopy(entry, generation, request.asker(), out);
                }
            }
            case State.AwaitGrant grant -> grant.deferred().add(from, request);
            case State.AwaitAcks acks -> acks.deferred().add(from, request);
        }
    }

    private void onWriteRequest(
            DirectoryEntry<State> entry, NodeId from, WriteRequest request, Effects out) {
        ProtocolViolation.check(!request.asker().equals(self), entry, request);
        switch (entry.state()) {
            case State.Shared shared when entry.isOwnedBy(self) ->
                    grant(entry, shared.generation(), request.asker(), out);
            case State.Invalid(), State.Shared _, State.AwaitCopy _ -> {
                forward(entry, request, out);
                entry.probableOwner(request.asker());
            }
            case State.Exclusive(long heldUntil, long generation, Deferrals<Msg> deferred) -> {
                if (mustWait(heldUntil, deferred)) {
                    deferUntil(heldUntil, entry, deferred, from, request, out);
                } else {
                    grant(entry, generation, request.asker(), out);
                }
            }
            case State.AwaitGrant grant -> grant.deferred().add(from, request);
            case State.AwaitAcks acks -> acks.deferred().add(from, request);
        }
    }

    private void onReadReply(
            DirectoryEntry<State> entry, NodeId from, ReadReply reply, Effects out) {
        if (!(entry.state() instanceof State.AwaitCopy(long deadBelow))) {
            throw new ProtocolViolation(entry, reply);
        }
        if (reply.generation() < deadBelow) {
            out.count(Counter.DEAD_IMAGES);
            out.send(entry.probableOwner(), new ReadRequest(entry.page(), self));
            return;
        }
        entry.probableOwner(from);
        entry.become(
                new State.Shared(
                        context.nowNanos() + context.holdNanos(),
                        reply.generation(),
                        new Deferrals<>()));
        out.count(Counter.PAGES_FETCHED);
        out.installPage(entry.page(), reply.image(), PageAccess.READ);
        out.resumeFault(entry.page(), PageAccess.READ);
    }

    private void onWriteGrant(DirectoryEntry<State> entry, WriteGrant grant, Effects out) {
        if (!(entry.state() instanceof State.AwaitGrant(boolean hasCopy, var deferred))) {
            throw new ProtocolViolation(entry, grant);
        }
        boolean carriesImage = !(grant.image() instanceof Payload.None);
        ProtocolViolation.check(hasCopy || carriesImage, entry, grant);
        if (carriesImage) {
            out.count(Counter.PAGES_FETCHED);
            out.installPage(entry.page(), grant.image(), PageAccess.NONE); // until the last ack
        }
        entry.probableOwner(self);
        endCopies(entry, grant.copyset(), grant.generation(), deferred, out);
    }

    private void onInvalidate(
            DirectoryEntry<State> entry, NodeId from, Invalidate invalidate, Effects out) {
        switch (entry.state()) {
            case State.Shared(long heldUntil, _, Deferrals<Msg> deferred)
                    when !entry.isOwnedBy(self) -> {
                if (mustWait(heldUntil, deferred)) {
                    deferUntil(heldUntil, entry, deferred, from, invalidate, out);
                } else {
                    entry.become(INVALID);
                    entry.probableOwner(from);
                    endOwnCopy(entry, from, invalidate, out);
                }
            }
            case State.AwaitCopy(long deadBelow) -> {
                entry.become(new State.AwaitCopy(Math.max(deadBelow, invalidate.generation())));
                entry.probableOwner(from);
                out.send(from, new InvalidateAck(entry.page(), invalidate.generation()));
            }
            case State.AwaitGrant(boolean hasCopy, Deferrals<Msg> deferred) when hasCopy -> {
                entry.become(new State.AwaitGrant(false, deferred));
                endOwnCopy(entry, from, invalidate, out);
            }
            case State.Invalid(),
                    State.Shared _,
                    State.Exclusive _,
                    State.AwaitGrant _,
                    State.AwaitAcks _ ->
                    throw new ProtocolViolation(entry, invalidate);
        }
    }

    private void onInvalidateAck(
            DirectoryEntry<State> entry, NodeId from, InvalidateAck ack, Effects out) {
        if (!(entry.state()
                        instanceof
                        State.AwaitAcks(Copyset missing, long generation, Deferrals<Msg> deferred))
                || !missing.contains(from)
                || ack.generation() != generation) {
            throw new ProtocolViolation(entry, ack);
        }
        Copyset left = missing.without(from);
        if (left.isEmpty()) {
            enterExclusive(entry, generation, deferred, out);
        } else {
            entry.become(new State.AwaitAcks(left, generation, deferred));
        }
    }

    private void askOwnership(
            DirectoryEntry<State> entry, boolean hasCopy, Deferrals<Msg> deferred, Effects out) {
        entry.become(new State.AwaitGrant(hasCopy, deferred));
        out.send(entry.probableOwner(), new WriteRequest(entry.page(), self));
    }

    /** False once the run is over: the page cannot be had, and whoever touches it is told. */
    private boolean mayAsk(DirectoryEntry<State> entry, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return false;
        }
        return true;
    }

    private void endCopies(
            DirectoryEntry<State> entry,
            Copyset victims,
            long generation,
            Deferrals<Msg> deferred,
            Effects out) {
        if (victims.isEmpty()) {
            enterExclusive(entry, generation, deferred, out);
            return;
        }
        entry.become(new State.AwaitAcks(victims, generation, deferred));
        for (NodeId victim : victims) {
            out.send(victim, new Invalidate(entry.page(), generation));
        }
    }

    private void endOwnCopy(
            DirectoryEntry<State> entry, NodeId newOwner, Invalidate invalidate, Effects out) {
        out.count(Counter.INVALIDATIONS);
        out.discard(entry.page()); // before the ack: the new owner stores when it hears the last
        out.send(newOwner, new InvalidateAck(entry.page(), invalidate.generation()));
    }

    private void enterExclusive(
            DirectoryEntry<State> entry, long generation, Deferrals<Msg> deferred, Effects out) {
        entry.copyset(Copyset.of(self));
        entry.become(
                new State.Exclusive(
                        context.nowNanos() + context.holdNanos(), generation, deferred));
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        if (!deferred.isEmpty()) {
            out.armTimer(new TimerId.HoldOver(entry.page()), context.holdNanos());
        }
    }

    private void sendCopy(DirectoryEntry<State> entry, long generation, NodeId asker, Effects out) {
        entry.copyset(entry.copyset().with(asker));
        out.count(Counter.PAGES_SENT);
        out.send(
                asker,
                new ReadReply(entry.page(), generation, new Payload.PageImage(entry.page())));
    }

    /** Freeze, send, forget, in this order: the image is what the last local store left. */
    private void grant(DirectoryEntry<State> entry, long generation, NodeId asker, Effects out) {
        boolean askerHasCopy = entry.copyset().contains(asker);
        Copyset victims = entry.copyset().without(self).without(asker);
        Payload image = askerHasCopy ? Payload.NONE : new Payload.PageImage(entry.page());
        out.setAccess(entry.page(), PageAccess.READ);
        if (!askerHasCopy) {
            out.count(Counter.PAGES_SENT);
        }
        out.send(asker, new WriteGrant(entry.page(), generation + 1, victims, image));
        out.discard(entry.page());
        entry.probableOwner(asker);
        entry.copyset(Copyset.EMPTY);
        entry.become(INVALID);
    }

    private void forward(DirectoryEntry<State> entry, Msg request, Effects out) {
        out.count(Counter.FORWARDS);
        out.send(entry.probableOwner(), request);
    }

    /** The timer may be late: whoever comes after its time waits behind those that it answers. */
    private boolean mustWait(long heldUntilNanos, Deferrals<Msg> deferred) {
        return context.nowNanos() < heldUntilNanos || !deferred.isEmpty();
    }

    private void deferUntil(
            long heldUntilNanos,
            DirectoryEntry<State> entry,
            Deferrals<Msg> deferred,
            NodeId from,
            Msg message,
            Effects out) {
        if (deferred.isEmpty()) {
            out.armTimer(new TimerId.HoldOver(entry.page()), heldUntilNanos - context.nowNanos());
        }
        deferred.add(from, message);
    }

    private void answer(List<Deferrals.Deferral<Msg>> waiting, Effects out) {
        for (Deferrals.Deferral<Msg> each : waiting) {
            onMessage(each.from(), each.message(), out);
        }
    }
}
