package io.muninn.coherence.invalidate;

import io.muninn.api.Mode;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.invalidate.Conventional.Invalidate;
import io.muninn.coherence.invalidate.Conventional.InvalidateAck;
import io.muninn.coherence.invalidate.Conventional.Msg;
import io.muninn.coherence.invalidate.Conventional.ReadReply;
import io.muninn.coherence.invalidate.Conventional.ReadRequest;
import io.muninn.coherence.invalidate.Conventional.WriteGrant;
import io.muninn.coherence.invalidate.Conventional.WriteRequest;
import io.muninn.coherence.shared.Deferrals;
import io.muninn.coherence.shared.Prefetches;
import io.muninn.coherence.shared.Requests;
import io.muninn.directory.Copyset;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * The common part of {@link Conventional} and {@link PipelinedInvalidate}. A page has one owner,
 * found along probable owners; a node that is about to store becomes the owner and invalidates
 * every other copy. The subclasses decide whether the store waits until the copies are gone, and
 * define the page's state in the meantime, {@link State.Ending}. Their Javadoc has the tables,
 * sources and departures.
 */
abstract class WriteInvalidate implements CoherenceProtocol<Msg> {
    /**
     * A page as this node sees it. Data with a meaning in one state only is a component of that
     * state.
     */
    sealed interface State {
        record Invalid() implements State {}

        record Shared(long heldUntilNanos, long generation, Deferrals<Msg> deferred)
                implements State {}

        record Exclusive(long heldUntilNanos, long generation, Deferrals<Msg> deferred)
                implements State {}

        /**
         * @param asked number of this node's request
         * @param deadBelow an image of an older generation is not installed
         */
        record AwaitCopy(long asked, long deadBelow) implements State {}

        /**
         * @param asked number of this node's request
         * @param hasCopy the copy that was readable when the request was sent is still here
         */
        record AwaitGrant(long asked, boolean hasCopy, Deferrals<Msg> deferred) implements State {}

        /** Owned; the copies of other nodes are being invalidated. */
        non-sealed interface Ending extends State {
            /** Nodes that have not acknowledged. */
            Copyset missing();

            long generation();

            Deferrals<Msg> deferred();

            /** The same state with one more acknowledgement. */
            Ending without(NodeId node);
        }
    }

    private static final State INVALID = new State.Invalid();

    final Context context;
    private final NodeId self;
    private final Directory<State> directory;
    private final Requests requests;
    private final Prefetches prefetches = new Prefetches();
    private final boolean storesEarly;

    /**
     * @param storesEarly threads store to a page while the copies of other nodes are being
     *     invalidated
     */
    WriteInvalidate(Context context, boolean storesEarly) {
        this.context = context;
        this.self = context.self();
        this.requests = new Requests(self);
        this.storesEarly = storesEarly;
        this.directory =
                new Directory<>(
                        self,
                        () ->
                                self.isRoot()
                                        ? new State.Exclusive(0, 0, new Deferrals<>(context))
                                        : INVALID);
    }

    /**
     * Sends the invalidations, and enters a state of the subclass.
     *
     * @param others the nodes that may have a copy, at least one
     */
    abstract void endCopies(
            DirectoryEntry<State> entry,
            Copyset others,
            long generation,
            Deferrals<Msg> deferred,
            Effects out);

    /** Called when the last acknowledgement has arrived. */
    abstract void onCopiesEnded(DirectoryEntry<State> entry, State.Ending ended, Effects out);

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

    /** Fetches copies only, also for stores: no owner loses its page because of a hint. */
    @Override
    public void onPrefetch(PageId first, int count, Mode mode, Effects out) {
        int unnecessary = 0;
        for (int i = 0; i < count; i++) {
            DirectoryEntry<State> entry = directory.entry(first.plus(i));
            if (entry.state() instanceof State.Invalid) {
                prefetches.requested(entry.page());
                askCopy(entry, 0, out);
            } else {
                unnecessary++;
            }
        }
        Prefetches.unnecessary(unnecessary, out);
    }

    /** True if the page was prefetched, and no thread has used it before. */
    private boolean noteUse(DirectoryEntry<State> entry, Effects out) {
        return prefetches.used(entry.page(), !(entry.state() instanceof State.AwaitCopy), out);
    }

