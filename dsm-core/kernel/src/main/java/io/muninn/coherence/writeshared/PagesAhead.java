package io.muninn.coherence.writeshared;

import io.muninn.coherence.shared.DirtyStreak;
import io.muninn.coherence.shared.Prefetches;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.writeshared.WriteShared.State;
import io.muninn.coherence.writeshared.WriteSharedMessages.AheadRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.WantedPage;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Prepares write-shared pages before threads access them, for {@link ReadAhead}. */
final class PagesAhead {
    private final Context context;
    private final Directory<State> directory;
    private final Flushes flushes;
    private final ReadAhead readAhead;
    private final RaceChecks races;

    PagesAhead(
            Context context,
            Directory<State> directory,
            Flushes flushes,
            ReadAhead readAhead,
            RaceChecks races) {
        this.races = races;
        this.context = context;
        this.directory = directory;
        this.flushes = flushes;
        this.readAhead = readAhead;
    }

    /**
     * Gives threads access to the present pages after a fault, and requests the missing ones, if
     * the fault's page is new to the threads of this node.
     *
     * @param before the state of the fault's page before it
     */
    void onFault(PageId fault, State before, Effects out) {
        if (isNew(fault, before)) {
            makeReady(fault, out);
        }
        readAhead.prefetches().used(fault, !(before instanceof State.Ahead), out);
    }

    /** True if no thread of this node has accessed the page, or none since it arrived again. */
    private boolean isNew(PageId page, State state) {
        return switch (state) {
            case State.Absent(), State.Ahead _, State.Idle() -> true;
            case State.Withdrawn _ -> readAhead.isUnopened(page);
            case State.Deferred _,
                    State.Fetching _,
                    State.Clean _,
                    State.Dirty _,
                    State.Hot _,
                    State.Exclusive() ->
                    false;
        };
    }

    private void makeReady(PageId fault, Effects out) {
        ReadAhead.Step ahead = readAhead.onFault(fault);
        if (ahead == ReadAhead.Step.NONE) {
            return;
        }
        readAhead.open(fault, ahead, page -> open(directory.entry(page), out), out);
        if (context.isRunOver()) {
            return;
        }
        TreeMap<NodeId, List<WantedPage>> wanted = new TreeMap<>();
        for (int index = ahead.askBegin(); index < ahead.askEnd(); index++) {
            DirectoryEntry<State> entry = directory.entry(new PageId(fault.region(), index));
            if (mayAsk(entry)) {
                want(entry, wanted);
            }
        }
        ask(wanted, out);
    }

    /** Requests the missing pages of a prefetch. */
    void onPrefetch(PageId first, int count, Effects out) {
        TreeMap<NodeId, List<WantedPage>> wanted = new TreeMap<>();
        int unnecessary = 0;
        for (int i = 0; i < count; i++) {
            DirectoryEntry<State> entry = directory.entry(first.plus(i));
            if (mayAsk(entry)) {
                want(entry, wanted);
                readAhead.prefetches().requested(entry.page());
            } else if (!(entry.state() instanceof State.Absent)) {
                unnecessary++;
            }
        }
        Prefetches.unnecessary(unnecessary, out);
        ask(wanted, out);
    }

    /** True if the page may be requested: the image must contain the outstanding updates. */
    private boolean mayAsk(DirectoryEntry<State> entry) {
        return entry.state() instanceof State.Absent && !flushes.isPending(entry.page());
    }

    private void want(DirectoryEntry<State> entry, TreeMap<NodeId, List<WantedPage>> wanted) {
        entry.become(new State.Ahead(List.of()));
        readAhead.asked(entry.page());
        wanted.computeIfAbsent(entry.probableOwner(), _ -> new ArrayList<>())
                .add(new WantedPage(entry.page(), entry.copies().ended(context.self())));
    }

    private void ask(TreeMap<NodeId, List<WantedPage>> wanted, Effects out) {
        wanted.forEach((owner, pages) -> {
            out.count(NodeCounter.PAGES_AHEAD, pages.size());
            out.send(owner, new AheadRequest(context.self(), pages));
        });
    }

    /**
     * The state of a prepared copy, which is unused until a thread accesses it: the next update
     * ends it, without a window. So a node whose pages are requested in vain is notified by the
     * first update.
     */
    State unused() {
        long windowNanos = context.updates().timesOut() ? context.updates().timeoutNanos() : 0;
        return new State.Withdrawn(context.nowNanos() - windowNanos, DirtyStreak.NONE);
    }

    private boolean open(DirectoryEntry<State> entry, Effects out) {
        if (entry.state() instanceof State.Idle && !races.seesAllStores()) {
            entry.become(new State.Exclusive());
            out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        } else if (entry.state() instanceof State.Idle) {
            entry.become(new State.Clean(context.nowNanos(), DirtyStreak.NONE));
            out.resumeFault(entry.page(), PageAccess.READ);
        } else if (entry.state() instanceof State.Withdrawn && readAhead.isUnopened(entry.page())) {
            // not held, because it may be unneeded
            entry.become(new State.Clean(context.nowNanos(), DirtyStreak.NONE));
            out.resumeFault(entry.page(), PageAccess.READ);
        } else {
            return false;
        }
        readAhead.opened(entry.page());
        return true;
    }
}
