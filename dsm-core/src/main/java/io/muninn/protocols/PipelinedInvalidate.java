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
import io.muninn.protocol.Leaving;
import io.muninn.protocol.ProtocolViolation;
import io.muninn.protocol.TimerId;
import io.muninn.protocols.Conventional.Invalidate;
import io.muninn.protocols.Conventional.InvalidateAck;
import io.muninn.protocols.Conventional.Msg;
import io.muninn.protocols.Conventional.ReadReply;
import io.muninn.protocols.Conventional.ReadRequest;
import io.muninn.protocols.Conventional.WriteGrant;
import io.muninn.protocols.Conventional.WriteRequest;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * Pipelined write-invalidate: one writer and many readers. A store waits for page and ownership
 * only and goes on while the invalidations of the other copies are under way; what waits for their
 * acknowledgements is the next release. So a region is release consistent: a load may give what is
 * overwritten until an acquire that follows the writer's release, and never after it.
 *
 * <p>Source: Munin §7.1 and §2.1.2, where it is compared with the write-shared protocol. The paper
 * leaves open what becomes of a page that is asked for while it has invalidations under way. Here
 * the page, also a copy of it, leaves the writer's node only when all are acknowledged. It costs
 * what is left of a round trip, most of it within the hold time, and makes three things true: a
 * store is seen outside its node only when no node can miss it any more; a release waits for
 * acknowledgements to its own node alone, for nothing in its pages awaits another's; and there are
 * never more than two generations of a page. Owners, hold time and messages are those of {@link
 * Conventional}.
 *
 * <pre>
 *                read fault        write fault            ReadRequest        WriteRequest
 * Invalid        ask, →AwaitCopy   ask, →AwaitGrant       forward            forward, owner:=asker
 * Shared         resume            ask, →AwaitGrant       forward            forward, owner:=asker
 * Shared owner   resume            store, →Invalidating   send copy          grant, →Invalid
 * Exclusive      resume            resume                 copy, →Shared (1)  grant, →Invalid (1)
 * Invalidating   resume            resume                 defer (2)          defer (2)
 * AwaitCopy      join              join                   forward            forward, owner:=asker
 * AwaitGrant     join              join                   defer              defer
 *
 *                ReadReply             WriteGrant              Invalidate         InvalidateAck
 * Invalid        impossible            impossible              impossible         impossible
 * Shared         impossible            impossible              ack, →Invalid (1)  impossible
 * Shared owner   impossible            impossible              impossible         impossible
 * Exclusive      impossible            impossible              impossible         impossible
 * Invalidating   impossible            impossible              impossible         count (2)
 * AwaitCopy      install, →Shared (3)  impossible              ack, mark dead (3) impossible
 * AwaitGrant     impossible            store, →Invalidating(4) end copy, ack (5)  impossible
 *
 * (1) within the hold time, or behind others that wait: defer until HoldOver, which answers what
 *     was deferred and is ignored where nothing waits
 * (2) the last acknowledgement leads to Exclusive and performs the releases that waited for it;
 *     what was deferred is answered then, or when the hold time is over
 * (3) an image older than the mark is not installed, and the fault asks again
 * (4) with no other copy: →Exclusive at once
 * (5) impossible if the copy is gone already
 * </pre>
 *
 * A release waits for the rounds of invalidations that its node began before it, see {@link
 * Invalidations}. A request of this node for a page that it waits for is impossible everywhere.
 */
public final class PipelinedInvalidate implements CoherenceProtocol<Msg> {
    /** A page as this node sees it; what has a meaning in one state only lives in that state. */
    sealed interface State {
        record Invalid() implements State {}

        record Shared(long heldUntilNanos, long generation, Deferrals<Msg> deferred)
                implements State {}

        record Exclusive(long heldUntilNanos, long generation, Deferrals<Msg> deferred)
                implements State {}

        /**
         * Threads store to the page, and some copies may be there still.
         *
         * @param missing nodes that have not acknowledged
         */
        record Invalidating(
                long heldUntilNanos,
                long generation,
                long round,
                Copyset missing,
                Deferrals<Msg> deferred)
                implements State {}

        /**
         * @param deadBelow an image of an older generation is dead on arrival
         */
        record AwaitCopy(long deadBelow) implements State {}

        /**
         * @param hasCopy the copy that was readable when the request left is still here
         */
        record AwaitGrant(boolean hasCopy, Deferrals<Msg> deferred) implements State {}
    }

    private static final State INVALID = new State.Invalid();

    private final Context context;
    private final NodeId self;
    private final Directory<State> directory;
    private final Invalidations invalidations = new Invalidations();

