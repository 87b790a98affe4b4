package io.muninn.verify.check;

import io.muninn.directory.PageSnapshot;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.List;

/**
 * A process with a view of its own can use a page only if the content satisfies the view: it
 * contains everything that the notices announce which an acquire of the process has processed.
 * While the page is being withdrawn from the process, it may still use it. An image that a node
 * fetches satisfies the views of all its processes.
 */
final class ViewAccess extends PageChecker {
    static final String NAME = "views";

    ViewAccess(ClusterView overview) {
        super(overview);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    protected void check(PageId page) {
        if (!overview().traits(page).has(Trait.VIEWS)) {
            return;
        }
        for (int i = 0; i < overview().nodes(); i++) {
            SimNode node = overview().node(i);
            PageSnapshot snapshot = overview().snapshot(i, page);
            for (MappingId stale : snapshot.stale()) {
                checkStale(node, snapshot, stale);
            }
        }
    }

    /** A request names the needs of all processes, and so one image satisfies all of them. */
    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.MergePage(PageId page, _) -> checkImage(node, page);
                case Effect.InstallPage(_, PageId page, _, _) -> checkImage(node, page);
                default -> {} // brings no image
            }
        }
        super.afterStep(node, event, effects);
    }

    private void checkImage(SimNode node, PageId page) {
        int at = node.id().index();
        boolean isOfHome = overview().contract(at, page).is(Mark.WHOLE);
        List<MappingId> stale = overview().snapshot(at, page).stale();
        if (!isOfHome && !stale.isEmpty() && overview().isWhole()) {
            throw violation("an image does not satisfy " + stale + ": " + node.describe(page));
        }
    }

    private void checkStale(SimNode node, PageSnapshot snapshot, MappingId process) {
        SimPages pages = node.pages();
        PageId page = snapshot.page();
        int at = node.id().index();
        boolean isBeingWithdrawn =
                pages.isWithdrawing(page)
                        || snapshot.leaving().contains(process)
                        || overview().contract(at, page).is(Mark.AWAITS_WITHDRAWAL);
        if (pages.access(page, process) != PageAccess.NONE
                && !isBeingWithdrawn
                && !node.isDead()
                && overview().isWhole()) {
            throw violation(
                    "process "
                            + process
                            + " has access "
                            + pages.access(page, process)
                            + " to "
                            + node.describe(page));
        }
    }
}
