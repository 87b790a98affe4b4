package io.muninn.coherence.homebased;

import io.muninn.coherence.homebased.HomeBased.State;
import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.Wanted;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageMap;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.TimerId;
import io.muninn.spi.Views;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The pages of a node whose processes have views of their own: the need of a page is that of a
 * process, and so are the waits for it. The need of the node, with which it requests pages, is that
 * of all its processes.
 */
final class ViewedPages extends HomedPages {
    /** The processes that wait for a page, or lose their access to it. */
    private static final class Waits {
        final Wanted[] wanted; // by process
        int leaving; // the processes whose access an acquire withdraws, as bits
        boolean isAsked; // an image is requested, to be merged
        int failures; // images in a row that lacked what was released meanwhile

        Waits(int processes) {
            wanted = new Wanted[processes];
            Arrays.fill(wanted, Wanted.NOTHING);
        }

        boolean isLeaving(MappingId of) {
            return (leaving & 1 << of.index()) != 0;
        }
    }

    private final int processes;
    private final boolean merges;
    private final List<PageMap<AppliedDiffs>> needs = new ArrayList<>(); // by process
    private final PageMap<Waits> waits = new PageMap<>();

    ViewedPages(Context context, OpenInterval interval) {
        super(context, interval);
        this.processes = context.threads().processes();
        this.merges = context.updates().views() == Views.MERGING;
        context.threads().allProcesses().forEach(_ -> needs.add(new PageMap<>()));
    }

    /** The needs of all processes, and the flushes of this node. */
    @Override
    AppliedDiffs need(PageId page) {
        AppliedDiffs all = super.need(page);
        for (PageMap<AppliedDiffs> of : needs) {
            AppliedDiffs need = of.get(page);
            all = need == null ? all : all.join(need);
        }
        return all;
    }

    /** As {@link #need(PageId)}, of one process. The frame contains the flushes of its node. */
    AppliedDiffs need(PageId page, MappingId of) {
        AppliedDiffs need = needs.get(of.index()).get(page);
        return need == null ? AppliedDiffs.EMPTY : need;
    }

    @Override
    void needMore(MappingId of, PageId page, AppliedDiffs more) {
        needs.get(of.index()).put(page, need(page, of).join(more));
    }

    @Override
    boolean isCurrent(DirectoryEntry<State> entry, MappingId of) {
        return entry.applied().covers(need(entry.page(), of));
    }

    private Waits waits(PageId page) {
        Waits of = waits.get(page);
        if (of == null) {
            of = new Waits(processes);
            waits.put(page, of);
        }
        return of;
    }

    /** Adds a thread of a process to those that wait for a page. */
    void await(PageId page, MappingId of, boolean store) {
        Wanted[] wanted = waits(page).wanted;
        wanted[of.index()] = wanted[of.index()].join(store);
    }

    /** Records that the access of a process is being withdrawn, for an acquire. */
    void leaving(PageId page, MappingId of) {
        waits(page).leaving |= 1 << of.index();
    }

    /**
     * Records that this is done.
     *
     * @return false if no acquire has withdrawn it
     */
    boolean left(PageId page, MappingId of) {
        Waits at = waits(page);
        boolean wasLeaving = at.isLeaving(of);
        at.leaving &= ~(1 << of.index());
        return wasLeaving;
    }

    @Override
    void admit(DirectoryEntry<State> entry, Wanted wanted, long heldUntilNanos, Effects out) {
        answered(entry.page(), true);
        entry.become(new State.Clean(heldUntilNanos));
        readmit(entry, out);
    }

    @Override
    void settleHome(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        entry.become(State.HOME_CLEAN);
        readmit(entry, out);
    }

    /**
     * Lets the processes that wait use a page if it is current for them, and requests it for the
     * others. A home waits for their flushes, and other processes continue to use the page.
     */
    @Override
    void readmit(DirectoryEntry<State> entry, Effects out) {
        Waits at = waits.get(entry.page());
        if (at == null) {
            return;
        }
        Wanted left = Wanted.NOTHING;
        for (int i = 0; i < processes; i++) {
            MappingId of = MappingId.of(i);
            Wanted wanted = at.wanted[i];
            if (wanted == Wanted.NOTHING) {
                continue;
            }
            if (isOpenTo(entry, of) && admits(entry, of, wanted, out)) {
                at.wanted[i] = Wanted.NOTHING;
            } else if (left != Wanted.STORE) {
                left = wanted;
            }
        }
        if (isHome(entry.page())) {
            at.isAsked = false; // the grant has ended the request
        } else if (left != Wanted.NOTHING && !at.isAsked) {
            refresh(entry, at, left, out);
        }
    }