    PipelinedInvalidate(Context context) {
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
            case State.Exclusive _, State.Invalidating _ ->
                    out.resumeFault(page, PageAccess.READ_WRITE);
            case State.AwaitCopy _, State.AwaitGrant _ -> {} // joined
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
                if (mayAsk(entry, out)) {
                    Copyset others = entry.copyset().without(self);
                    store(entry, others, shared.generation() + 1, shared.deferred(), out);
                }
            }
            case State.Shared shared -> {
                if (mayAsk(entry, out)) {
                    List<Deferrals.Deferral<Msg>> waiting = shared.deferred().takeAll();
                    askOwnership(entry, true, shared.deferred(), out);
                    answer(waiting, out); // an invalidation that was held back ends the copy now
                }
            }
            case State.Exclusive _, State.Invalidating _ ->
                    out.resumeFault(page, PageAccess.READ_WRITE);
            case State.AwaitCopy _, State.AwaitGrant _ -> {} // joined
        }
    }

    @Override
    public void onRelease(Leaving leaving, Effects out) {
        if (invalidations.isIdle()) {
            out.releasePerformed(leaving);
        } else {
            invalidations.await(leaving);
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
                    State.Invalidating _,
                    State.AwaitCopy _,
                    State.AwaitGrant _ -> {} // armed for an earlier stay of the page
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        directory.forEach(entry -> {
            switch (entry.state()) {
                case State.AwaitCopy _, State.AwaitGrant _ -> out.poison(entry.page());
                case State.Invalid(), State.Shared _, State.Exclusive _, State.Invalidating _ -> {}
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
            case State.Invalidating invalidating -> invalidating.deferred().add(from, request);
            case State.AwaitGrant grant -> grant.deferred().add(from, request);
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
            case State.Invalidating invalidating -> invalidating.deferred().add(from, request);
            case State.AwaitGrant grant -> grant.deferred().add(from, request);
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
            out.installPage(entry.page(), grant.image(), PageAccess.READ_WRITE);
        }
        entry.probableOwner(self);
        store(entry, grant.copyset(), grant.generation(), deferred, out);
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
                    State.Invalidating _,
                    State.AwaitGrant _ ->
                    throw new ProtocolViolation(entry, invalidate);
        }
    }

    private void onInvalidateAck(
            DirectoryEntry<State> entry, NodeId from, InvalidateAck ack, Effects out) {
        if (!(entry.state() instanceof State.Invalidating invalidating)
                || !invalidating.missing().contains(from)
                || ack.generation() != invalidating.generation()) {
            throw new ProtocolViolation(entry, ack);
        }
        Copyset left = invalidating.missing().without(from);
        entry.copyset(left.with(self));
        if (left.isEmpty()) {
            endRound(entry, invalidating, out);
        } else {
            entry.become(
                    new State.Invalidating(
                            invalidating.heldUntilNanos(),
                            invalidating.generation(),
                            invalidating.round(),
                            left,
                            invalidating.deferred()));
        }
    }

    private void endRound(
            DirectoryEntry<State> entry, State.Invalidating invalidating, Effects out) {
        long heldUntil = invalidating.heldUntilNanos();
        Deferrals<Msg> deferred = invalidating.deferred();
        entry.become(new State.Exclusive(heldUntil, invalidating.generation(), deferred));
        for (Leaving leaving : invalidations.end(invalidating.round())) {
            out.releasePerformed(leaving);
        }
        if (context.nowNanos() >= heldUntil) {
            answer(deferred.takeAll(), out);
        } else if (!deferred.isEmpty()) {
            out.armTimer(new TimerId.HoldOver(entry.page()), heldUntil - context.nowNanos());
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

    /** Lets this node's threads store at once, and tells the other holders. */
    private void store(
            DirectoryEntry<State> entry,
            Copyset victims,
            long generation,
            Deferrals<Msg> deferred,
            Effects out) {
        long heldUntil = context.nowNanos() + context.holdNanos();
        entry.copyset(victims.with(self));
        if (victims.isEmpty()) {
            entry.become(new State.Exclusive(heldUntil, generation, deferred));
        } else {
            entry.become(
                    new State.Invalidating(
                            heldUntil, generation, invalidations.begin(), victims, deferred));
        }
        out.resumeFault(entry.page(), PageAccess.READ_WRITE); // acknowledgements are not awaited
        for (NodeId victim : victims) {
            out.send(victim, new Invalidate(entry.page(), generation));
        }
        if (victims.isEmpty() && !deferred.isEmpty()) {
            out.armTimer(new TimerId.HoldOver(entry.page()), context.holdNanos());
        }
    }

    private void endOwnCopy(
            DirectoryEntry<State> entry, NodeId newOwner, Invalidate invalidate, Effects out) {
        out.count(Counter.INVALIDATIONS);
        out.discard(entry.page()); // before the ack: a release may pass when the last is heard
        out.send(newOwner, new InvalidateAck(entry.page(), invalidate.generation()));
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