    @Override
    public void onReadFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        boolean isFirstUse = noteUse(entry, out);
        switch (entry.state()) {
            case State.Invalid() -> {
                if (mayAsk(entry, out)) {
                    askCopy(entry, 0, out);
                }
            }
            case State.Shared shared -> {
                if (isFirstUse) {
                    entry.become(held(shared.generation(), shared.deferred()));
                }
                out.resumeFault(page, PageAccess.READ);
            }
            case State.Exclusive _ -> out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Ending _ when storesEarly -> out.resumeFault(page, PageAccess.READ_WRITE);
            case State.AwaitCopy _, State.AwaitGrant _, State.Ending _ -> {} // joined
        }
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        noteUse(entry, out);
        switch (entry.state()) {
            case State.Invalid() -> {
                if (mayAsk(entry, out)) {
                    askOwnership(entry, false, new Deferrals<>(context), out);
                }
            }
            case State.Shared shared when entry.isOwnedBy(self) -> {
                if (mayAsk(entry, out)) {
                    Copyset others = entry.copyset().without(self);
                    beginGeneration(entry, others, shared.generation() + 1, shared.deferred(), out);
                }
            }
            case State.Shared shared -> {
                if (mayAsk(entry, out)) {
                    List<Deferrals.Deferral<Msg>> waiting = shared.deferred().takeAll();
                    if (!waiting.isEmpty()) {
                        out.cancelTimer(new TimerId.HoldOver(page));
                    }
                    askOwnership(entry, true, shared.deferred(), out);
                    answer(waiting, out); // a deferred invalidation ends the copy now
                }
            }
            case State.Exclusive _ -> out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Ending _ when storesEarly -> out.resumeFault(page, PageAccess.READ_WRITE);
            case State.AwaitCopy _, State.AwaitGrant _, State.Ending _ -> {} // joined
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
            case State.Exclusive(_, long generation, var deferred) -> {
                entry.become(new State.Exclusive(0, generation, deferred));
                answer(deferred.takeAll(), out);
            }
            case State.Invalid(),
                    State.Shared _,
                    State.AwaitCopy _,
                    State.AwaitGrant _,
                    State.Ending _ -> {} // the page is gone, or no request is deferred
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        directory.forEach(entry -> {
            switch (entry.state()) {
                case State.Ending _ when storesEarly -> {} // no thread waits
                case State.AwaitCopy _, State.AwaitGrant _, State.Ending _ ->
                        out.poison(entry.page());
                case State.Invalid(), State.Shared _, State.Exclusive _ -> {}
            }
        });
    }

    private void onReadRequest(
            DirectoryEntry<State> entry, NodeId from, ReadRequest request, Effects out) {
        if (requests.isOutrun(entry.page(), request.asker(), request.number())) {
            return;
        }
        ProtocolViolation.check(!request.asker().equals(self), entry, request);
        switch (entry.state()) {
            case State.Shared shared when entry.isOwnedBy(self) ->
                    sendCopy(entry, shared.generation(), request, out);
            case State.Invalid(), State.Shared _, State.AwaitCopy _ -> forward(entry, request, out);
            case State.Exclusive(long heldUntil, long generation, Deferrals<Msg> deferred) -> {
                if (deferred.mustWait(heldUntil)) {
                    deferred.addUntil(heldUntil, entry.page(), from, request, out);
                } else {
                    entry.become(new State.Shared(0, generation, deferred));
                    out.setAccess(entry.page(), PageAccess.READ); // freeze, then read the image
                    sendCopy(entry, generation, request, out);
                }
            }
            case State.AwaitGrant grant -> grant.deferred().add(from, request);
            case State.Ending ending -> ending.deferred().add(from, request);
        }
    }

    private void onWriteRequest(
            DirectoryEntry<State> entry, NodeId from, WriteRequest request, Effects out) {
        if (requests.isOutrun(entry.page(), request.asker(), request.number())) {
            return;
        }
        ProtocolViolation.check(!request.asker().equals(self), entry, request);
        switch (entry.state()) {
            case State.Shared shared when entry.isOwnedBy(self) ->
                    grant(entry, shared.generation(), request.asker(), request.number(), out);
            case State.Invalid(), State.Shared _, State.AwaitCopy _ -> {
                forward(entry, request, out);
                entry.probableOwner(request.asker());
            }
            case State.Exclusive(long heldUntil, long generation, Deferrals<Msg> deferred) -> {
                if (deferred.mustWait(heldUntil)) {
                    deferred.addUntil(heldUntil, entry.page(), from, request, out);
                } else {
                    grant(entry, generation, request.asker(), request.number(), out);
                }
            }
            case State.AwaitGrant grant -> grant.deferred().add(from, request);
            case State.Ending ending -> ending.deferred().add(from, request);
        }
    }

