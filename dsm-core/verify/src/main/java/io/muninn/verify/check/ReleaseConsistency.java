package io.muninn.verify.check;

import io.muninn.model.PageId;
import io.muninn.sim.SimThread;
import java.util.ArrayList;
import java.util.List;

/**
 * Release consistency of regions whose protocol promises no more, data races or not. Every load
 * gives, granule by granule, a value that was stored there, initially 0, and that
 *
 * <ul>
 *   <li>is not hidden: no other store happened after that one and before the load, except where
 *       {@link Stores} says that it may have been lost to a conflict
 *   <li>is not passed: no thread of the node has loaded or stored there what happened after it.
 *       This is what the protocol promises of one location on one node: a diff is applied before
 *       any later one of its node leaves, and before anything that happened after it can be stored
 *       elsewhere. Of stores in conflict the node may show first one, then the other, and the first
 *       again: an image may carry what is told again by copyset closure
 * </ul>
 *
 * An element wider than the granule may be torn by data races. Where a page has one writer at a
 * time, "after" is the witness order, and no store is ever lost.
 */
final class ReleaseConsistency implements Checker {
    static final String NAME = "release consistency";

    private final ClusterView overview;
    private final VectorTimestamps timestamps;
    private final Stores stores;
    private final List<Stores.Store> allowed = new ArrayList<>();

    ReleaseConsistency(ClusterView overview, VectorTimestamps timestamps, Stores stores) {
        this.overview = overview;
        this.timestamps = timestamps;
        this.stores = stores;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onLoad(SimThread thread, PageId id, int offset, int bytes, long value) {
        if (!stores.areKept(id)) {
            return;
        }
        Stores.Page page = stores.page(id);
        for (int at = 0; at < bytes; at += page.granuleBytes) {
            Stores.Granule granule = page.at(offset + at);
            long part = page.part(value, at);
            findAllowed(granule, thread, part);
            if (allowed.isEmpty()) {
                throw violation(text(thread, id, offset + at, part, granule));
            }
            notePassed(granule, thread.node().id().index());
        }
    }

    private void findAllowed(Stores.Granule granule, SimThread thread, long value) {
        int[] known = timestamps.known(thread.position());
        int node = thread.node().id().index();
        allowed.clear();
        List<Stores.Store> all = granule.stores();
        for (int i = 0; i < all.size(); i++) {
            Stores.Store store = all.get(i);
            if (store.value == value && !store.isPassed(node) && !granule.isHidden(i, known)) {
                allowed.add(store);
            }
        }
    }

    /** Whichever of the allowed stores it was: what happened before all of them is passed. */
    private void notePassed(Stores.Granule granule, int node) {
        if (granule.stores().size() == 1) {
            return;
        }
        for (Stores.Store each : granule.stores()) {
            boolean isBeforeAll = true;
            for (Stores.Store store : allowed) {
                isBeforeAll &= each != store && granule.isBefore(each, store);
            }
            if (isBeforeAll) {
                each.pass(node);
            }
        }
    }

    private String text(
            SimThread thread, PageId page, int offset, long value, Stores.Granule granule) {
        StringBuilder text = new StringBuilder();
        text.append(thread).append(" (").append(thread.position()).append(" of all) loads ");
        text.append(value).append(" at offset ").append(offset).append(" of ");
        text.append(thread.node().describe(page)).append("; allowed:");
        int[] known = timestamps.known(thread.position());
        List<Stores.Store> all = granule.stores();
        for (int i = 0; i < all.size(); i++) {
            Stores.Store store = all.get(i);
            text.append(i == 0 ? " " : ", ").append(store);
            if (granule.isHidden(i, known)) {
                text.append(" no more: a later store happened before the load");
            } else if (store.isPassed(thread.node().id().index())) {
                text.append(" no more: a later store was seen on the node");
            }
        }
        return text.toString();
    }
}
