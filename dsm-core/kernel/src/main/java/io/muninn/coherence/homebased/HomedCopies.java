package io.muninn.coherence.homebased;

import io.muninn.coherence.homebased.HomeBased.State;
import io.muninn.coherence.shared.Comparisons;
import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.NoticedPages.Hold;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.ProtocolViolation;
import java.util.List;

/**
 * The pages of this node as its acquires see them: the columns notice and AccessWithdrawn of {@link
 * HomeBased}'s table.
 */
final class HomedCopies implements NoticedPages.Copies {
    private final Context context;
    private final HomedPages pages;
    private final OpenInterval interval;
    private final Comparisons comparisons;

    HomedCopies(Context context, HomedPages pages, OpenInterval interval, Comparisons comparisons) {
        this.context = context;
        this.pages = pages;
        this.interval = interval;
        this.comparisons = comparisons;
    }

    @Override
    public boolean lacks(PageId page, List<WriteNotices.Notice> notices) {
        return !pages.peek(page).applied().covers(flushes(notices));
    }

    /** The flushes that notices announce. */
    static AppliedDiffs flushes(List<WriteNotices.Notice> notices) {
        AppliedDiffs flushes = AppliedDiffs.EMPTY;
        for (WriteNotices.Notice notice : notices) {
            flushes = flushes.with(notice.writer(), notice.interval());
        }
        return flushes;
    }

    @Override
    public Hold hold(PageId page) {
        return switch (pages.peek(page).state()) {
            case State.Clean(long until) -> NoticedPages.holdUntil(until, context);
            case State.Dirty(long until) -> NoticedPages.holdUntil(until, context);
            case State.Fetching(Wanted _, int growths) when growths == NoticedPages.GROWTHS_MAX ->
                    Hold.FETCH;
            default -> Hold.NOTHING;
        };
    }

    @Override
    public boolean isWithdrawn(PageId page, List<WriteNotices.Notice> notices, Effects out) {
        pages.needMore(MappingId.FIRST, page, flushes(notices));
        if (pages.peek(page).state() instanceof State.Absent) {
            return false; // most pages are never here: they need no entry
        }
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.Clean _ -> {
                entry.become(new State.Withdrawing(Wanted.NOTHING));
                pages.readAhead.gone(page, out);
            }
            case State.Dirty _ -> {
                interval.list(page);
                entry.become(new State.Closing(Wanted.NOTHING, context.clock().interval()));
            }
            case State.Idle() when pages.isHome(page) -> {
                HomeServer.fillWithZeros(entry, out);
                entry.become(new State.HomeWithdrawing(Wanted.NOTHING));
            }
            case State.HomeClean(), State.HomeDirty() -> // listed when the withdrawal is done
                    pages.withdrawHome(entry);
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

    @Override
    public boolean isSettled(PageId page, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.Withdrawing(Wanted wanted) -> pages.becomeStale(entry, wanted, out);
            case State.HomeWithdrawing(Wanted wanted) -> {
                if (interval.isDirty(page)) {
                    interval.list(page);
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
                return false; // the sealing withdrew it, not an acquire
            }
        }
        return true;
    }

    /** Completes the withdrawal of a page whose stores have been saved. */
    void close(DirectoryEntry<State> entry, Effects out) {
        if (!(entry.state() instanceof State.Closing(Wanted wanted, long _))) {
            throw new ProtocolViolation(entry, "DiffSaved");
        }
        pages.becomeStale(entry, wanted, out);
    }
}