    private void onReadReply(
            DirectoryEntry<State> entry, NodeId from, ReadReply reply, Effects out) {
        if (requests.isOutrun(entry.page(), self, reply.answered())) {
            out.count(NodeCounter.DEAD_IMAGES);
            return;
        }
        if (!(entry.state() instanceof State.AwaitCopy(long asked, long deadBelow))
                || reply.answered() != asked) {
            throw new ProtocolViolation(entry, reply);
        }
        if (reply.generation() < deadBelow) {
            out.count(NodeCounter.DEAD_IMAGES);
            askCopy(entry, deadBelow, out);
            return;
        }
        entry.probableOwner(from);
        out.count(NodeCounter.PAGES_FETCHED);
        if (prefetches.isUnused(entry.page())) {
            entry.become(new State.Shared(0, reply.generation(), new Deferrals<>(context)));
            out.installPage(entry.page(), reply.image(), PageAccess.NONE);
        } else {
            entry.become(held(reply.generation(), new Deferrals<>(context)));
            out.installPage(entry.page(), reply.image(), PageAccess.READ);
            out.resumeFault(entry.page(), PageAccess.READ);
        }
    }

    /** A copy that threads have just obtained. */
    private State held(long generation, Deferrals<Msg> deferred) {
        return new State.Shared(context.nowNanos() + context.holdNanos(), generation, deferred);
    }

    private void onWriteGrant(DirectoryEntry<State> entry, WriteGrant grant, Effects out) {
        if (grant.answered() == Requests.UNASKED) {
            onPageUnasked(entry, grant, out);
            return;
        }
        if (!(entry.state() instanceof State.AwaitGrant(long asked, boolean hasCopy, var deferred))
                || grant.answered() != asked) {
            throw new ProtocolViolation(entry, grant);
        }
        boolean carriesImage = !(grant.image() instanceof Payload.None);
        ProtocolViolation.check(hasCopy || carriesImage, entry, grant);
        if (carriesImage) {
            out.count(NodeCounter.PAGES_FETCHED);
            PageAccess access = storesEarly ? PageAccess.READ_WRITE : PageAccess.NONE;
            out.installPage(entry.page(), grant.image(), access);
        }
        own(entry, grant, deferred, out);
    }

    private void own(
            DirectoryEntry<State> entry, WriteGrant grant, Deferrals<Msg> deferred, Effects out) {
        entry.probableOwner(self);
        requests.came(entry.page(), grant.outrun());
        beginGeneration(entry, grant.copyset(), grant.generation(), deferred, out);
    }

    /** Receives a page that travels with a lock; no other node has a copy. */
    private void onPageUnasked(DirectoryEntry<State> entry, WriteGrant grant, Effects out) {
        PageId page = entry.page();
        Deferrals<Msg> deferred =
                switch (entry.state()) {
                    case State.Invalid() -> {
                        out.cameUnasked(page);
                        yield new Deferrals<>(context);
                    }
                    case State.AwaitCopy(long asked, _) -> {
                        requests.outran(page, asked);
                        prefetches.gone(page, out);
                        yield new Deferrals<>(context);
                    }
                    case State.AwaitGrant(long asked, boolean hasCopy, var waiting)
                            when !hasCopy -> {
                        requests.outran(page, asked);
                        yield waiting;
                    }
                    case State.AwaitGrant _, State.Shared _, State.Exclusive _, State.Ending _ ->
                            throw new ProtocolViolation(entry, grant);
                };
        out.count(NodeCounter.PAGES_FETCHED);
        out.installPage(page, grant.image(), PageAccess.READ_WRITE);
        own(entry, grant, deferred, out);
    }

    /** Sends a page of which this node has the only copy together with the lock. */
    @Override
    public boolean onLockPassed(PageId page, NodeId to, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        if (entry.state() instanceof State.Exclusive(long heldUntil, long generation, var deferred)
                && !deferred.mustWait(heldUntil)) {
            grant(entry, generation, to, Requests.UNASKED, out);
            return true;
        }
        return false;
    }

    private void onInvalidate(
            DirectoryEntry<State> entry, NodeId from, Invalidate invalidate, Effects out) {
        switch (entry.state()) {
            case State.Shared(long heldUntil, _, Deferrals<Msg> deferred)
                    when !entry.isOwnedBy(self) -> {
                if (deferred.mustWait(heldUntil)) {
                    deferred.addUntil(heldUntil, entry.page(), from, invalidate, out);
                } else {
                    entry.become(INVALID);
                    entry.probableOwner(from);
                    endOwnCopy(entry, from, invalidate, out);
                }
            }
            case State.AwaitCopy(long asked, long deadBelow) -> {
                long dead = Math.max(deadBelow, invalidate.generation());
                entry.become(new State.AwaitCopy(asked, dead));
                entry.probableOwner(from);
                out.send(from, new InvalidateAck(entry.page(), invalidate.generation()));
            }
            case State.AwaitGrant(long asked, boolean hasCopy, var deferred) when hasCopy -> {
                entry.become(new State.AwaitGrant(asked, false, deferred));
                endOwnCopy(entry, from, invalidate, out);
            }
            case State.Invalid(),
                    State.Shared _,
                    State.Exclusive _,
                    State.AwaitGrant _,
                    State.Ending _ ->
                    throw new ProtocolViolation(entry, invalidate);
        }
    }

