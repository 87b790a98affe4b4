package io.muninn.verify.check;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stores to each granule of release-consistent regions that may still be visible in some copy,
 * and their happened-before order. Checks nothing itself.
 *
 * <p>A store hides the stores that happened before it from every thread that knows of it. A page
 * with one writer at a time contains all stores before the writer's own, so the order of hiding is
 * the witness order. Any other store is in a diff, which follows the diffs of the stores that
 * happened before. A store may be in no diff, and then hides nothing: if threads of two nodes have
 * stored to a granule concurrently, a node may store a value that another node has stored, or that
 * was there before. Its page then equals its twin, and its stores are not sent. Without such
 * conflicts, as in every program without data races, every store hides the stores that happened
 * before it.
 *
 * <p><b>Order.</b> It is notified after {@link VectorTimestamps}, and before the checkers that use
 * it.
 */
final class Stores implements Observer {
    /** A store to one granule. */
    static final class Store {
        final int thread;
        final int node;
        final int interval;
        final long order;
        final long value;
        private final int[] known; // to its thread, when it stored
        private boolean isUnsent; // possibly: its node's copy may equal the twin again
        private final BitSet passedNodes = new BitSet(); // where a later store was visible
        private int knowers; // the first threads of all, as many as are known to know of it

        private Store(int thread, int node, int interval, long order, long value, int[] known) {
            this.thread = thread;
            this.node = node;
            this.interval = interval;
            this.order = order;
            this.value = value;
            this.known = known;
        }

        boolean happenedBefore(Store other) {
            if (thread == other.thread) {
                return order < other.order;
            }
            return thread < 0 || other.thread >= 0 && interval <= other.known[thread];
        }

        boolean isKnown(int[] to) {
            return thread < 0 || interval <= to[thread];
        }

        /** Records that a store which happened after this one was visible in a node's copy. */
        void pass(int node) {
            passedNodes.set(node);
        }

        /** True if a store which happened after this one was visible in a node's copy. */
        boolean isPassed(int node) {
            return passedNodes.get(node);
        }

        @Override
        public String toString() {
            return thread < 0 ? "0 (initially)" : value + " by thread " + thread + " of all";
        }
    }

    /** The stores to one granule that may be visible, in witness order. */
    static final class Granule {
        private final List<Store> stores = new ArrayList<>(2);
        private final boolean hasOneWriter;
        private boolean hadConflict;

        private Granule(boolean hasOneWriter) {
            this.hasOneWriter = hasOneWriter;
        }

        List<Store> stores() {
            return stores;
        }

        /**
         * True if the earlier store can no longer be visible in a copy that contains the later one.
         */
        boolean isBefore(Store earlier, Store later) {
            return hasOneWriter ? earlier.order < later.order : earlier.happenedBefore(later);
        }

        private boolean hides(Store store) {
            return !(hadConflict && store.isUnsent);
        }

        /**
         * True if a store can no longer be visible in a copy.
         *
         * @param at index of the store in {@link #stores}
         * @param known timestamp of the thread that loads from the copy
         */
        boolean isHidden(int at, int[] known) {
            return isHidden(at, store -> store.isKnown(known));
        }

        private boolean isHidden(int at, Predicate<Store> isKnown) {
            Store store = stores.get(at);
            for (int i = stores.size() - 1; i > at; i--) {
                Store later = stores.get(i);
                if (isBefore(store, later) && hides(later) && isKnown.test(later)) {
                    return true;
                }
            }
            return hadConflict && isOlderThanAll(store, isKnown);
        }

        /**
         * True if all other stores that may be visible are known and happened after it: one of them
         * is visible.
         */
        private boolean isOlderThanAll(Store store, Predicate<Store> isKnown) {
            boolean isOlder = false;
            for (Store other : stores) {
                if (other != store && !other.happenedBefore(store)) {
                    if (!store.happenedBefore(other) || !isKnown.test(other)) {
                        return false;
                    }
                    isOlder = true;
                }
            }
            return isOlder;
        }

        /** Marks the stores that happened before a store as passed on the node that stored it. */
        private void pass(Store stored) {
            for (Store each : stores) {
                if (each != stored && isBefore(each, stored)) {
                    each.pass(stored.node);
                }
            }
        }
    }

    /** The granules of a page. */
    static final class Page {
        final int granuleBytes;
        private final boolean hasOneWriter;
        private final @Nullable Granule[] granules; // null until stored to or loaded from

        private Page(RegionSpec region, boolean hasOneWriter) {
            this.granuleBytes = region.granuleBytes();
            this.hasOneWriter = hasOneWriter;
            this.granules = new Granule[region.pageBytes() / granuleBytes];
        }

