package io.muninn.coherence.weak;

import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.RefusedPages;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.Withdrawals;
import io.muninn.coherence.weak.Weak.State;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The acquires of one node: each takes the weak list, checks the unsafe pages, and discards the
 * copies that may be old. Acquires are performed in rounds, one at a time; one round serves all
 * that have begun before it. So a copy that a round is discarding is gone before the next round.
 *
 * <p>A page for which a thread has waited is not withdrawn within the hold time.
 */
final class WeakAcquires {
    /** Enters a page again for the threads that wait for it. */
    interface Entering {
        void enter(DirectoryEntry<State> entry, Wanted wanted, Effects out);
    }

    private final Context context;
    private final WeakPages pages;
    private final WeakStores stores;
    private final Pool pool;
    private final Entering entering;
    private final List<GatedAcquire> waiting = new ArrayList<>(); // for the next round
    private final List<GatedAcquire> current = new ArrayList<>();
    private int unsettled; // results and pages of the current round
    private final TreeSet<PageId> held = new TreeSet<>(); // of the current round
    private final TreeSet<PageId> again = new TreeSet<>(); // as if on the next list
    private final TreeMap<PageId, Overtaken> awaited = new TreeMap<>(); // their copies
    private final RefusedPages refused = new RefusedPages();
    private final List<PageId> closed = new ArrayList<>(); // compared

    WeakAcquires(
            Context context, WeakPages pages, WeakStores stores, Pool pool, Entering entering) {
        this.context = context;
        this.pages = pages;
        this.stores = stores;
        this.pool = pool;
        this.entering = entering;
    }

    void onAcquire(GatedAcquire acquire, Effects out) {
        waiting.add(acquire);
        if (current.isEmpty()) {
            begin(out);
        }
    }

    private void begin(Effects out) {
        current.addAll(waiting);
        waiting.clear();
        stores.leaveOwn(out);
        unsettled = 1;
        for (PageId page : List.copyOf(pages.mapping())) {
            overtake(pages.entry(page), Overtaken.IF_WEAK);
        }
        pool.takeList(out);
    }

    /** The weak list was taken; unsafe pages that are not on it are checked. */
    void onListTaken(List<PageId> listed, Effects out) {
        List<PageId> weak = new ArrayList<>(listed);
        weak.addAll(again);
        again.clear();
        List<PageId> checked = new ArrayList<>(pages.checked());
        checked.removeAll(new TreeSet<>(weak));
        if (!checked.isEmpty()) {
            unsettled++;
            pool.check(checked, out);
        }
        discardWeak(weak, out);
    }

    /** The next acquire acts on a page as if it were on the weak list. */
    void noticeAgain(PageId page) {
        again.add(page);
    }

    void onChecked(List<PageId> stale, Effects out) {
        discardWeak(stale, out);
    }

    private void discardWeak(List<PageId> weak, Effects out) {
        Withdrawals withdrawals = new Withdrawals(out);
        weak.stream()
                .distinct()
                .sorted()
                .forEach(page -> {
                    if (mustWithdraw(page, out)) {
                        withdrawals.add(page);
                    }
                });
        withdrawals.end();
        settled(1, out);
    }

    /**
     * An acquire meets the entering of a page; it waits for its end if that was overtaken often.
     */
    private void overtake(DirectoryEntry<State> entry, Overtaken how) {
        if (!(entry.state() instanceof State.Mapping(var wanted, var before, int retries))) {
            throw new ProtocolViolation(entry, "notice");
        }
        if (retries < NoticedPages.GROWTHS_MAX) {
            entry.become(new State.Mapping(wanted, before.join(how), retries));
        } else {
            unsettled += awaited.containsKey(entry.page()) ? 0 : 1;
            awaited.merge(entry.page(), how, Overtaken::join);
        }
    }

    /** Returns true if the page must be withdrawn now. The round waits until it is discarded. */
    private boolean mustWithdraw(PageId page, Effects out) {
        DirectoryEntry<State> entry = pages.peek(page);
        out.pageEvent(page, "notice");
        if (held.contains(page)) {
            return false;
        }
        switch (entry.state()) {
            case State.Clean(long until) -> {
                if (isHeld(page, until, out)) {
                    return false;
                }
                entry.become(new State.Withdrawing(Wanted.NOTHING));
            }
            case State.Dirty(long until) -> {
                if (isHeld(page, until, out)) {
                    return false;
                }
                stores.becomeClosing(entry, Wanted.NOTHING, out);
            }
            case State.Mapping _, State.Absent() when pages.isPooled() -> {
                if (pages.isNear(page)) { // a trap may be entering it
                    pages.noticed().add(page);
                }
                return false;
            }
            case State.Mapping _ -> {
                overtake(entry, Overtaken.YES);
                return false;
            }
            case State.Absent(), State.Withdrawing _, State.Closing _ -> {
                return false;
            }
            // of the centralized list, or of a publisher
            case State.Idle(),
                    State.Unfilled(),
                    State.Filling _,
                    State.HomeClean(),
                    State.HomeDirty(),
                    State.HomeSole() -> {
                return false;
            }
            case State.Initial() -> throw new ProtocolViolation(entry, "notice");
        }
        out.count(NodeCounter.INVALIDATIONS);
        unsettled++;
        return true;
    }

