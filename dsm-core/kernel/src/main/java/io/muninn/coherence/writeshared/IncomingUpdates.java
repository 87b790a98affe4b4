package io.muninn.coherence.writeshared;

import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.writeshared.WriteShared.KeptUpdate;
import io.muninn.coherence.writeshared.WriteShared.State;
import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageCopies;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateAck;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateRequest;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;

/**
 * The effects of other nodes' updates on this node's pages: the columns Update and UpdateList of
 * {@link WriteShared}'s table.
 */
final class IncomingUpdates {
    private final Context context;
    private final NodeId self;
    private final Directory<State> directory;
    private final Flushes flushes;
    private final AdaptiveTwins hotPages;
    private final CopyRetirement unusedCopies;
    private final ReadAhead readAhead;
    private final RaceChecks races;
    private final AppliedDiffs.Sharing applied = new AppliedDiffs.Sharing();
    private long lastKeep;

    IncomingUpdates(
            Context context,
            Directory<State> directory,
            Flushes flushes,
            AdaptiveTwins hotPages,
            ReadAhead readAhead,
            RaceChecks races) {
        this.context = context;
        this.self = context.self();
        this.directory = directory;
        this.flushes = flushes;
        this.hotPages = hotPages;
        this.unusedCopies = new CopyRetirement(context, flushes);
        this.readAhead = readAhead;
        this.races = races;
    }

    /** Processes an update. Afterwards the pages that it requires to be compared are queued. */
    void onUpdate(NodeId from, Update update, Effects out) {
        List<PageCopies> acks = new ArrayList<>(update.diffs().size());
        List<PageDiff> applied = new ArrayList<>(update.diffs().size());
        List<PageId> withdrawn = new ArrayList<>();
        for (PageDiff diff : update.diffs()) {
            Offer offer = diff.offer();
            DirectoryEntry<State> entry = directory.entry(offer.page());
            races.look(from, offer.page(), diff.diff(), out);
            switch (entry.state()) {
                case State.Absent(), State.Deferred _ -> acks.add(refuse(entry, from, offer));
                case State.Fetching(boolean store, List<KeptUpdate> kept) -> {
                    KeptUpdate next = new KeptUpdate(from, update.interval(), ++lastKeep);
                    keep(entry, next, diff, out);
                    entry.become(new State.Fetching(store, plus(kept, next)));
                }
                case State.Ahead(List<KeptUpdate> kept) -> {
                    KeptUpdate next = new KeptUpdate(from, update.interval(), ++lastKeep);
                    keep(entry, next, diff, out);
                    entry.become(new State.Ahead(plus(kept, next)));
                }
                case State.Clean clean -> {
                    acks.add(apply(entry, from, update.interval(), diff, applied));
                    if (mayWithdraw(clean)) {
                        entry.become(new State.Withdrawn(context.nowNanos(), clean.heat()));
                        withdrawn.add(entry.page());
                    }
                }
                case State.Withdrawn(long since, _) when mayGiveUp(entry, since, from, offer) ->
                        acks.add(giveUp(entry, from, offer, out));
                case State.Withdrawn _, State.Dirty _ ->
                        acks.add(apply(entry, from, update.interval(), diff, applied));
                case State.Hot hot -> {
                    acks.add(apply(entry, from, update.interval(), diff, applied));
                    coolUnused(entry, hot);
                }
                case State.Exclusive() -> {
                    ProtocolViolation.check(
                            entry.copies().merge(offer.copies()).areOnlyOf(self), entry, update);
                    acks.add(apply(entry, from, update.interval(), diff, applied));
                }
                case State.Idle() -> throw new ProtocolViolation(entry, update);
            }
        }
        applyAll(applied, out);
        withdrawn.forEach(page -> out.setAccess(page, PageAccess.NONE)); // neighbours in one step
        if (!acks.isEmpty()) {
            out.send(from, new UpdateAck(update.interval(), acks)); // after all are applied
        }
    }

    private static void keep(
            DirectoryEntry<State> entry, KeptUpdate update, PageDiff diff, Effects out) {
        entry.copies(entry.copies().merge(diff.offer().copies()));
        out.keepDiff(entry.page(), update.keep(), diff.diff());
    }

    private static List<KeptUpdate> plus(List<KeptUpdate> kept, KeptUpdate next) {
        List<KeptUpdate> more = new ArrayList<>(kept);
        more.add(next);
        return List.copyOf(more);
    }

