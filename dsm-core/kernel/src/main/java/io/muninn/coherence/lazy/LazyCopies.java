package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.Lazy.State;
import io.muninn.coherence.shared.NoticedPages;
import io.muninn.coherence.shared.NoticedPages.Hold;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import java.util.List;
import java.util.Set;

/**
 * The pages of this node as its acquires see them: the columns notice and AccessWithdrawn of {@link
 * Lazy}'s table.
 */
final class LazyCopies implements NoticedPages.Copies {
    private final Context context;
    private final WriteNotices notices;
    private final LazyPages pages;
    private final Fetches fetches;
    private final ReadAhead readAhead;
    private final PushedDiffs pushed;
    private final Outgoing outgoing;

    LazyCopies(
            Context context,
            WriteNotices notices,
            LazyPages pages,
            Fetches fetches,
            ReadAhead readAhead,
            PushedDiffs pushed,
            Outgoing outgoing) {
        this.context = context;
        this.notices = notices;
        this.pages = pages;
        this.fetches = fetches;
        this.readAhead = readAhead;
        this.pushed = pushed;
        this.outgoing = outgoing;
    }

    @Override
    public boolean lacks(PageId page, List<Notice> notices) {
        DirectoryEntry<State> entry = pages.entry(page);
        return notices.stream().anyMatch(notice -> !Fetches.contains(entry.applied(), notice));
    }

    @Override
    public Hold hold(PageId page) {
        return switch (pages.entry(page).state()) {
            case State.Clean(long until) -> NoticedPages.holdUntil(until, context);
            case State.Dirty(long until) -> NoticedPages.holdUntil(until, context);
            case State.Closed(long until) -> NoticedPages.holdUntil(until, context);
            case State.Fetching(Wanted _, int growths) when growths == NoticedPages.GROWTHS_MAX ->
                    Hold.FETCH;
            default -> Hold.NOTHING;
        };
    }

    /**
     * Makes the own diff before pushed diffs are applied. These are also applied to the twin, so a
     * later comparison does not contain them either.
     */
    @Override
    public boolean isCompleted(PageId page, List<Notice> notices, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        boolean isCurrent =
                switch (entry.state()) {
                    case State.Clean _, State.Dirty _, State.Closed _ -> true;
                    default -> false;
                };
        if (!isCurrent || !fetches.isPushed(entry, notices)) {
            return false;
        }
        if (entry.state() instanceof State.Clean && pushed.isProbe(page)) {
            return false;
        }
        pages.endCover(entry, out);
        fetches.applyPushed(entry, notices, out);
        out.count(NodeCounter.PUSHES_USEFUL);
        return true;
    }

    /** Called when a page to which threads have no access lacks one more diff. */
    private void noteUnread(PageId page, Effects out) {
        Set<NodeId> writers = pushed.unread(page, fetches.missing(page));
        if (!writers.isEmpty()) {
            writers.forEach(each -> outgoing.tellUnread(each, page));
            pushed.drop(page, out);
        }
    }

    @Override
    public boolean isWithdrawn(PageId page, List<Notice> notices, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        if (entry.state() instanceof State.Stale) {
            noteUnread(page, out);
        }
        fetches.needMore(entry, notices);
        pages.withdrawn(entry);
        switch (entry.state()) {
            case State.Clean _ -> entry.become(new State.Withdrawing(Wanted.NOTHING));
            case State.Dirty _ -> pages.becomeClosing(entry, Wanted.NOTHING);
            case State.Closed _ -> {
                entry.become(new State.Withdrawing(Wanted.NOTHING));
                pages.makeDiff(entry, out);
            }
            case State.Fetching(Wanted wanted, int growths) -> {
                entry.become(new State.Fetching(wanted, growths + 1));
                return false;
            }
            case State.Ahead() -> {
                readAhead.gone(page, out);
                return false;
            }
            case State.Absent(), State.Stale(), State.Zeros() -> {
                return false;
            }
            case State.Withdrawing _,
                    State.Closing _,
                    State.Exclusive _,
                    State.Idle _,
                    State.Initial() ->
                    throw new ProtocolViolation(entry, "notice");
        }
        return true;
    }

    @Override
    public boolean isSettled(PageId page, Effects out) {
        DirectoryEntry<State> entry = pages.entry(page);
        switch (entry.state()) {
            case State.Withdrawing(Wanted wanted) -> pages.becomeStale(entry, wanted, out);
            case State.Closing(Wanted _, long listed) -> {
                if (listed == context.clock().interval()) {
                    out.endInterval();
                }
                pages.makeDiff(entry, out); // its result settles the page
                return false;
            }
            default -> {
                return false; // the sealing withdrew it, not an acquire
            }
        }
        return true;
    }

    /**
     * Ends the cover of pages to which notices apply. A diff of several intervals has the place of
     * the first among the diffs of others. So it must not contain stores that threads make after
     * the node has received notices of its page that the first of these intervals did not cover,
     * though the copy may have had their diffs: while the acquire waited for other pages, or since
     * a collection.
     */
    @Override
    public void performing(VectorTimestamp until, Effects out) {
        for (Notice notice : notices.between(context.clock().seen(), until)) {
            notice.pages().forEach(page -> pages.endCover(pages.entry(page), out));
        }
    }
}
