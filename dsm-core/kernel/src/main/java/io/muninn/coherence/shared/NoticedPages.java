package io.muninn.coherence.shared;

import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The effects of a node's acquires and collections on the pages of one protocol: the columns notice
 * and AccessWithdrawn of its table. They process the notices of stores that a copy lacks: the need
 * of the copy grows, and its access is withdrawn. They are performed when that is done for all
 * copies. A page for which a thread has waited is not withdrawn within the hold time.
 */
public final class NoticedPages {
    /** The reason why a page must not be withdrawn yet. */
    public enum Hold {
        NOTHING,
        /** A thread that has waited for the page may not have used it yet. */
        HOLD_TIME,
        /** A fetch whose need has grown too often; {@link #onFetched} reports its end. */
        FETCH
    }

    /** The copies of the node. */
    public interface Copies {
        /** True if the copy does not contain all that these notices announce. */
        boolean lacks(PageId page, List<Notice> notices);

        Hold hold(PageId page);

        /**
         * Completes the copy if everything that these notices announce is present already. Threads
         * keep their access.
         *
         * @return false if the copy still lacks some of it
         */
        default boolean isCompleted(PageId page, List<Notice> notices, Effects out) {
            return false;
        }

        /**
         * Adds stores to those that the copy must contain.
         *
         * @param notices of stores, some of which it lacks
         * @return true if threads have access to it, which is withdrawn after this call
         */
        boolean isWithdrawn(PageId page, List<Notice> notices, Effects out);

        /**
         * Called when the access has been withdrawn.
         *
         * @return false if no acquire waits for it, or if the page must still wait for a result,
         *     which calls {@link NoticedPages#settled}
         */
        boolean isSettled(PageId page, Effects out);

        /**
         * Called before an acquire is performed: from now on the node has seen everything that
         * {@code until} covers.
         */
        default void performing(VectorTimestamp until, Effects out) {}
    }

    /** Number of times that the need may grow before an acquire waits for the end of the fetch. */
    public static final int GROWTHS_MAX = 2;

    private final Context context;
    private final MappingId of;
    private final Copies copies;
    private final AcquireQueue acquires;
    private final TreeMap<PageId, List<Notice>> held = new TreeMap<>(); // of the current acquire
    private final RefusedPages refused = new RefusedPages();

    /** The effects on all processes of the node. */
    public NoticedPages(Context context, Copies copies, WriteNotices notices) {
        this(context, MappingId.ALL, copies, notices);
    }

    /** The effects on one process, which has a view of its own. */
    public NoticedPages(Context context, MappingId of, Copies copies, WriteNotices notices) {
        this.context = context;
        this.of = of;
        this.copies = copies;
        this.acquires = new AcquireQueue(() -> context.clock().view(of), notices, new Action());
    }

    public void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        acquires.add(acquire, until, out);
    }

    /** As {@link #onAcquire(GatedAcquire, VectorTimestamp, Effects)}, for a part of an acquire. */
    public void onAcquire(VectorTimestamp until, Consumer<Effects> performed, Effects out) {
        acquires.add(until, performed, out);
    }

    /** Called when all protocols have performed an acquire. */
    public void onAcquirePerformed(Effects out) {
        acquires.onAcquirePerformed(out);
    }

    /**
     * Processes all notices that a collection covers.
     *
     * @param performed runs when this is done: this node needs none of them any more
     */
    public void onCollect(VectorTimestamp upTo, Consumer<Effects> performed, Effects out) {
        acquires.addCollection(upTo, performed, out);
    }

    private final class Action implements AcquireQueue.Action {
        @Override
        public void act(List<Notice> notices, Effects out) {
            actOn(notices, out);
        }

        @Override
        public void performing(VectorTimestamp until, Effects out) {
            copies.performing(until, out);
        }
    }

    private void actOn(List<Notice> notices, Effects out) {
        List<NoticeOf> named = new ArrayList<>();
        for (Notice notice : notices) {
            notice.pages().forEach(page -> named.add(new NoticeOf(page, notice)));
        }
        // Fast, because the pages of a notice are in order.
        named.sort(Comparator.comparing(NoticeOf::page));
        Withdrawals withdrawals = new Withdrawals(affected(out), out);
        int end;
        for (int begin = 0; begin < named.size(); begin = end) {
            PageId page = named.get(begin).page();
            List<Notice> news = new ArrayList<>(1);
            for (end = begin; end < named.size() && named.get(end).page().equals(page); end++) {
                news.add(named.get(end).notice());
            }
            if (mustWithdraw(page, news, out)) {
                withdrawals.add(page);
            }
        }
        withdrawals.end();
    }

    /** A notice of several pages, for one of them. */
    private record NoticeOf(PageId page, Notice notice) {}

    /**
     * Adds to the need of a page. The acquire waits until the page is withdrawn, or may be.
     *
     * @return true if it must be withdrawn now
     */
    private boolean mustWithdraw(PageId page, List<Notice> news, Effects out) {
        if (!copies.lacks(page, news)) {
            return false;
        }
        out.pageEvent(page, "notice");
        if (copies.isCompleted(page, news, out)) {
            return false;
        }
        Hold hold = copies.hold(page);
        if (hold != Hold.NOTHING) {
            held.put(page, news);
            acquires.await();
            if (hold == Hold.HOLD_TIME) {
                armTimer(page, out);
            }
            return false;
        }
        if (!copies.isWithdrawn(page, news, out)) {
            return false;
        }
        out.count(NodeCounter.INVALIDATIONS);
        acquires.await();
        return true;
    }

    /**
     * The hold of a page that threads may use, and must not lose before that time. Posted calls,
     * abandoned waits and collections do not count as stopped threads.
     */
    public static Hold holdUntil(long nanos, Context context) {
        return context.hasRunningThreads() && context.nowNanos() < nanos
                ? Hold.HOLD_TIME
                : Hold.NOTHING;
    }

    private void armTimer(PageId page, Effects out) {
        out.armTimer(new TimerId.HoldOver(page), context.holdNanos());
    }

    /** Whose access the effects of a step withdraw. */
    private MappingId affected(Effects out) {
        return of.equals(MappingId.ALL) ? out.mapping() : of;
    }

    /** Called when a page has been fetched, and its threads continue. */
    public void onFetched(PageId page, Effects out) {
        if (held.containsKey(page)) {
            armTimer(page, out);
        }
    }

    /** Called when threads have had time to use the page, or to end their traps. */
    public void onHoldOver(PageId page, Effects out) {
        List<Notice> news = held.remove(page);
        if (news != null) {
            if (mustWithdraw(page, news, out)) {
                out.withdraw(affected(out), page, 1);
            }
            acquires.settled(1, out);
        } else if (refused.isDue(page)) {
            out.withdraw(affected(out), page, 1);
        }
    }

    public void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        int settled = 0;
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            if (withdrawn.refused().contains(page)) {
                refused.refused(page, out);
            } else {
                refused.withdrawn(page);
                settled += copies.isSettled(page, out) ? 1 : 0;
            }
        }
        acquires.settled(settled, out);
    }

    /** Settles a page that was not settled when it was withdrawn. */
    public void settled(Effects out) {
        acquires.settled(1, out);
    }
}
