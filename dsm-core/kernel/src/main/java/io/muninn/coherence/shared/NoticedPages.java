package io.muninn.coherence.shared;

import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What the acquires and collections of a node do to the pages of one protocol: the columns notice
 * and AccessWithdrawn of its table. They act on the notices of stores that a copy lacks: what the
 * copy must contain grows, and its access is withdrawn. They are performed when that is done for
 * all copies. A page that a thread has waited for is not withdrawn within the hold time.
 */
public final class NoticedPages {
    /** What keeps a page from being withdrawn. */
    public enum Hold {
        NOTHING,
        /** A thread that has waited for the page may not have used it yet. */
        HOLD_TIME,
        /** A fetch whose need has grown too often; {@link #onFetched} tells of its end. */
        FETCH
    }

    /** The copies that the node has. */
    public interface Copies {
        /** True if the copy does not contain all that these notices announce. */
        boolean lacks(PageId page, List<Notice> notices);

        Hold hold(PageId page);

        /**
         * Gives the copy what these notices announce, if that is here already: threads keep their
         * access.
         *
         * @return false if the copy lacks some of it still
         */
        default boolean isCompleted(PageId page, List<Notice> notices, Effects out) {
            return false;
        }

        /**
         * The copy must contain this, too.
         *
         * @param notices of stores, some of which it lacks
         * @return true if threads have access to it, which is withdrawn after this call
         */
        boolean isWithdrawn(PageId page, List<Notice> notices, Effects out);

        /**
         * Threads have no access any more.
         *
         * @return false if nothing has to be waited for, or if something else has: its end calls
         *     {@link NoticedPages#settled}
         */
        boolean isSettled(PageId page, Effects out);

        /** An acquire is about to be performed: from now on the node has seen what this covers. */
        default void performing(VectorTimestamp until, Effects out) {}
    }

    /** An acquire waits for the end of a fetch whose need has grown so often. */
    public static final int GROWTHS_MAX = 2;

    /** A trap stores within this time, unless its thread is stopped. */
    private static final long TRAP_NANOS = 20_000;

    private final Context context;
    private final Copies copies;
    private final AcquireQueue acquires;
    private final TreeMap<PageId, List<Notice>> held = new TreeMap<>(); // of the present acquire
    private final Set<PageId> refused = new TreeSet<>(); // to be withdrawn again

    public NoticedPages(Context context, Copies copies, WriteNotices notices) {
        this.context = context;
        this.copies = copies;
        this.acquires = new AcquireQueue(context.clock(), notices, new Action());
    }

    public void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        acquires.add(acquire, until, out);
    }

    /** An acquire is performed by all protocols. */
    public void onAcquirePerformed(Effects out) {
        acquires.onAcquirePerformed(out);
    }

    /**
     * Acts on all notices that a collection covers.
     *
     * @param performed takes place when that is done: this node needs none of them any more
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
        TreeMap<PageId, List<Notice>> byPage = new TreeMap<>();
        for (Notice notice : notices) {
            for (PageId page : notice.pages()) {
                byPage.computeIfAbsent(page, _ -> new ArrayList<>()).add(notice);
            }
        }
        Withdrawals withdrawals = new Withdrawals(out);
        byPage.forEach((page, news) -> {
            if (mustWithdraw(page, news, out)) {
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
    private boolean mustWithdraw(PageId page, List<Notice> news, Effects out) {
        if (!copies.lacks(page, news) || copies.isCompleted(page, news, out)) {
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
     * The hold of a page that threads may use, and are not to lose before that time. Neither posted
     * calls, nor waits that were given up, nor collections stop a thread.
     */
    public static Hold holdUntil(long nanos, Context context) {
        return context.hasRunningThreads() && context.nowNanos() < nanos
                ? Hold.HOLD_TIME
                : Hold.NOTHING;
    }

    private void armTimer(PageId page, Effects out) {
        out.armTimer(new TimerId.HoldOver(page), context.holdNanos());
    }

    /** A page has been fetched, and its threads go on. */
    public void onFetched(PageId page, Effects out) {
        if (held.containsKey(page)) {
            armTimer(page, out);
        }
    }

    /** Threads have had time to use the page, or to end their traps. */
    public void onHoldOver(PageId page, Effects out) {
        List<Notice> news = held.remove(page);
        if (news != null) {
            if (mustWithdraw(page, news, out)) {
                out.withdraw(page, 1);
            }
            acquires.settled(1, out);
        } else if (refused.remove(page)) {
            out.withdraw(page, 1);
        }
    }

    public void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        int settled = 0;
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            if (withdrawn.refused().contains(page)) {
                refused.add(page);
                out.armTimer(new TimerId.HoldOver(page), TRAP_NANOS);
            } else {
                settled += copies.isSettled(page, out) ? 1 : 0;
            }
        }
        acquires.settled(settled, out);
    }

    /** A page that is withdrawn, and was not settled then, is settled now. */
    public void settled(Effects out) {
        acquires.settled(1, out);
    }
}
