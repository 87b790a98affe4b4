package io.muninn.verify.check;

import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Released stores leave their node in time, even without a request: a page that was stored to
 * before a lock was released within the node is compared with its twin afterwards, at the latest
 * when the run ends. Otherwise a polling reader would never see the store.
 */
final class TimelyFlush implements Checker {
    static final String NAME = "timely flush";

    private final List<TreeSet<PageId>> dirty = new ArrayList<>(); // by node
    private final List<TreeSet<PageId>> released = new ArrayList<>(); // the same

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        for (int i = 0; i < simulation.nodes().size(); i++) {
            dirty.add(new TreeSet<>());
            released.add(new TreeSet<>());
        }
    }

    @Override
    public void onRelease(SimThread thread, LockId lock) {
        int node = thread.node().id().index();
        released.get(node).addAll(dirty.get(node));
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        int index = node.id().index();
        switch (event) {
            case Event.TwinMade(_, PageId page, long _) -> stored(node, page);
            case Event.DiffSaved saved -> {
                clean(index, saved.page());
                if (saved.kept()) { // stores no longer fault from now on
                    stored(node, saved.page());
                }
            }
            default -> {} // makes no page dirty
        }
    }

    /**
     * Records a dirty page. Pages that only acquires invalidate are not checked: a poll need not
     * see stores to them.
     */
    private void stored(SimNode node, PageId page) {
        if (!node.traits(page).has(Trait.ACQUIRES_INVALIDATE)) {
            dirty.get(node.id().index()).add(page);
        }
    }

    private void clean(int node, PageId page) {
        dirty.get(node).remove(page);
        released.get(node).remove(page);
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        int index = node.id().index();
        for (int i = 0; i < effects.size(); i++) {
            switch (effects.get(i)) {
                case Effect.MakeTwin(PageId page) -> stored(node, page);
                case Effect.DropTwin(PageId page) -> clean(index, page);
                default -> {}
            }
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        for (SimNode node : simulation.nodes()) {
            TreeSet<PageId> left = released.get(node.id().index());
            if (!left.isEmpty() && simulation.lost().isEmpty()) {
                throw violation(node.describe(left.first()) + " was released and never flushed");
            }
        }
    }
}