    /** Obtains the content that some processes wait for, of a page that the node has. */
    private void refresh(DirectoryEntry<State> entry, Waits at, Wanted wanted, Effects out) {
        boolean isPresent =
                entry.state() instanceof State.Clean || entry.state() instanceof State.Dirty;
        if (isPresent && merges && at.failures < NoticedPages.GROWTHS_MAX) {
            at.isAsked = true;
            request(entry, false, out);
        } else if (at.leaving == 0) {
            take(entry, wanted, out);
        }
    }

    /** True if an image is requested, to be merged with the stores of the processes. */
    boolean isAsked(PageId page) {
        Waits at = waits.get(page);
        return at != null && at.isAsked;
    }

    /**
     * Records that a requested image has arrived.
     *
     * @param isCurrent whether it satisfies all views, and contains all flushes of this node
     */
    void answered(PageId page, boolean isCurrent) {
        Waits at = waits(page);
        at.isAsked = false;
        at.failures = isCurrent ? 0 : at.failures + 1;
    }

    /** True while an acquire withdraws the access of a process. */
    boolean isLeaving(PageId page, MappingId of) {
        Waits at = waits.get(page);
        return at != null && at.isLeaving(of);
    }

    /** True if a process may use a page of which the node has the content. */
    boolean isOpenTo(DirectoryEntry<State> entry, MappingId of) {
        return isCurrent(entry, of) && !isLeaving(entry.page(), of);
    }

    /** The needs of the processes and their waits, for messages. */
    String describe(PageId page) {
        StringBuilder text = new StringBuilder();
        Waits at = waits.get(page);
        for (MappingId of : context.threads().allProcesses()) {
            text.append("; process ").append(of).append(" need=").append(need(page, of).last());
            if (at != null) {
                text.append(at.isLeaving(of) ? " leaving" : "");
                text.append(" wants ").append(at.wanted[of.index()]);
            }
        }
        return text.toString();
    }

    /** Returns false if the content of the page cannot be used now. */
    private boolean admits(DirectoryEntry<State> entry, MappingId of, Wanted wanted, Effects out) {
        boolean store = wanted == Wanted.STORE;
        switch (entry.state()) {
            case State.Clean(long held) -> open(entry, of, store, held, out);
            case State.HomeClean() -> openHome(entry, of, store, out);
            case State.Dirty _, State.HomeDirty() ->
                    out.resumeFault(of, entry.page(), PageAccess.READ_WRITE);
            default -> {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes a page from all processes, because it is stale for some that wait; then it is fetched.
     * A page that was fetched within the hold time is taken after it.
     */
    private void take(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        switch (entry.state()) {
            case State.Clean(long until) when !isHeld(entry, until, out) -> {
                entry.become(new State.Withdrawing(wanted));
                readAhead.gone(entry.page(), out);
                out.withdraw(entry.page(), 1);
            }
            case State.Dirty(long until) when !isHeld(entry, until, out) -> {
                interval.list(entry.page());
                entry.become(new State.Closing(wanted, context.clock().interval()));
                out.withdraw(entry.page(), 1);
            }
            default -> {} // another event goes on
        }
    }

    private boolean isHeld(DirectoryEntry<State> entry, long until, Effects out) {
        boolean isHeld = NoticedPages.holdUntil(until, context) == NoticedPages.Hold.HOLD_TIME;
        if (isHeld) {
            out.armTimer(new TimerId.HoldOver(entry.page()), context.holdNanos());
        }
        return isHeld;
    }

    @Override
    void poisonWaiting(Effects out) {
        directory.forEach(entry -> {
            Waits at = waits.get(entry.page());
            if (at != null && !Arrays.stream(at.wanted).allMatch(Wanted.NOTHING::equals)) {
                out.poison(entry.page());
            }
        });
    }
}
