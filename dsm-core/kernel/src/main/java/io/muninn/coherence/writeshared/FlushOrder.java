package io.muninn.coherence.writeshared;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which nodes flush pages that all of them have stored to, so that a page is not told
 * by all at once. A region has as many bands as there are nodes; each node begins with the band
 * before its own, goes on with its own, then with the one after that, and so round.
 *
 * <p>So of each page one node tells the others first. That ends no copy, but all windows begin. The
 * node whose band it is does so next and gathers the copies that nobody has used in between; then
 * all others tell it alone. Programs that divide a region by nodes will mostly use the page there.
 */
final class FlushOrder {
    /** The rounds of a flush, see {@link #round}. */
    private static final int ROUNDS = 3;

    private final Context context;

    FlushOrder(Context context) {
        this.context = context;
    }

    /** Puts pages into this node's order. */
    void sort(List<PageId> pages) {
        pages.sort(Comparator.comparingInt(this::turn).thenComparing(Comparator.naturalOrder()));
    }

    /**
     * When this node flushes a page: 0 with those whose windows it begins, 1 with those of its own
     * band, 2 with all others.
     */
    int round(PageId page) {
        return Math.min(turn(page), ROUNDS - 1);
    }

    /**
     * True if another node comes before this one in the order of a page. It is the order in which
     * they flush it, but that the first to do so comes last: it has done so when others begin.
     */
    boolean comesBefore(NodeId other, PageId page) {
        return place(other, page) < place(context.self(), page);
    }

    private int turn(PageId page) {
        return (place(context.self(), page) + 1) % context.nodes();
    }

    private int place(NodeId node, PageId page) {
        RegionSpec region = context.region(page);
        int band = (int) ((long) page.index() * context.nodes() / region.pages());
        return Math.floorMod(band - node.index(), context.nodes());
    }
}
