package io.muninn.coherence.homebased;

import io.muninn.api.Home;
import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;

/**
 * The homes of pages. Under {@link Home#FIRST_TOUCH} the root is the home until it decides on the
 * node whose store it receives first; a home never changes after that. Other nodes know only of the
 * root, which forwards their messages, until they are notified of the decision.
 */
final class Homes {
    private final Context context;
    private final PageMap<NodeId> decided = new PageMap<>(); // that this node knows

    Homes(Context context) {
        this.context = context;
    }

    NodeId of(PageId page) {
        NodeId home = decided.get(page);
        if (home != null) {
            return home;
        }
        return context.homeOf(page);
    }

    /** True if the first store decides the home, and this node knows of no decision. */
    boolean isOpen(PageId page) {
        return isByFirstTouch(page) && decided.get(page) == null;
    }

    /** True on the root if the first store has made another node the home. */
    boolean isForwarded(PageId page) {
        return context.self().isRoot() && isByFirstTouch(page) && !of(page).isRoot();
    }

    private boolean isByFirstTouch(PageId page) {
        RegionSpec region = context.region(page);
        return region.home() == Home.FIRST_TOUCH;
    }

    /** Records the decision of the root. */
    void decide(PageId page, NodeId home) {
        decided.put(page, home);
    }
}
