package io.muninn.coherence.writeshared;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which nodes flush pages that all of them have stored to, so that not all nodes send
 * updates of one page at once. A region has as many bands as there are nodes. Each node begins with
 * the band before its own, continues with its own, then with the next one, and so on, cyclically.
 *
 * <p>So for each page one node sends its update first. That ends no copy, but begins the windows of
 * all. The node of the band is next, and ends the copies that were not used in between; after that
 * all others send their updates to this node alone. Programs that divide a region by nodes will
 * mostly use the page there.
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
     * The round in which this node flushes a page: 0 for pages whose windows it begins, 1 for its
     * own band, 2 for all others.
     */
    int round(PageId page) {
        return Math.min(turn(page), ROUNDS - 1);
    }

    /**
     * True if another node is before this one in the order of a page. It is the order in which they
     * flush it, except that the first to flush is last: it has finished when others begin.
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
