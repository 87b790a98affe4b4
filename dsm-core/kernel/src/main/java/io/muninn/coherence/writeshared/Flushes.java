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
 * The incomplete flushes of one node: the pages that must still be compared with their twins, the
 * unacknowledged updates, and the releases that wait for them.
 *
 * <p>A release waits for its own flush and for every earlier one, regardless of the thread that
 * began it. Otherwise the second of two local threads would find the queue emptied by the first
 * one's flush, and pass its lock before the first one's stores have arrived (Munin §2.1.1,
 * condition 2).
 *
 * <p>All pages are compared, and then sent in consecutive batches: the next begins when all nodes
 * have acknowledged the previous one. With an update timeout, a batch is as large as the network
 * can carry well within the window. So a node that receives an update of a page has had time to use
 * it since the previous update; a page that was not used can be detected. With all pages of all
 * nodes in transit at once, it could not. More pages than one batch are sent in the node's {@link
 * FlushOrder}, in rounds: a batch belongs to one round.
 *
 * <p>A page is in one flush at a time; a later one waits until the earlier one's update is
 * acknowledged by all. Otherwise copyset closure could send the earlier diff to a node that has
 * already applied the later one, and restore an old value.
 */
final class Flushes {
    /**
     * Size of the first batch with an update timeout, and the smallest size of any, in pages; less
     * if fewer are permitted.
     */
    private static final int BATCH_MIN = 8;

    /**
     * A batch must be acknowledged within this fraction of the window; otherwise the next one is
     * not larger.
     */
    private static final int WINDOW_PART = 4;

    /** A page's part of a flush, until all have acknowledged its update. */
    static final class PageUpdate {
        final PageId page;

        /** Length of the diff, once the page is compared. */
        int bytes;

        Copyset missing = Copyset.EMPTY;

        /** The copies that have the update, or will have it once it is acknowledged. */
        DatedCopyset told = DatedCopyset.EMPTY;

        /** Number of previous consecutive updates of the page that all copies outlived. */
        int timesWanted;

        private final OpenFlush open;
        private boolean isPending; // true from the time when there is an update to send
        private boolean isInBatch;
        private @Nullable PageUpdate behind; // null if no later flush has the page

        PageUpdate(PageId page, OpenFlush open) {
            this.page = page;
            this.open = open;
        }

        long interval() {
            return open.number;
        }
    }

    /** A flush, while not all of its pages are flushed. */
    static final class OpenFlush {
        private final long number;
        private final boolean isInRounds;
        private int pages;
        private final List<GatedRelease> waiting = new ArrayList<>();

        OpenFlush(long number, boolean isInRounds) {
            this.number = number;
            this.isInRounds = isInRounds;
        }
    }

    private final PageQueue delayedUpdates = new PageQueue();
    private final ArrayDeque<OpenFlush> open = new ArrayDeque<>(); // in order
    private final ArrayDeque<PageUpdate> queued = new ArrayDeque<>(); // to be compared
    private final ArrayDeque<PageUpdate> ready = new ArrayDeque<>(); // to be sent

    /**
     * Outstanding pages: from the time when they are taken to be compared until all is
     * acknowledged.
     */
    private final PageMap<PageUpdate> underWay = new PageMap<>();

    private int batchOpen; // outstanding pages of the current batch

    private final Context context;
    private final FlushOrder order;
    private final int batchMax; // bounds the bytes in transit, and the pages compared in one step
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

    /**
     * True when every update that this node has sent is acknowledged and no update is to be sent.
     */
    boolean isIdle() {
        return open.isEmpty();
    }

    /** The last interval that is flushed together with all before it. */
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

    /** Begins a flush of one page of the delayed update queue; no release waits for it. */
    long begin(PageId page) {
        delayedUpdates.remove(page);
        return begin(List.of(page));
    }

    private long begin(List<PageId> pages) {
        long interval = ++lastInterval;
        boolean isInRounds = context.updates().timesOut() && pages.size() > batchPages;
        OpenFlush opened = new OpenFlush(interval, isInRounds);
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

    /** Makes a release wait for all flushes begun so far; there is at least one. */
    void await(GatedRelease leaving) {
        open.getLast().waiting.add(leaving);
    }

    /** True if a page is queued for comparison with its twin and may be taken now. */
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
     * Records that a page has been compared.
     *
     * @return true if no other comparison is outstanding
     */
    boolean saved() {
        saves--;
        return saves == 0;
    }

    /**
     * Queues an update to be sent.
     *
     * @param bytes length of the diff
     */
    void ready(PageUpdate update, int bytes) {
        update.bytes = bytes;
        update.isPending = true;
        ready.add(update);
    }

    /** True if an update is queued and may be sent now. */
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
     * True if no other node sends updates of a page to this one before copies may end: then its own
     * flush begins the window.
     */
    boolean beginsWindow(PageUpdate update) {
        return update.open.isInRounds && round(update) == 0;
    }

    private int round(PageUpdate update) {
        return update.open.isInRounds ? order.round(update.page) : 0;
    }

    /** The update of this page that is queued or unacknowledged; null if there is none. */
    @Nullable PageUpdate pending(PageId page) {
        PageUpdate update = underWay.get(page);
        return update == null || !update.isPending ? null : update;
    }

    /** True while there is such an update. */
    boolean isPending(PageId page) {
        return pending(page) != null;
    }

    /** The update of this page that is being compared, queued or unacknowledged. */
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
     * Records that a page is flushed.
     *
     * @return the releases that this performs, in order
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
            OpenFlush flushed = open.remove();
            performed.addAll(flushed.waiting);
            // its pages' updates are kept, with everything that they refer to
            flushed.waiting.clear();
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
