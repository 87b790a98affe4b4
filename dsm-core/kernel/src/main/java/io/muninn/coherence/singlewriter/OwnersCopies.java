package io.muninn.coherence.singlewriter;

import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.NoticedPages.Hold;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.coherence.singlewriter.SingleWriter.Copy;
import io.muninn.coherence.singlewriter.SingleWriter.State;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import java.util.List;

/**
 * The pages of this node as its acquires see them: the columns notice and AccessWithdrawn of {@link
 * SingleWriter}'s table. The page of an owner lacks nothing.
 */
final class OwnersCopies implements NoticedPages.Copies {
    private final Context context;
    private final OwnedPages pages;

    OwnersCopies(Context context, OwnedPages pages) {
        this.context = context;
        this.pages = pages;
    }

    @Override
    public boolean lacks(PageId page, List<Notice> notices) {
        return switch (pages.entry(page).state()) {
            case State.Fetching fetching -> !contains(fetching.asked(), notices);
            case State.Clean(long _, Copy copy) -> !contains(copy.contains(), notices);
            case State.Asking(Copy copy, boolean isReadable, var _) ->
                    isReadable && !contains(copy.contains(), notices);
            case State.Invalid() -> true;
            case State.Owned _, State.Dirty _ -> false;
            case State.Withdrawing _, State.Exclusive _, State.Idle _, State.Initial() ->
                    throw new ProtocolViolation(pages.entry(page), "notice");
        };
    }

    private static boolean contains(VectorTimestamp intervals, List<Notice> notices) {
        return notices.stream().allMatch(each -> intervals.covers(each.writer(), each.interval()));
    }

    @Override
    public Hold hold(PageId page) {
        return switch (pages.entry(page).state()) {
            case State.Clean(long until, Copy _) -> NoticedPages.holdUntil(until, context);
            case State.Fetching fetching when fetching.growths() == NoticedPages.GROWTHS_MAX ->
                    Hold.FETCH;
            default -> Hold.NOTHING;
        };
    }

    @Override
    public boolean isWithdrawn(PageId page, List<Notice> notices, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        pages.noticed(page, notices);
        switch (entry.state()) {
            case State.Invalid() -> {
                return false;
            }
            case State.Clean _ -> {
                entry.become(new State.Withdrawing(Wanted.NOTHING));
                return true;
            }
            case State.Fetching(VectorTimestamp asked, VectorTimestamp needed, int growths) -> {
                VectorTimestamp more = needed;
                for (Notice each : notices) {
                    if (!more.covers(each.writer(), each.interval())) {
                        more = more.with(each.writer(), each.interval());
                    }
                }
                entry.become(new State.Fetching(asked, more, growths + 1));
                return false;
            }
            case State.Asking(Copy copy, boolean _, var deferred) -> {
                entry.become(new State.Asking(copy, false, deferred));
                out.count(NodeCounter.INVALIDATIONS);
                out.setAccess(page, PageAccess.NONE); // one page, and at once
                return false;
            }
            default -> throw new ProtocolViolation(entry, "notice");
        }
    }

    @Override
    public boolean isSettled(PageId page, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        if (!(entry.state() instanceof State.Withdrawing(Wanted wanted))) {
            throw new ProtocolViolation(entry, "AccessWithdrawn");
        }
        pages.becomeInvalid(entry, wanted, out);
        return true;
    }
}
