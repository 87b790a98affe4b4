package io.muninn.coherence.homebased;

import io.muninn.coherence.homebased.HomeBased.State;
import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.NoticedPages.Hold;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.ProtocolViolation;
import java.util.List;

/**
 * The pages of a node as the acquires of one of its processes see them: the columns notice and
 * AccessWithdrawn of {@link HomeBasedViews}'s table.
 */
final class ViewedCopies implements NoticedPages.Copies {
    private final Context context;
    private final ViewedPages pages;
    private final MappingId of;

    ViewedCopies(Context context, ViewedPages pages, MappingId of) {
        this.context = context;
        this.pages = pages;
        this.of = of;
    }

    @Override
    public boolean lacks(PageId page, List<WriteNotices.Notice> notices) {
        return !pages.entry(page).applied().covers(HomedCopies.flushes(notices));
    }

    /** A page that is being taken is fetched; an acquire waits for the end of that. */
    @Override
    public Hold hold(PageId page) {
        return switch (pages.entry(page).state()) {
            case State.Clean(long until) -> NoticedPages.holdUntil(until, context);
            case State.Dirty(long until) -> NoticedPages.holdUntil(until, context);
            case State.Fetching(var _, int growths) when growths == NoticedPages.GROWTHS_MAX ->
                    Hold.FETCH;
            case State.Withdrawing _, State.Closing _, State.HomeWithdrawing _ -> Hold.FETCH;
            default -> Hold.NOTHING;
        };
    }

    @Override
    public boolean isWithdrawn(PageId page, List<WriteNotices.Notice> notices, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        pages.needMore(of, page, HomedCopies.flushes(notices));
        switch (entry.state()) {
            case State.Clean _,
                    State.Dirty _,
                    State.HomeClean(),
                    State.HomeDirty(),
                    State.Idle() -> {
                if (entry.state() == State.IDLE && pages.isHome(page)) {
                    HomeServer.fillWithZeros(entry, out);
                }
                pages.leaving(page, of);
                return true;
            }
            case State.Fetching(var wanted, int growths) ->
                    entry.become(new State.Fetching(wanted, growths + 1));
            case State.Ahead _ -> entry.become(new State.Ahead(true));
            case State.Absent(), State.Stale(), State.Unfilled(), State.Filling _ -> {}
            case State.Withdrawing _,
                    State.Closing _,
                    State.HomeWithdrawing _,
                    State.HomeStale _,
                    State.Initial() ->
                    throw new ProtocolViolation(entry, "notice");
        }
        return false;
    }

    @Override
    public boolean isSettled(PageId page, Effects out) {
        boolean isOfAcquire = pages.left(page, of);
        pages.readmit(pages.entry(page), out);
        return isOfAcquire;
    }
}
