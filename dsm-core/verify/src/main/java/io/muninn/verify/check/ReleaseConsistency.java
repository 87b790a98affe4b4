package io.muninn.verify.check;

import io.muninn.model.PageId;
import io.muninn.sim.SimThread;
import java.util.ArrayList;
import java.util.List;

/**
 * Release consistency of regions whose protocol promises only that, with or without data races.
 * Every load returns, granule by granule, a value that was stored there, initially 0, and that
 *
 * <ul>
 *   <li>is not hidden: no other store happened after its store and before the load, unless that
 *       store may have been lost in a conflict, see {@link Stores}
 *   <li>is not passed: no thread of the node has loaded or stored there a value whose store
 *       happened after it. This is the protocol's promise for one location on one node: a diff is
 *       applied before its node sends a later diff, and before a store that happened after it can
 *       occur elsewhere. Of conflicting stores a node may see one, then the other, and then the
 *       first again, because copyset closure may repeat an update that an image contained
 * </ul>
 *
 * Data races may tear an element that is wider than a granule. If a page has one writer at a time,
 * "after" means the witness order, and no store is lost.
 */
final class ReleaseConsistency implements Checker {
    static final String NAME = "release consistency";

    private final VectorTimestamps timestamps;
    private final Stores stores;
    private final List<Stores.Store> allowed = new ArrayList<>();

    ReleaseConsistency(VectorTimestamps timestamps, Stores stores) {
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

    /**
     * Marks the stores that happened before all allowed stores as passed. Which of the allowed
     * stores was loaded is not known.
     */
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