    private boolean isHeld(PageId page, long untilNanos, Effects out) {
        if (NoticedPages.holdUntil(untilNanos, context) == NoticedPages.Hold.NOTHING) {
            return false;
        }
        held.add(page);
        unsettled++;
        armTimer(page, out);
        return true;
    }

    private void armTimer(PageId page, Effects out) {
        out.armTimer(new TimerId.HoldOver(page), context.holdNanos());
    }

    /**
     * A page was entered, and its threads continue.
     *
     * @param isWeak whether the copy has to be checked, or is on the weak list
     */
    void onEntered(PageId page, boolean isWeak, Effects out) {
        Overtaken how = awaited.remove(page);
        if (how != null) {
            if (how.isTrue(isWeak) && mustWithdraw(page, out)) {
                out.withdraw(page, 1);
            }
            settled(1, out);
        }
    }

    /** Called when threads have had time to use the page, or to end their traps. */
    void onHoldOver(PageId page, Effects out) {
        if (held.remove(page)) {
            if (mustWithdraw(page, out)) {
                out.withdraw(page, 1);
            }
            settled(1, out);
        } else if (refused.isDue(page)) {
            out.withdraw(page, 1);
        }
    }

    /** The access to a page could not be withdrawn; it is tried again later. */
    void onRefused(PageId page, Effects out) {
        refused.refused(page, out);
    }

    void onNotRefused(PageId page) {
        refused.withdrawn(page);
    }

    void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        List<PageId> clean = new ArrayList<>();
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            if (withdrawn.refused().contains(page)) {
                onRefused(page, out);
                continue;
            }
            onNotRefused(page);
            DirectoryEntry<State> entry = pages.entry(page);
            switch (entry.state()) {
                case State.Withdrawing _ -> clean.add(page);
                case State.Closing(Wanted _, long number) -> {
                    closed.add(page);
                    stores.compare(page, number, out);
                }
                case State.Clean _, State.HomeClean() -> {} // the sealing withdrew it
                default -> throw new ProtocolViolation(entry, withdrawn);
            }
        }
        discard(clean, out);
    }

    /** The stores of all pages that were compared are published. */
    void onPublished(Effects out) {
        List<PageId> pagesWithTwins = List.copyOf(closed);
        closed.clear();
        pagesWithTwins.forEach(out::dropTwin);
        discard(pagesWithTwins, out);
    }

    /** Discards copies, leaves their pages, and enters those again for which threads wait. */
    private void discard(List<PageId> withdrawn, Effects out) {
        if (withdrawn.isEmpty()) {
            return;
        }
        TreeMap<PageId, Wanted> wanted = new TreeMap<>();
        for (PageId page : withdrawn) {
            DirectoryEntry<State> entry = pages.entry(page);
            wanted.put(page, wanted(entry));
            out.discard(page);
            pages.discarded(page, out);
            stores.discarded(page);
            pages.checked().remove(page);
            again.remove(page);
            entry.become(State.ABSENT);
        }
        pool.leave(withdrawn, out);
        wanted.forEach((page, access) -> {
            if (access != Wanted.NOTHING) {
                entering.enter(pages.entry(page), access, out);
            }
        });
        settled(withdrawn.size(), out);
    }

    private static Wanted wanted(DirectoryEntry<State> entry) {
        return switch (entry.state()) {
            case State.Withdrawing(Wanted wanted) -> wanted;
            case State.Closing(Wanted wanted, long _) -> wanted;
            default -> throw new ProtocolViolation(entry, "AccessWithdrawn");
        };
    }

    private void settled(int count, Effects out) {
        unsettled -= count;
        if (unsettled > 0) {
            return;
        }
        List<GatedAcquire> performed = List.copyOf(current);
        current.clear();
        performed.forEach(out::acquirePerformed);
        if (!waiting.isEmpty()) {
            begin(out);
        }
    }
}
