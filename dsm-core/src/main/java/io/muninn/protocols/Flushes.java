package io.muninn.protocols;

import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.protocol.Leaving;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The flushes of one node that are not over: which pages still have to be compared with their
 * twins, which updates are not acknowledged, and who waits for it.
 *
 * <p>A release waits for its own flush and for every earlier one, whichever thread began it: else
 * the second of two local threads would find the queue emptied by the first one's flush and pass
 * its lock before the first one's stores have arrived (Munin §2.1.1, condition 2).
 *
 * <p>A page is in one flush at a time; a later one waits until the earlier one's update is
 * acknowledged by all. Else copyset closure could send the earlier diff to a node that has applied
 * the later one already, and put an old value back.
 */
final class Flushes {
    /** Most pages with a saved diff at a time: bounds the bytes in flight. */
    static final int PAGES_MAX = 256;

    /** A page's update under way. */
    static final class PendingUpdate {
        final PageId page;
        final long interval;
        final int bytes;
        Copyset missing = Copyset.EMPTY;

        /** The copies that have the update, or will have it once they are acknowledged. */
        DatedCopyset told = DatedCopyset.EMPTY;

        /**
         * @param bytes length of the diff
         */
        PendingUpdate(PageId page, long interval, int bytes) {
            this.page = page;
            this.interval = interval;
            this.bytes = bytes;
        }
    }

    /** A page to compare with its twin. */
    record Queued(PageId page, long interval) {}

    private static final class OpenInterval {
        int pages;
        final List<Leaving> waiting = new ArrayList<>();
    }

    private final TreeMap<Long, OpenInterval> open = new TreeMap<>();
    private final ArrayDeque<Queued> queued = new ArrayDeque<>();
    private final Map<PageId, Queued> behind = new TreeMap<>(); // of pages under way
    private final TreeSet<PageId> underWay = new TreeSet<>();
    private final Map<PageId, PendingUpdate> pending = new TreeMap<>();
    private long lastInterval;

    /** True when every update that this node has sent is acknowledged and none is to come. */
    boolean isIdle() {
        return open.isEmpty();
    }

    /** Begins a flush of these pages. */
    long begin(Iterable<PageId> pages) {
        long interval = ++lastInterval;
        OpenInterval opened = new OpenInterval();
        for (PageId page : pages) {
            Queued next = new Queued(page, interval);
            if (underWay.contains(page)) {
                behind.put(page, next);
            } else {
                queued.add(next);
            }
            opened.pages++;
        }
        open.put(interval, opened);
        return interval;
    }

    /** Lets a release wait for all flushes begun so far; there is at least one. */
    void await(Leaving leaving) {
        open.lastEntry().getValue().waiting.add(leaving);
    }

    /** Takes the next page to compare with its twin, if one may be taken now. */
    boolean canSave() {
        return underWay.size() < PAGES_MAX && !queued.isEmpty();
    }

    /**
     * @return the page and interval to save; call only if {@link #canSave}
     */
    Queued nextToSave() {
        Queued next = queued.remove();
        underWay.add(next.page());
        return next;
    }

    void sent(PendingUpdate update) {
        pending.put(update.page, update);
    }

    /** True while an update of this page is not acknowledged by all. */
    boolean isPending(PageId page) {
        return pending.containsKey(page);
    }

    /** That update; there is one if {@link #isPending}. */
    PendingUpdate pending(PageId page) {
        return pending.get(page);
    }

    /** True if a node has been told of this update and has not acknowledged it. */
    boolean isAwaited(PageId page, long interval, NodeId from) {
        return isPending(page)
                && pending(page).interval == interval
                && pending(page).missing.contains(from);
    }

    /**
     * A page of an interval is flushed.
     *
     * @return the releases that are performed by it, in order
     */
    List<Leaving> done(PageId page, long interval) {
        pending.remove(page);
        underWay.remove(page);
        Queued next = behind.remove(page);
        if (next != null) {
            queued.addFirst(next);
        }
        open.get(interval).pages--;
        List<Leaving> performed = new ArrayList<>();
        while (!open.isEmpty() && open.firstEntry().getValue().pages == 0) {
            performed.addAll(open.pollFirstEntry().getValue().waiting);
        }
        return performed;
    }
}
