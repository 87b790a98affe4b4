package io.muninn.verify.check;

import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.UpdateRules;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The updates of a node that are in transit belong to one batch, which has at most as many pages as
 * fit in a message. With an update timeout the first batch has at most 8 pages, and the limit
 * doubles only after a full batch.
 */
final class Batches implements Checker {
    static final String NAME = "batches";

    private static final int FIRST_PAGES = 8;

    /** The present batch of a node. */
    private static final class Batch {
        final TreeSet<PageId> underWay = new TreeSet<>();
        int pages; // sent since none was in transit
        int done; // pages that were flushed without an update; they may belong to it
        int pagesMax;

        Batch(int pagesMax) {
            this.pagesMax = pagesMax;
        }
    }

    private final List<Batch> batches = new ArrayList<>(); // by node
    private int pagesMax;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        UpdateRules updates = simulation.cluster().updates();
        pagesMax = updates.limits().pages();
        int first = updates.timesOut() ? Math.min(FIRST_PAGES, pagesMax) : pagesMax;
        simulation.nodes().forEach(_ -> batches.add(new Batch(first)));
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        Batch batch = batches.get(node.id().index());
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Send(NodeId _, Update update) -> send(node, batch, update.pages());
                case Effect.Send(NodeId _, UpdateList list) -> send(node, batch, list.pages());
                case Effect.DropDiff(PageId page, long _) -> end(batch, page);
                default -> {} // not an update
            }
        }
    }

    private void send(SimNode node, Batch batch, List<PageId> pages) {
        for (PageId page : pages) {
            if (batch.underWay.add(page)) {
                batch.pages++;
            }
        }
        if (batch.pages > batch.pagesMax) {
            throw violation(
                    "node "
                            + node.id()
                            + " has sent a batch of "
                            + batch.pages
                            + " pages, and may send "
                            + batch.pagesMax);
        }
    }

    private void end(Batch batch, PageId page) {
        if (!batch.underWay.remove(page)) {
            batch.done++;
        }
        if (batch.underWay.isEmpty()) {
            if (batch.pages + batch.done >= batch.pagesMax) {
                batch.pagesMax = Math.min(pagesMax, 2 * batch.pagesMax);
            }
            batch.pages = 0;
            batch.done = 0;
        }
    }
}