    private PageCopies apply(
            DirectoryEntry<State> entry,
            NodeId from,
            long interval,
            PageDiff diff,
            List<PageDiff> applied) {
        applied.add(diff);
        entry.copies(entry.copies().merge(diff.offer().copies()));
        noteApplied(entry, from, interval);
        return ack(entry);
    }

    /** Applies diffs with consecutive effects, so that they are one step. */
    private static void applyAll(List<PageDiff> diffs, Effects out) {
        diffs.forEach(diff -> out.applyDiff(diff.offer().page(), diff.diff()));
    }

    /** Applies an update that was kept until the image arrived, and acknowledges it. */
    void applyKept(DirectoryEntry<State> entry, KeptUpdate update, Effects out) {
        out.applyDiff(entry.page(), new Payload.KeptDiff(entry.page(), update.keep()));
        noteApplied(entry, update.from(), update.interval());
        out.send(update.from(), new UpdateAck(update.interval(), List.of(ack(entry))));
    }

    /** Records that a diff is in the page. */
    void noteApplied(DirectoryEntry<State> entry, NodeId from, long interval) {
        if (context.updates().timesOut()) {
            entry.applied(applied.with(entry.applied(), from, interval));
        }
    }

    /**
     * True if the access may be withdrawn: then the next access faults, which shows that the copy
     * is used.
     */
    private boolean mayWithdraw(State.Clean clean) {
        return context.updates().timesOut() && context.nowNanos() - clean.heldUntilNanos() >= 0;
    }

    /** Begins the window of a page that this node has just flushed. */
    void beginWindow(DirectoryEntry<State> entry, Effects out) {
        if (entry.state() instanceof State.Clean clean) {
            entry.become(new State.Withdrawn(context.nowNanos(), clean.heat()));
            out.setAccess(entry.page(), PageAccess.NONE);
        }
    }

    private void coolUnused(DirectoryEntry<State> entry, State.Hot hot) {
        // otherwise it is queued
        if (hotPages.onUpdate(entry, hot) && flushes.isDirty(entry.page())) {
            races.onFlush(flushes.begin(entry.page()), new GatedRelease.Elapsed());
        }
    }

    private boolean mayGiveUp(DirectoryEntry<State> entry, long since, NodeId from, Offer offer) {
        return !races.isOn() && unusedCopies.mayEnd(entry, since, from, offer);
    }

    private PageCopies giveUp(DirectoryEntry<State> entry, NodeId from, Offer offer, Effects out) {
        out.count(NodeCounter.UPDATE_TIMEOUTS);
        out.discard(entry.page());
        entry.become(new State.Absent());
        readAhead.gone(entry.page(), out);
        unusedCopies.end(entry, from, offer);
        return ack(entry);
    }

    private PageCopies refuse(DirectoryEntry<State> entry, NodeId from, Offer offer) {
        unusedCopies.learn(entry, from, offer);
        return ack(entry);
    }

    private static PageCopies ack(DirectoryEntry<State> entry) {
        return new PageCopies(entry.page(), entry.copies());
    }

    void onUpdateList(NodeId from, UpdateList list, Effects out) {
        List<PageCopies> acks = new ArrayList<>();
        List<PageId> wanted = new ArrayList<>(list.offers().size());
        for (Offer offer : list.offers()) {
            DirectoryEntry<State> entry = directory.entry(offer.page());
            switch (entry.state()) {
                case State.Absent(), State.Deferred _ -> acks.add(refuse(entry, from, offer));
                case State.Withdrawn(long since, _) when mayGiveUp(entry, since, from, offer) ->
                        acks.add(giveUp(entry, from, offer, out));
                case State.Fetching _,
                        State.Ahead _,
                        State.Clean _,
                        State.Withdrawn _,
                        State.Dirty _,
                        State.Hot _ ->
                        wanted.add(offer.page());
                case State.Exclusive() -> {
                    ProtocolViolation.check(
                            entry.copies().merge(offer.copies()).areOnlyOf(self), entry, list);
                    wanted.add(offer.page());
                }
                case State.Idle() -> throw new ProtocolViolation(entry, list);
            }
        }
        if (!acks.isEmpty()) {
            out.send(from, new UpdateAck(list.interval(), acks));
        }
        if (!wanted.isEmpty()) {
            out.count(NodeCounter.UPDATES_REQUESTED, wanted.size());
            out.send(from, new UpdateRequest(list.interval(), wanted));
        }
    }
}