        /** The granule at an offset in bytes. */
        Granule at(int offset) {
            Granule granule = granules[offset / granuleBytes];
            if (granule == null) {
                granule = new Granule(hasOneWriter);
                granule.stores.add(new Store(-1, -1, 0, -1, 0, new int[0]));
                granules[offset / granuleBytes] = granule;
            }
            return granule;
        }

        /**
         * The part of an element's value in one granule.
         *
         * @param at offset of the granule in the element, in bytes; elements are little-endian
         */
        long part(long value, int at) {
            int shift = Long.SIZE - granuleBytes * Byte.SIZE;
            return value >> at * Byte.SIZE << shift >> shift;
        }
    }

    private final ClusterView overview;
    private final VectorTimestamps timestamps;
    private final PerPage<Page> pages;
    private long stores;

    Stores(ClusterView overview, VectorTimestamps timestamps) {
        this.overview = overview;
        this.timestamps = timestamps;
        this.pages =
                new PerPage<>(page ->
                        new Page(
                                overview.region(page),
                                overview.traits(page).has(Trait.ONE_WRITER)));
    }

    /** True if stores to a page are recorded here. */
    boolean areKept(PageId page) {
        return overview.traits(page).memoryModel() == MemoryModel.RELEASE_CONSISTENCY;
    }

    Page page(PageId page) {
        return pages.of(page);
    }

    /**
     * True if a store of this value may still be visible: no other store happened after it, or one
     * that did may be unsent.
     */
    boolean mayRemain(PageId page, int offset, long value) {
        Granule granule = pages.of(page).at(offset);
        for (int i = 0; i < granule.stores.size(); i++) {
            if (granule.stores.get(i).value == value && !granule.isHidden(i, _ -> true)) {
                return true;
            }
        }
        return false;
    }

    /** True if threads of two nodes have stored here concurrently. */
    boolean hadConflict(PageId page, int offset) {
        return pages.of(page).at(offset).hadConflict;
    }

    /** True if a thread has stored here and released nothing since. */
    boolean isUnreleased(PageId page, int offset) {
        for (Store store : pages.of(page).at(offset).stores) {
            if (isUnreleased(store)) {
                return true;
            }
        }
        return false;
    }

    /** True if a thread of a node has stored to a page and released nothing since. */
    boolean isUnreleasedBy(int node, PageId page) {
        for (Granule granule : pages.of(page).granules) {
            if (granule != null) {
                for (Store store : granule.stores) {
                    if (store.node == node && isUnreleased(store)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isUnreleased(Store store) {
        return store.thread >= 0 && store.interval == timestamps.interval(store.thread);
    }

    @Override
    public void onStore(SimThread thread, PageId id, int offset, int bytes, long value) {
        if (!areKept(id)) {
            return;
        }
        int position = thread.position();
        Page page = pages.of(id);
        for (int at = 0; at < bytes; at += page.granuleBytes) {
            add(
                    page.at(offset + at),
                    new Store(
                            position,
                            thread.node().id().index(),
                            timestamps.interval(position),
                            stores++,
                            page.part(value, at),
                            timestamps.known(position)));
        }
    }

    private void add(Granule granule, Store store) {
        List<Store> present = granule.stores;
        forget(granule);
        boolean isOldValue = false;
        for (Store other : present) {
            granule.hadConflict |= other.node != store.node && !granule.isBefore(other, store);
            isOldValue |= other.value == store.value;
        }
        if (isOldValue) {
            store.isUnsent = true;
            markUnsent(present, store.node);
        }
        present.add(store);
        granule.pass(store);
    }

    private static void markUnsent(List<Store> stores, int node) {
        for (Store each : stores) {
            each.isUnsent |= each.node == node;
        }
    }

    /** Drops stores that are hidden from all threads. */
    private void forget(Granule granule) {
        List<Store> present = granule.stores;
        if (present.size() == 1) {
            return;
        }
        for (int i = present.size() - 2; i >= 0; i--) {
            if (granule.isHidden(i, this::isKnownToAll)) {
                present.remove(i);
            }
        }
        granule.hadConflict &= present.size() > 1;
    }

    /** True if all threads know of a store. What a thread knows of it never forgets. */
    private boolean isKnownToAll(Store store) {
        int threads = timestamps.threads();
        while (store.knowers < threads && store.isKnown(timestamps.known(store.knowers))) {
            store.knowers++;
        }
        return store.knowers == threads;
    }
}
