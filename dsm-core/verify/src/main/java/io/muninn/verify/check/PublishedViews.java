package io.muninn.verify.check;

import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.ViewMark;
import io.muninn.sync.ProcessViews;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A node publishes the views of its processes, so that threads can take locks without a call of the
 * agent. A process covers its published view, and its view grows only after the pages that its
 * acquires withdraw are withdrawn.
 */
final class PublishedViews implements Checker {
    static final String NAME = "published views";

    /** What is known of a node. */
    private static final class Published {
        final Map<ViewMark, VectorTimestamp> views = new LinkedHashMap<>(); // as of the last step
        final List<Set<PageId>> leaving = new ArrayList<>(); // by process, for its acquires
    }

    private final List<Published> nodes = new ArrayList<>();
    private List<MappingId> processes = List.of(); // of each node, if there are several
    private boolean isOver; // once a node is lost

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        processes = simulation.cluster().nodeThreads().siblings();
        for (int i = 0; i < simulation.cluster().nodes(); i++) {
            Published none = new Published();
            processes.forEach(_ -> none.leaving.add(new LinkedHashSet<>()));
            nodes.add(none);
        }
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        isOver |= event instanceof Event.PeerLost;
        if (processes.isEmpty() || isOver) {
            return;
        }
        Published published = nodes.get(node.id().index());
        if (event instanceof Event.AccessWithdrawn withdrawn) {
            onWithdrawn(published, withdrawn);
        }
        record(published, node.view().processViews());
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Withdraw(MappingId of, PageId first, int count)
                        when !of.equals(MappingId.ALL) -> {
                    for (int i = 0; i < count; i++) {
                        published.leaving.get(of.index()).add(first.plus(i));
                    }
                }
                case Effect.ViewCovers(MappingId reader, ViewMark mark) ->
                        check(published, node, reader, mark);
                default -> {} // neither withdraws nor publishes
            }
        }
    }

    private static void onWithdrawn(Published published, Event.AccessWithdrawn withdrawn) {
        if (withdrawn.mapping().equals(MappingId.ALL)) {
            return;
        }
        Set<PageId> leaving = published.leaving.get(withdrawn.mapping().index());
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            if (!withdrawn.refused().contains(page)) {
                leaving.remove(page);
            }
        }
    }

    /** Records the views of this time by their names. */
    private void record(Published published, ProcessViews views) {
        for (MappingId of : processes) {
            published.views.putIfAbsent(views.mark(of), views.of(of));
        }
        published.views.putIfAbsent(views.mark(MappingId.ALL), views.of(MappingId.ALL));
    }

    private void check(Published published, SimNode node, MappingId reader, ViewMark mark) {
        String text = "process " + reader + " of node " + node.id() + " is said to cover " + mark;
        Set<PageId> leaving = published.leaving.get(reader.index());
        if (mark.of().equals(reader) && !leaving.isEmpty()) {
            throw violation(text + ", and is losing " + leaving);
        }
        VectorTimestamp view = published.views.get(mark); // null of one that has grown in this step
        VectorTimestamp own = node.view().processViews().of(reader);
        if (view != null && !own.covers(view)) {
            throw violation(text + ", which is " + view + ", and has seen " + own);
        }
    }
}
