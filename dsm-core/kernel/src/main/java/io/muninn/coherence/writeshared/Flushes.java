package io.muninn.coherence.writeshared;

import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.directory.PageMap;
import io.muninn.directory.PageQueue;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.GatedRelease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flushes of one node that are not over: which pages still have to be compared with their
 * twins, which updates are not acknowledged, and who waits for it.
 *
 * <p>A release waits for its own flush and for every earlier one, whichever thread began it: else
 * the second of two local threads would find the queue emptied by the first one's flush and pass
 * its lock before the first one's stores have arrived (Munin §2.1.1, condition 2).
 *
 * <p>All pages are compared, and then sent in batches, one after the other: the next begins when
 * all have acknowledged the last one. With an update timeout a batch is as large as the network can
 * carry well within the window. So whoever is told of a page has had time to use it since the last
 * time, or to find that it does not; were all pages of all nodes under way at once, nobody could
 * tell. More pages than one batch go in the node's {@link FlushOrder}, in rounds: a batch is of one
 * round.
 *
 * <p>A page is in one flush at a time; a later one waits until the earlier one's update is
 * acknowledged by all. Else copyset closure could send the earlier diff to a node that has applied
 * the later one already, and put an old value back.
 */
final class Flushes {
    /**
     * Pages in the first batch with an update timeout, and the fewest in any; if so many may be.
     */
    private static final int BATCH_MIN = 8;

    /** A batch is to be acknowledged within this part of the window, or the next is not larger. */
    private static final int WINDOW_PART = 4;

    /** A page's part of a flush, until all have acknowledged its update. */
    static final class PageUpdate {
        final PageId page;

        /** Length of the diff, once the page is compared. */
        int bytes;

        Copyset missing = Copyset.EMPTY;

        /** The copies that have the update, or will have it once they are acknowledged. */
        DatedCopyset told = DatedCopyset.EMPTY;

        /** How many updates of the page before this one, without a break, all copies outlived. */
        int timesWanted;

        private final OpenInterval open;
        private boolean isPending; // from when there is an update to be sent
        private boolean isInBatch;
        private @Nullable PageUpdate behind; // null if no later flush has the page

        PageUpdate(PageId page, OpenInterval open) {
            this.page = page;
            this.open = open;
        }

        long interval() {
            return open.number;
        }
    }

    /** A flush, while not all of its pages are flushed. */
    static final class OpenInterval {
        private final long number;
        private final boolean isInRounds;
        private int pages;
        private final List<GatedRelease> waiting = new ArrayList<>();

        OpenInterval(long number, boolean isInRounds) {
            this.number = number;
            this.isInRounds = isInRounds;
        }
    }

    private final PageQueue delayedUpdates = new PageQueue();
    private final ArrayDeque<OpenInterval> open = new ArrayDeque<>(); // in order
    private final ArrayDeque<PageUpdate> queued = new ArrayDeque<>(); // to be compared
    private final ArrayDeque<PageUpdate> ready = new ArrayDeque<>(); // to be sent

    /** Of pages under way: from when they are taken to be compared until all is acknowledged. */
    private final PageMap<PageUpdate> underWay = new PageMap<>();

    private int batchOpen; // pages of the present batch that are under way

    private final Context context;
    private final FlushOrder order;
    private final int batchMax; // bounds the bytes in flight; also pages compared in one step
    private final int batchMin;
    private int saves;
    private int batchPages;
    private int batchLeft;
    private int batchRound;
    private long batchBeganNanos;
    private long lastInterval;

    Flushes(Context context) {
        this.context = context;
        order = new FlushOrder(context);
        batchMax = context.updates().limits().pages();
        batchMin = Math.min(BATCH_MIN, batchMax);
        batchPages = context.updates().timesOut() ? batchMin : batchMax;
    }

    /** True when every update that this node has sent is acknowledged and none is to come. */
    boolean isIdle() {
        return open.isEmpty();
    }

    /** The last interval that is flushed, and all before it are. */
    long completed() {
        return open.isEmpty() ? lastInterval : open.getFirst().number - 1;
    }

    /** Puts a page into the delayed update queue. */
    void dirty(PageId page) {
        delayedUpdates.add(page);
    }

    /** True if there is a page in the delayed update queue. */
    boolean isDirty() {
        return !delayedUpdates.isEmpty();
    }

    /** True if a page is in the delayed update queue. */
    boolean isDirty(PageId page) {
        return delayedUpdates.contains(page);
    }

    /** Begins a flush of the delayed update queue. */
    long begin() {
        return begin(delayedUpdates.take());
    }

    /** Begins a flush of one page of the delayed update queue; nobody waits for it. */
    long begin(PageId page) {
        delayedUpdates.remove(page);
        return begin(List.of(page));
    }

