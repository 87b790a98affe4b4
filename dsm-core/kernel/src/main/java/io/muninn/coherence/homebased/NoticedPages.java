package io.muninn.coherence.homebased;

import io.muninn.coherence.homebased.HomeBased.State;
import io.muninn.coherence.homebased.HomeBased.Wanted;
import io.muninn.coherence.shared.AcquireQueue;
import io.muninn.coherence.shared.Comparisons;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.shared.Withdrawals;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the acquires and collections of this node do to its pages: the columns notice and
 * AccessWithdrawn of {@link HomeBased}'s table.
 */
final class NoticedPages {
    /** An acquire waits for the end of a fetch whose need has grown so often. */
    private static final int GROWTHS_MAX = 2;

    /** A trap stores within this time, unless its thread is stopped. */
    private static final long TRAP_NANOS = 20_000;

    private final Context context;
    private final HomedPages pages;
    private final OpenInterval interval;
    private final Comparisons comparisons;
    private final ReadAhead readAhead;
    private final AcquireQueue acquires;
    private final TreeMap<PageId, AppliedDiffs> held = new TreeMap<>(); // of the present acquire
    private final Set<PageId> refused = new TreeSet<>(); // to be withdrawn again

    NoticedPages(
            Context context,
            HomedPages pages,
            OpenInterval interval,
            WriteNotices notices,
            Comparisons comparisons,
            ReadAhead readAhead) {
        this.context = context;
        this.pages = pages;
        this.interval = interval;
        this.comparisons = comparisons;
        this.readAhead = readAhead;
        this.acquires = new AcquireQueue(context.clock(), notices, this::actOn);
    }

    void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        acquires.add(acquire, until, out);
    }

    /** Once it is performed, this node needs no notice that the collection covers. */
    void onCollect(long number, VectorTimestamp upTo, Effects out) {
        acquires.addCollection(upTo, each -> each.collectPerformed(number), out);
    }

    private void actOn(List<WriteNotices.Notice> notices, Effects out) {
        TreeMap<PageId, AppliedDiffs> stored = new TreeMap<>();
        for (WriteNotices.Notice notice : notices) {
            AppliedDiffs flush = AppliedDiffs.EMPTY.with(notice.writer(), notice.interval());
            for (PageId page : notice.pages()) {
                stored.merge(page, flush, AppliedDiffs::join);
            }
        }
        Withdrawals withdrawals = new Withdrawals(out);
        stored.forEach((page, more) -> {
            if (mustWithdraw(pages.entry(page), more, out)) {
                withdrawals.add(page);
            }
        });
        withdrawals.end();
    }

    /**
     * A page must contain more before threads may use it. The acquire waits until it is withdrawn,
     * or until it may be.
     *
     * @return true if it is to be withdrawn now
     */
    private boolean mustWithdraw(DirectoryEntry<State> entry, AppliedDiffs more, Effects out) {
        PageId page = entry.page();
        if (entry.applied().covers(more)) {
            return false;
        }
        if (isHeld(entry.state())) {
            held.put(page, more);
            acquires.await();
            if (!(entry.state() instanceof State.Fetching)) { // whose end arms the timer
                armTimer(page, out);
            }
            return false;
        }
        pages.needMore(page, more);
        if (!isWithdrawn(entry, out)) {
            return false;
        }
        out.count(NodeCounter.INVALIDATIONS);
        acquires.await();
        return true;
    }

    private boolean isWithdrawn(DirectoryEntry<State> entry, Effects out) {
        PageId page = entry.page();
        switch (entry.state()) {
            case State.Clean _ -> {
                entry.become(new State.Withdrawing(Wanted.NOTHING));
                readAhead.gone(page, out);
            }
            case State.Dirty _ -> {
                interval.list(page);
                entry.become(new State.Closing(Wanted.NOTHING, context.clock().interval()));
            }
            case State.Idle() when pages.isHome(page) -> {
                HomeServer.fillWithZeros(entry, out);
                entry.become(new State.HomeWithdrawing(Wanted.NOTHING));
            }
            case State.HomeClean(), State.HomeDirty() -> // listed when it is done
                    entry.become(new State.HomeWithdrawing(Wanted.NOTHING));
            case State.Fetching(Wanted wanted, int growths) -> {
                entry.become(new State.Fetching(wanted, growths + 1));
                return false;
            }
            case State.Ahead _ -> {
                entry.become(new State.Ahead(true));
                return false;
            }
            case State.Absent(),
                    State.Stale(),
                    State.Idle(),
                    State.Unfilled(),
                    State.Filling _,
                    State.HomeStale _ -> {
                return false;
            }
            case State.Withdrawing _, State.Closing _, State.HomeWithdrawing _, State.Initial() ->
                    throw new ProtocolViolation(entry, "notice");
        }
        return true;
    }

    /** Whether a thread that has waited for the page may not have used it yet. */
    private boolean isHeld(State state) {
        return switch (state) {
            case State.Clean(long until) -> isHeld(until);
            case State.Dirty(long until) -> isHeld(until);
            case State.Fetching(Wanted _, int growths) -> growths == GROWTHS_MAX;
            default -> false;
        };
    }

    /** Neither posted calls, nor waits that were given up, nor collections stop a thread. */
    private boolean isHeld(long untilNanos) {
        return context.hasRunningThreads() && context.nowNanos() < untilNanos;
    }

    private void armTimer(PageId page, Effects out) {
        out.armTimer(new TimerId.HoldOver(page), context.holdNanos());
    }

    /** A page has been fetched, and its threads go on. */
    void onFetched(PageId page, Effects out) {
        if (held.containsKey(page)) {
            armTimer(page, out);
        }
    }

    /** Threads have had time to use the page, or to end their traps. */
    void onHoldOver(PageId page, Effects out) {
        AppliedDiffs more = held.remove(page);
        if (more != null) {
            if (mustWithdraw(pages.entry(page), more, out)) {
                out.withdraw(page, 1);
            }
            acquires.settled(1, out);
        } else if (refused.remove(page)) {
            out.withdraw(page, 1);
        }
    }

    void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        int settled = 0;
        for (int i = 0; i < withdrawn.count(); i++) {
            DirectoryEntry<State> entry = pages.entry(withdrawn.first().plus(i));
            if (withdrawn.refused().contains(entry.page())) {
                refused.add(entry.page());
                out.armTimer(new TimerId.HoldOver(entry.page()), TRAP_NANOS);
            } else {
                settled += isSettled(entry, out) ? 1 : 0;
            }
        }
        acquires.settled(settled, out);
    }

    /** A page has no access any more. */
    private boolean isSettled(DirectoryEntry<State> entry, Effects out) {
        switch (entry.state()) {
            case State.Withdrawing(Wanted wanted) -> pages.becomeStale(entry, wanted, out);
            case State.HomeWithdrawing(Wanted wanted) -> {
                if (interval.isDirty(entry.page())) {
                    interval.list(entry.page());
                }
                pages.settleHome(entry, wanted, out);
            }
            case State.Closing(Wanted _, long listed) -> {
                if (listed == context.clock().interval()) {
                    out.endInterval();
                }
                comparisons.begin(entry.page(), listed, out); // its result settles the page
                return false;
            }
            default -> {
                return false; // by the sealing
            }
        }
        return true;
    }

    /** The stores in a page that was withdrawn are saved. */
    void onClosed(DirectoryEntry<State> entry, Effects out) {
        if (!(entry.state() instanceof State.Closing(Wanted wanted, long _))) {
            throw new ProtocolViolation(entry, "DiffSaved");
        }
        pages.becomeStale(entry, wanted, out);
        acquires.settled(1, out);
    }
}