    private void onInvalidateAck(
            DirectoryEntry<State> entry, NodeId from, InvalidateAck ack, Effects out) {
        if (!(entry.state() instanceof State.Ending ending)
                || !ending.missing().contains(from)
                || ack.generation() != ending.generation()) {
            throw new ProtocolViolation(entry, ack);
        }
        State.Ending left = ending.without(from);
        entry.copyset(left.missing().with(self));
        entry.become(left);
        if (left.missing().isEmpty()) {
            onCopiesEnded(entry, left, out);
        }
    }

    private void askCopy(DirectoryEntry<State> entry, long deadBelow, Effects out) {
        long number = requests.next();
        entry.become(new State.AwaitCopy(number, deadBelow));
        out.send(entry.probableOwner(), new ReadRequest(entry.page(), self, number));
    }

    private void askOwnership(
            DirectoryEntry<State> entry, boolean hasCopy, Deferrals<Msg> deferred, Effects out) {
        long number = requests.next();
        entry.become(new State.AwaitGrant(number, hasCopy, deferred));
        out.send(entry.probableOwner(), new WriteRequest(entry.page(), self, number));
    }

    /**
     * False once the run is over: the page cannot be obtained, and threads that access it get an
     * error.
     */
    private boolean mayAsk(DirectoryEntry<State> entry, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return false;
        }
        return true;
    }

    /**
     * Begins a generation: this node stores to the page from now on, and other copies belong to the
     * generation before.
     */
    private void beginGeneration(
            DirectoryEntry<State> entry,
            Copyset others,
            long generation,
            Deferrals<Msg> deferred,
            Effects out) {
        entry.copyset(others.with(self));
        if (others.isEmpty()) {
            enterExclusive(entry, generation, deferred, out);
        } else {
            endCopies(entry, others, generation, deferred, out);
        }
    }

    final void enterExclusive(
            DirectoryEntry<State> entry, long generation, Deferrals<Msg> deferred, Effects out) {
        long heldUntil = context.nowNanos() + context.holdNanos();
        entry.become(new State.Exclusive(heldUntil, generation, deferred));
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        deferred.armTimer(heldUntil, entry.page(), out);
    }

    static void sendInvalidations(
            DirectoryEntry<State> entry, Copyset victims, long generation, Effects out) {
        for (NodeId victim : victims) {
            out.send(victim, new Invalidate(entry.page(), generation));
        }
    }

    private void endOwnCopy(
            DirectoryEntry<State> entry, NodeId newOwner, Invalidate invalidate, Effects out) {
        out.count(NodeCounter.INVALIDATIONS);
        prefetches.gone(entry.page(), out);
        out.discard(entry.page()); // before the ack: with the last, a store or a release may go on
        out.send(newOwner, new InvalidateAck(entry.page(), invalidate.generation()));
    }

    private void sendCopy(
            DirectoryEntry<State> entry, long generation, ReadRequest request, Effects out) {
        NodeId asker = request.asker();
        PageId page = entry.page();
        entry.copyset(entry.copyset().with(asker));
        out.count(NodeCounter.PAGES_SENT);
        Payload image = new Payload.PageImage(page);
        out.send(asker, new ReadReply(page, request.number(), generation, image));
    }

    /**
     * Freezes, sends and forgets the page, in this order: the image contains the last local store.
     */
    private void grant(
            DirectoryEntry<State> entry,
            long generation,
            NodeId asker,
            long answered,
            Effects out) {
        PageId page = entry.page();
        boolean askerHasCopy = entry.copyset().contains(asker);
        Copyset victims = entry.copyset().without(self).without(asker);
        Payload image = askerHasCopy ? Payload.NONE : new Payload.PageImage(page);
        out.setAccess(page, PageAccess.READ);
        if (!askerHasCopy) {
            out.count(NodeCounter.PAGES_SENT);
        }
        var outrun = requests.outrun(page);
        out.send(asker, new WriteGrant(page, answered, generation + 1, victims, outrun, image));
        out.discard(page);
        entry.probableOwner(asker);
        entry.copyset(Copyset.EMPTY);
        entry.become(INVALID);
    }

    private void forward(DirectoryEntry<State> entry, Msg request, Effects out) {
        out.count(NodeCounter.FORWARDS);
        out.send(entry.probableOwner(), request);
    }

    final void answer(List<Deferrals.Deferral<Msg>> waiting, Effects out) {
        for (Deferrals.Deferral<Msg> each : waiting) {
            onMessage(each.from(), each.message(), out);
        }
    }
}
