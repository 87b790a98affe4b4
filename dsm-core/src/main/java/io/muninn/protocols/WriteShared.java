package io.muninn.protocols;

import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.Copyset;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocol.Bytes;
import io.muninn.protocol.CoherenceProtocol;
import io.muninn.protocol.Context;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effects;
import io.muninn.protocol.Event;
import io.muninn.protocol.Leaving;
import io.muninn.protocol.ProtocolViolation;
import io.muninn.protocols.WriteSharedMessages.FetchReply;
import io.muninn.protocols.WriteSharedMessages.FetchRequest;
import io.muninn.protocols.WriteSharedMessages.Knowledge;
import io.muninn.protocols.WriteSharedMessages.Msg;
import io.muninn.protocols.WriteSharedMessages.PageAck;
import io.muninn.protocols.WriteSharedMessages.PageDiff;
import io.muninn.protocols.WriteSharedMessages.Races;
import io.muninn.protocols.WriteSharedMessages.Update;
import io.muninn.protocols.WriteSharedMessages.UpdateAck;
import io.muninn.protocols.WriteSharedMessages.UpdateOrigin;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Write-shared: several nodes write one page at once, each its own elements. The first store of an
 * interval makes a twin; a release compares page and twin and sends the difference to every holder;
 * the release is performed when all have acknowledged.
 *
 * <p>Source: Munin §2.3, §3.4 (distributed copysets) and §6.2 (pages held by one node only).
 * Departures: diffs travel with the notice, never on request; a page that the root initialized and
 * has not used since moves to the first node that asks, so that sole holders exist from the start;
 * a flush of many pages is cut into steps of {@link Flushes#PAGES_MAX}.
 *
 * <pre>
 *            read fault       write fault          FetchRequest           FetchReply
 * Absent     ask, →Fetching   ask, →Fetching       forward                impossible
 * Fetching   join             join, want store     forward                install (1)
 * Clean      resume           twin, →Dirty (2)     send page, add asker   impossible
 * Dirty      resume           resume               send twin, add asker   impossible
 * Exclusive  resume           resume               send page, →Clean      impossible
 * Idle (3)   →Exclusive       →Exclusive           hand over, →Absent     impossible
 *
 *            Update           release (4)          Sealed
 * Absent     refuse (6)       –                    –
 * Fetching   keep (1)         –                    –
 * Clean      apply, ack       –                    –
 * Dirty      apply, ack       diff, →Clean (5)     –
 * Exclusive  impossible       –                    withdraw, →Idle
 * Idle       impossible       –                    –
 *
 * (1) kept updates are applied to the image and acknowledged then; →Clean, →Dirty if a store waits,
 *     →Exclusive if the page was handed over
 * (2) with no other holder left: →Exclusive
 * (3) on the root: owned, and not used since initialization; the content may be missing, as zeros
 * (4) of the delayed update queue: each dirty page is write-protected, then compared, then sent; a
 *     page whose earlier update is not acknowledged by all waits, and stays Dirty until then
 * (5) an empty diff sends nothing; with no other holder left: →Exclusive
 * (6) nothing leads there as long as no copy is ever dropped
 * </pre>
 *
 * An acknowledgement belongs to an update, not to a page's state: it carries the acknowledger's
 * copyset, and nodes that the flush has not told yet are told next, until there are none (copyset
 * closure). An acknowledgement of no update, and a request of this node for its own page, are
 * impossible.
 */
public final class WriteShared implements CoherenceProtocol<Msg> {
    /** A page as this node sees it. */
    sealed interface State {
        record Absent() implements State {}

        /**
         * @param store a store waits, not only loads
         * @param kept updates that arrived before the image
         */
        record Fetching(boolean store, List<KeptUpdate> kept) implements State {}

        record Clean() implements State {}

        record Dirty() implements State {}

        record Exclusive() implements State {}

        record Idle() implements State {}
    }

    /** An update that met an outstanding fetch; it is acknowledged when it is applied. */
    record KeptUpdate(NodeId from, long interval, long keep) {}

    static final List<Codec<?>> CODECS = WriteSharedMessages.CODECS;

    private static final State ABSENT = new State.Absent();
    private static final State CLEAN = new State.Clean();
    private static final State DIRTY = new State.Dirty();
    private static final State EXCLUSIVE = new State.Exclusive();
    private static final State IDLE = new State.Idle();

    /** Most pages in one update message. */
    private static final int UPDATE_PAGES_MAX = 64;

    private final Context context;
    private final NodeId self;
    private final Directory<State> directory;
    private final LinkedHashSet<PageId> delayedUpdates = new LinkedHashSet<>();
    private final Flushes flushes = new Flushes();
    private final RaceChecks races;
    private final TreeMap<NodeId, List<PageDiff>> outgoing = new TreeMap<>();
    private long outgoingInterval;
    private int savesAwaited;
    private long lastKeep;

    WriteShared(Context context) {
        this.context = context;
        this.self = context.self();
        this.directory = new Directory<>(self, () -> self.isRoot() ? IDLE : ABSENT);
        this.races = new RaceChecks(context, flushes);
    }

    @Override
    public String describe(PageId page) {
        return directory.peek(page).toString();
    }

    @Override
    public PageSnapshot snapshot(PageId page) {
        DirectoryEntry<State> entry = directory.peek(page);
        return entry.snapshot(entry.state().getClass().getSimpleName());
    }

    @Override
    public void onRegionAdded(RegionSpec region) {
        directory.add(region);
    }

    @Override
    public void onReadFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        switch (entry.state()) {
            case State.Absent() -> ask(entry, false, out);
            case State.Fetching _ -> {} // joined: one resume wakes all
            case State.Clean() -> out.resumeFault(page, PageAccess.READ);
            case State.Dirty(), State.Exclusive() -> out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Idle() -> enterExclusive(entry, out);
        }
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        switch (entry.state()) {
            case State.Absent() -> ask(entry, true, out);
            case State.Fetching(_, List<KeptUpdate> kept) ->
                    entry.become(new State.Fetching(true, kept));
            case State.Clean() -> {
                if (isSoleHolder(entry)) {
                    enterExclusive(entry, out);
                } else {
                    enterDirty(entry, out);
                }
            }
            case State.Dirty(), State.Exclusive() -> out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Idle() -> enterExclusive(entry, out);
        }
    }

    @Override
    public void onRelease(Leaving leaving, Effects out) {
        if (!delayedUpdates.isEmpty()) {
            out.count(Counter.FLUSHES);
            races.onFlush(flushes.begin(delayedUpdates), leaving);
            delayedUpdates.clear();
            saveDiffs(out);
        }
        if (flushes.isIdle()) {
            releasePerformed(leaving, out);
        } else {
            flushes.await(leaving);
        }
    }

    private void releasePerformed(Leaving leaving, Effects out) {
        races.onReleasePerformed(leaving, out);
        out.releasePerformed(leaving);
    }

    @Override
    public Bytes onGrant(LockId lock, NodeId to, Bytes request, Effects out) {
        return races.known();
    }

    @Override
    public void onAcquired(LockId lock, Bytes grant, Effects out) {
        races.learn(grant, () -> "lock '" + lock + "'");
    }

    @Override
    public Bytes onBarrierArrive(BarrierId barrier, Effects out) {
        return races.known();
    }

    @Override
    public List<Bytes> onBarrierComplete(BarrierId barrier, SortedMap<NodeId, Bytes> arrivals) {
        return races.joined(arrivals.values());
    }

    @Override
    public void onBarrierDepart(BarrierId barrier, Bytes departure, Effects out) {
        races.learn(departure, () -> "barrier '" + barrier + "'");
    }

    @Override
    public Bytes onCallLeaves(NodeId to, Effects out) {
        return races.known();
    }

    @Override
    public void onCallArrived(NodeId from, Bytes cargo, Effects out) {
        races.learn(cargo, () -> "a call with node " + from);
    }

    @Override
    public void onRacesFound(Event.RacesFound found, Effects out) {
        races.onFound(found, out);
    }

    @Override
    public void onSealed(Effects out) {
        Withdrawals idle = new Withdrawals(out);
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Exclusive) {
                entry.become(IDLE);
                idle.add(entry.page());
            }
        });
        idle.end();
    }

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case FetchRequest request -> onFetchRequest(request, out);
            case FetchReply reply -> onFetchReply(from, reply, out);
            case Update update -> onUpdate(from, update, out);
            case UpdateAck ack -> onUpdateAck(from, ack, out);
            case UpdateOrigin origin -> races.onOrigin(from, origin);
            case Knowledge knowledge ->
                    races.learn(knowledge.known(), () -> "a message of node " + from);
            case Races found -> races.onRaces(from, found, out);
        }
    }

    @Override
    public void onDiffSaved(Event.DiffSaved saved, Effects out) {
        DirectoryEntry<State> entry = directory.entry(saved.page());
        savesAwaited--;
        races.onDiffSaved(saved, out);
        Copyset targets = entry.copyset().without(self);
        if (saved.granules() == 0 || targets.isEmpty()) {
            if (saved.granules() == 0) {
                out.count(Counter.DIFFS_EMPTY);
            }
            if (targets.isEmpty()) {
                entry.become(EXCLUSIVE); // nobody to tell, now or next time
            }
            pageDone(saved.page(), saved.interval(), out);
        } else {
            out.count(Counter.DIFFS_MADE);
            Flushes.PendingUpdate update =
                    new Flushes.PendingUpdate(saved.page(), saved.interval(), targets);
            flushes.sent(update);
            tell(update, targets, out);
        }
        if (savesAwaited == 0) {
            sendOutgoing(out);
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Fetching) {
                out.poison(entry.page());
            }
        });
    }

    private void ask(DirectoryEntry<State> entry, boolean store, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(new State.Fetching(store, List.of()));
        out.send(entry.probableOwner(), new FetchRequest(entry.page(), self));
    }

    private boolean isSoleHolder(DirectoryEntry<State> entry) {
        return entry.copyset().without(self).isEmpty();
    }

    private void enterExclusive(DirectoryEntry<State> entry, Effects out) {
        entry.become(EXCLUSIVE);
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
    }

    private void enterDirty(DirectoryEntry<State> entry, Effects out) {
        entry.become(DIRTY);
        delayedUpdates.add(entry.page());
        out.count(Counter.TWINS_MADE);
        out.makeTwin(entry.page()); // while the page is still write-protected
        out.watchReleases(); // before the store: its release must be noticed
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
    }

    private void onFetchRequest(FetchRequest request, Effects out) {
        DirectoryEntry<State> entry = directory.entry(request.page());
        PageId page = request.page();
        ProtocolViolation.check(!request.asker().equals(self), entry, request);
        switch (entry.state()) {
            case State.Absent(), State.Fetching _ -> {
                out.count(Counter.FORWARDS);
                out.send(entry.probableOwner(), request);
            }
            case State.Clean() ->
                    sendCopy(entry, request.asker(), new Payload.PageImage(page), out);
            case State.Dirty() ->
                    sendCopy(entry, request.asker(), new Payload.TwinImage(page), out);
            case State.Exclusive() -> {
                entry.become(CLEAN);
                out.setAccess(page, PageAccess.READ); // freeze: the next store makes a twin of this
                sendCopy(entry, request.asker(), new Payload.PageImage(page), out);
            }
            case State.Idle() -> handOver(entry, request.asker(), out);
        }
    }

    private void sendCopy(DirectoryEntry<State> entry, NodeId asker, Payload image, Effects out) {
        out.count(Counter.PAGES_SENT);
        out.send(asker, new FetchReply(entry.page(), false, entry.copyset().with(self), image));
        entry.copyset(entry.copyset().with(self).with(asker));
    }

    private void handOver(DirectoryEntry<State> entry, NodeId asker, Effects out) {
        PageId page = entry.page();
        out.setAccess(page, PageAccess.READ); // freeze, send, forget
        out.count(Counter.PAGES_SENT);
        out.send(asker, new FetchReply(page, true, Copyset.EMPTY, new Payload.PageImage(page)));
        out.discard(page);
        entry.become(ABSENT);
        entry.probableOwner(asker);
        entry.copyset(Copyset.EMPTY);
    }

    private void onFetchReply(NodeId from, FetchReply reply, Effects out) {
        DirectoryEntry<State> entry = directory.entry(reply.page());
        if (!(entry.state() instanceof State.Fetching(boolean store, List<KeptUpdate> kept))) {
            throw new ProtocolViolation(entry, reply);
        }
        ProtocolViolation.check(!reply.handsOver() || kept.isEmpty(), entry, reply);
        out.count(Counter.PAGES_FETCHED);
        out.installPage(entry.page(), reply.image(), PageAccess.NONE); // seen only when complete
        entry.probableOwner(reply.handsOver() ? self : from);
        entry.copyset(reply.copyset().union(entry.copyset()).with(self));
        for (KeptUpdate update : kept) {
            out.count(Counter.DIFFS_APPLIED);
            out.applyDiff(entry.page(), new Payload.KeptDiff(entry.page(), update.keep()));
            out.send(update.from(), new UpdateAck(update.interval(), List.of(ack(entry, true))));
        }
        if (isSoleHolder(entry)) {
            enterExclusive(entry, out);
        } else if (store) {
            enterDirty(entry, out);
        } else {
            entry.become(CLEAN);
            out.resumeFault(entry.page(), PageAccess.READ);
        }
    }

    private void onUpdate(NodeId from, Update update, Effects out) {
        List<PageAck> acks = new ArrayList<>(update.diffs().size());
        for (PageDiff diff : update.diffs()) {
            DirectoryEntry<State> entry = directory.entry(diff.page());
            switch (entry.state()) {
                case State.Absent() -> acks.add(ack(entry, false));
                case State.Fetching(boolean store, List<KeptUpdate> kept) ->
                        keep(entry, store, kept, from, update.interval(), diff, out);
                case State.Clean(), State.Dirty() -> {
                    out.count(Counter.DIFFS_APPLIED);
                    races.look(from, diff.page(), diff.diff(), out);
                    out.applyDiff(diff.page(), diff.diff());
                    entry.copyset(entry.copyset().with(from));
                    acks.add(ack(entry, true));
                }
                case State.Exclusive(), State.Idle() -> throw new ProtocolViolation(entry, update);
            }
        }
        if (!acks.isEmpty()) {
            out.send(from, new UpdateAck(update.interval(), acks)); // after all are applied
        }
    }

    private void keep(
            DirectoryEntry<State> entry,
            boolean store,
            List<KeptUpdate> kept,
            NodeId from,
            long interval,
            PageDiff diff,
            Effects out) {
        long keep = ++lastKeep;
        List<KeptUpdate> more = new ArrayList<>(kept);
        more.add(new KeptUpdate(from, interval, keep));
        entry.copyset(entry.copyset().with(from));
        entry.become(new State.Fetching(store, List.copyOf(more)));
        out.keepDiff(entry.page(), keep, diff.diff());
    }

    private PageAck ack(DirectoryEntry<State> entry, boolean holds) {
        return new PageAck(entry.page(), entry.copyset(), holds);
    }

    private void onUpdateAck(NodeId from, UpdateAck ack, Effects out) {
        for (PageAck each : ack.acks()) {
            onPageAck(from, ack.interval(), each, out);
        }
        sendOutgoing(out);
    }

    /**
     * Merges the acknowledger's copyset before anything is removed: it is how closure is reached.
     */
    private void onPageAck(NodeId from, long interval, PageAck ack, Effects out) {
        DirectoryEntry<State> entry = directory.entry(ack.page());
        ProtocolViolation.check(flushes.isPending(ack.page(), interval), entry, ack);
        Flushes.PendingUpdate update = flushes.pending(ack.page(), interval);
        ProtocolViolation.check(update.missing.contains(from), entry, ack);
        Copyset unknown = ack.copyset().without(self).minus(update.told);
        entry.copyset(entry.copyset().union(ack.copyset()).with(self));
        if (!ack.holds()) {
            entry.copyset(entry.copyset().without(from));
        }
        update.missing = update.missing.without(from).union(unknown);
        update.told = update.told.union(unknown);
        tell(update, unknown, out);
        if (update.missing.isEmpty()) {
            pageDone(ack.page(), interval, out);
        }
    }

    /** Puts a page's diff into the messages to these nodes; {@link #sendOutgoing} sends them. */
    private void tell(Flushes.PendingUpdate update, Copyset targets, Effects out) {
        if (update.interval != outgoingInterval) {
            sendOutgoing(out);
            outgoingInterval = update.interval;
        }
        PageDiff diff =
                new PageDiff(update.page, new Payload.SavedDiff(update.page, update.interval));
        for (NodeId target : targets) {
            List<PageDiff> diffs = outgoing.computeIfAbsent(target, _ -> new ArrayList<>());
            diffs.add(diff);
            if (diffs.size() == UPDATE_PAGES_MAX) {
                outgoing.remove(target);
                send(target, update.interval, diffs, out);
            }
        }
    }

    private void sendOutgoing(Effects out) {
        outgoing.forEach((target, diffs) -> send(target, outgoingInterval, diffs, out));
        outgoing.clear();
    }

    private void send(NodeId target, long interval, List<PageDiff> diffs, Effects out) {
        races.announce(target, interval, out);
        out.send(target, new Update(interval, List.copyOf(diffs)));
    }

    /** Protect, then compare: in this order no store is lost between the two. */
    private void saveDiffs(Effects out) {
        while (flushes.canSave()) {
            Flushes.PendingUpdate next = flushes.nextToSave();
            DirectoryEntry<State> entry = directory.entry(next.page);
            ProtocolViolation.check(entry.state() instanceof State.Dirty, entry, "release");
            entry.become(CLEAN);
            savesAwaited++;
            out.setAccess(next.page, PageAccess.READ);
            out.saveDiff(next.page, next.interval);
            out.dropTwin(next.page);
        }
    }

    private void pageDone(PageId page, long interval, Effects out) {
        out.dropDiff(page, interval);
        for (Leaving leaving : flushes.done(page, interval)) {
            releasePerformed(leaving, out);
        }
        saveDiffs(out);
    }
}