    private long begin(List<PageId> pages) {
        long interval = ++lastInterval;
        boolean isInRounds = context.updates().timesOut() && pages.size() > batchPages;
        OpenInterval opened = new OpenInterval(interval, isInRounds);
        if (isInRounds) {
            order.sort(pages);
        }
        for (PageId page : pages) {
            PageUpdate next = new PageUpdate(page, opened);
            PageUpdate before = underWay.get(page);
            if (before == null) {
                queued.add(next);
            } else {
                before.behind = next;
            }
            opened.pages++;
        }
        open.add(opened);
        return interval;
    }

    /** Lets a release wait for all flushes begun so far; there is at least one. */
    void await(GatedRelease leaving) {
        open.getLast().waiting.add(leaving);
    }

    /** Takes the next page to compare with its twin, if one may be taken now. */
    boolean canSave() {
        return !queued.isEmpty() && saves < batchMax;
    }

    /**
     * @return the page to save, and its interval; call only if {@link #canSave}
     */
    PageUpdate nextToSave() {
        PageUpdate next = queued.remove();
        underWay.put(next.page, next);
        saves++;
        return next;
    }

    /**
     * A page has been compared.
     *
     * @return true if no other comparison is awaited
     */
    boolean saved() {
        saves--;
        return saves == 0;
    }

    /**
     * There is an update to be sent.
     *
     * @param bytes length of the diff
     */
    void ready(PageUpdate update, int bytes) {
        update.bytes = bytes;
        update.isPending = true;
        ready.add(update);
    }

    /** Takes the next update to send, if one may be sent now. */
    boolean canSend() {
        return !ready.isEmpty()
                && (batchOpen == 0 || batchLeft > 0 && batchRound == round(ready.element()));
    }

    /**
     * @return the update to send; call only if {@link #canSend}
     */
    PageUpdate nextToSend() {
        if (batchOpen == 0) {
            batchLeft = batchPages;
            batchRound = round(ready.element());
            batchBeganNanos = context.nowNanos();
        }
        batchLeft--;
        PageUpdate next = ready.remove();
        batchOpen++;
        next.isInBatch = true;
        return next;
    }

    /**
     * True if no other node tells this one of a page before the copies of all may end: then its own
     * flush begins its window.
     */
    boolean beginsWindow(PageUpdate update) {
        return update.open.isInRounds && round(update) == 0;
    }

    private int round(PageUpdate update) {
        return update.open.isInRounds ? order.round(update.page) : 0;
    }

    /** The update of this page that is to be sent, or not acknowledged by all; null if none is. */
    @Nullable PageUpdate pending(PageId page) {
        PageUpdate update = underWay.get(page);
        return update == null || !update.isPending ? null : update;
    }

    /** True while there is such an update. */
    boolean isPending(PageId page) {
        return pending(page) != null;
    }

    /** The update of this page that is being compared, to be sent, or not acknowledged by all. */
    PageUpdate underWay(PageId page) {
        PageUpdate update = underWay.get(page);
        if (update == null) {
            throw new IllegalStateException("no flush of page " + page + " is under way");
        }
        return update;
    }

    /** The update of this page and interval, if a node is yet to acknowledge it; else null. */
    @Nullable PageUpdate awaited(PageId page, long interval, NodeId from) {
        PageUpdate update = pending(page);
        return update != null && update.interval() == interval && update.missing.contains(from)
                ? update
                : null;
    }

    /**
     * A page is flushed.
     *
     * @return the releases that are performed by it, in order
     */
    List<GatedRelease> done(PageUpdate ended) {
        underWay.remove(ended.page);
        if (ended.isInBatch) {
            leaveBatch();
        }
        if (ended.behind != null) {
            queued.addFirst(ended.behind);
            ended.behind = null;
        }
        ended.open.pages--;
        if (open.getFirst().pages > 0) {
            return List.of();
        }
        List<GatedRelease> performed = new ArrayList<>();
        while (!open.isEmpty() && open.getFirst().pages == 0) {
            OpenInterval flushed = open.remove();
            performed.addAll(flushed.waiting);
            flushed.waiting.clear(); // its pages' updates are remembered, and what they refer to
        }
        return performed;
    }

    private void leaveBatch() {
        batchOpen--;
        if (batchOpen == 0 && context.updates().timesOut()) {
            endBatch(context.nowNanos() - batchBeganNanos);
        }
    }

    /** A full batch that was quick makes the next one larger; a slow one makes it smaller. */
    private void endBatch(long tookNanos) {
        long windowNanos = context.updates().timeoutNanos();
        if (tookNanos > windowNanos) {
            batchPages = Math.max(batchMin, batchPages / 2);
        } else if (batchLeft == 0 && tookNanos <= windowNanos / WINDOW_PART) {
            batchPages = Math.min(batchMax, batchPages * 2);
        }
    }
}
