package io.muninn.verify.check;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.sim.SimPool;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * After a barrier of all threads has fallen, before any thread continues, and at the end, every
 * copy of every page equals the oracle: one memory to which all stores are applied. If the last
 * stores to a granule of a region with several writers conflict, or may have been lost in a
 * conflict (see {@link Stores}), a copy may have the value of any of them.
 *
 * <p>Copies that may be stale until an acquire invalidates them are checked by {@link
 * ReleaseConsistency}, load by load. At the end each of their pages is whole on some node.
 *
 * <p>At the end no page differs from its twin, no saved diff remains that no node may request, and
 * no message is in transit. Stores that were never released are ignored, because no other node had
 * to see them.
 *
 * <p>Nothing is checked once a node is lost.
 */
final class MemoryOracle implements Checker {
    static final String NAME = "memory oracle";

    private final ClusterView overview;
    private final OneMemory memory;
    private final Stores stores;
    private boolean hasEnded;

    MemoryOracle(ClusterView overview, OneMemory memory, Stores stores) {
        this.overview = overview;
        this.memory = memory;
        this.stores = stores;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        if (overview.hasBarrierFallen()) {
            overview.touched().forEach(this::checkCopies);
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        if (!overview.isWhole()) {
            return;
        }
        hasEnded = true;
        overview.touched().forEach(this::checkCopies);
        overview.touched().stream()
                .filter(page -> !overview.traits(page).has(Trait.ACQUIRES_INVALIDATE))
                .forEach(this::checkNoTwin);
        for (SimNode node : simulation.nodes()) {
            long left =
                    node.pages().diffsLeft(page -> !overview.traits(page).has(Trait.KEEPS_DIFFS));
            if (left > 0) {
                throw violation("node " + node.id() + " has " + left + " diffs left");
            }
        }
        simulation.forEachCarrying(link -> {
            throw violation(
                    "from node "
                            + link.from()
                            + " to node "
                            + link.to()
                            + " are on their way "
                            + link.frames());
        });
    }

    private void checkCopies(PageId page) {
        if (overview.traits(page).has(Trait.POOLED) && overview.isWhole()) {
            SimPool pool = overview.simulation().pools().of(page);
            checkCopy(page, pool.frame(page), "the frame of page " + page);
        }
        for (int i = 0; i < overview.nodes(); i++) {
            if (overview.node(i).pages().isPresent(page) && isUpToDate(i, page)) {
                checkCopy(i, page);
            }
        }
    }

    /** Whether a copy must contain every released store. */
    private boolean isUpToDate(int node, PageId page) {
        return !overview.traits(page).has(Trait.ACQUIRES_INVALIDATE)
                || hasEnded && overview.contract(node, page).is(Mark.WHOLE);
    }

    private void checkCopy(int node, PageId page) {
        checkCopy(page, overview.node(node).pages().content(page), overview.describe(node, page));
    }

    private void checkCopy(PageId page, MemorySegment copy, String what) {
        MemorySegment oracle = memory.page(page);
        RegionSpec region = overview.region(page);
        long length = copy.byteSize();
        long from = 0;
        while (from < length) {
            long found = MemorySegment.mismatch(copy, from, length, oracle, from, length);
            if (found < 0) {
                return;
            }
            int offset = (int) (from + found) & -region.granuleBytes();
            long value = OneMemory.load(copy, offset, region.granuleBytes());
            if (overview.traits(page).has(Trait.ONE_WRITER) || !mayHave(page, offset, value)) {
                throw violation(
                        what
                                + " has "
                                + value
                                + " at offset "
                                + offset
                                + ", but the last store to these "
                                + region.granuleBytes()
                                + " bytes, by what happened before what, left "
                                + memory.load(page, offset, region.granuleBytes()));
            }
            from = (long) offset + region.granuleBytes();
        }
    }

    private boolean mayHave(PageId page, int offset, long value) {
        return stores.mayRemain(page, offset, value)
                || stores.isUnreleased(page, offset)
                || overview.traits(page).has(Trait.ACQUIRES_INVALIDATE) && isKept(page, offset);
    }

    /**
     * True if the last store may not have left its node, because the node has released nothing
     * since.
     */
    private boolean isKept(PageId page, int offset) {
        int bytes = overview.region(page).granuleBytes();
        for (int i = 0; i < overview.nodes(); i++) {
            SimPages pages = overview.node(i).pages();
            if (pages.hasTwin(page)
                    && OneMemory.load(pages.twin(page), offset, bytes)
                            != OneMemory.load(pages.content(page), offset, bytes)) {
                return true;
            }
            if (overview.node(i)
                    .updates()
                    .filter(updates -> updates.isArriving(page, offset, bytes))
                    .isPresent()) {
                return true; // hardware has sent it, and no flush has followed
            }
        }
        return false;
    }

    private void checkNoTwin(PageId page) {
        for (int i = 0; i < overview.nodes(); i++) {
            if (differsFromTwin(overview.node(i).pages(), page)
                    && !stores.isUnreleasedBy(i, page)) {
                throw violation(
                        overview.describe(i, page)
                                + " has stores in it that no other node has heard of, though all"
                                + " of them are released");
            }
        }
    }

    /**
     * Whether a page differs from its twin. A twin that equals its page is permitted: a late fault,
     * whose thread was already woken because of another fault, creates a twin without a subsequent
     * store.
     */
    private static boolean differsFromTwin(SimPages pages, PageId page) {
        return pages.hasTwin(page) && pages.twin(page).mismatch(pages.content(page)) >= 0;
    }
}
