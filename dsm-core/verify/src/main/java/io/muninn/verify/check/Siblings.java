package io.muninn.verify.check;

import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.Arrays;
import java.util.List;

/**
 * On a node of several processes, none has more access to a page than its node. None loses access
 * but by an effect that names it: what is withdrawn from one process stays with its siblings.
 */
final class Siblings extends PageChecker {
    static final String NAME = "siblings";

    /** A page on the nodes, by node and process. */
    private static final class Known {
        final PageAccess[] access; // after the last step that touched the page
        final int[] withdrawals; // under way, that name the process
        final boolean[] isNamed; // by an effect or a result, since then

        Known(int places) {
            access = new PageAccess[places];
            Arrays.fill(access, PageAccess.NONE);
            withdrawals = new int[places];
            isNamed = new boolean[places];
        }
    }

    private List<MappingId> processes = List.of(); // of each node, if there are several
    private final PerPage<Known> known;

    Siblings(ClusterView overview) {
        super(overview);
        known = new PerPage<>(_ -> new Known(overview.nodes() * processes.size()));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        processes = simulation.cluster().nodeThreads().siblings();
    }

    private int place(int node, MappingId process) {
        return node * processes.size() + process.index();
    }

    private List<MappingId> named(MappingId mapping) {
        return mapping.equals(MappingId.ALL) ? processes : List.of(mapping);
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        if (processes.isEmpty()) {
            return;
        }
        if (event instanceof Event.AccessWithdrawn(var of, PageId first, int count, var _)) {
            for (int i = 0; i < count; i++) {
                name(node, of, first.plus(i), -1);
            }
        }
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Withdraw(var of, PageId first, int count) -> {
                    for (int i = 0; i < count; i++) {
                        checkTaken(node, of, first.plus(i));
                        name(node, of, first.plus(i), 1);
                    }
                }
                case Effect.SetAccess(var of, PageId page, _) -> name(node, of, page, 0);
                case Effect.InstallPage(var of, PageId page, _, _) -> name(node, of, page, 0);
                case Effect.Discard(PageId page) -> name(node, MappingId.ALL, page, 0);
                case Effect.Poison(PageId page) -> name(node, MappingId.ALL, page, 0);
                default -> {} // takes no page
            }
        }
    }

    /** A page of which processes have views is taken from all when no acquire withdraws it. */
    private void checkTaken(SimNode node, MappingId mapping, PageId page) {
        boolean isTaken = mapping.equals(MappingId.ALL) && overview().traits(page).has(Trait.VIEWS);
        for (MappingId of : isTaken ? processes : List.<MappingId>of()) {
            if (known.of(page).withdrawals[place(node.id().index(), of)] > 0) {
                throw violation(
                        "process "
                                + of
                                + " is losing a page that is taken: "
                                + node.describe(page));
            }
        }
    }

    /**
     * @param withdrawals that begin, or if negative end
     */
    private void name(SimNode node, MappingId mapping, PageId page, int withdrawals) {
        for (MappingId of : named(mapping)) {
            int place = place(node.id().index(), of);
            known.of(page).isNamed[place] = true;
            known.of(page).withdrawals[place] += withdrawals;
        }
    }

    @Override
    protected void check(PageId page) {
        for (int i = 0; i < overview().nodes(); i++) {
            for (MappingId process : processes) {
                check(overview().node(i), process, page);
            }
        }
    }

    private void check(SimNode node, MappingId process, PageId page) {
        int place = place(node.id().index(), process);
        SimPages pages = node.pages();
        PageAccess now = pages.access(page, process);
        Known of = known.of(page);
        boolean mayShrink = of.isNamed[place] || of.withdrawals[place] > 0 || node.isDead();
        if (now.compareTo(of.access[place]) < 0 && !mayShrink) {
            throw violation(
                    "process "
                            + process
                            + " has lost its access "
                            + of.access[place]
                            + " to "
                            + node.describe(page)
                            + ", and no effect names it");
        }
        if (now.compareTo(pages.access(page)) > 0) {
            throw violation(
                    "process "
                            + process
                            + " has access "
                            + now
                            + " to "
                            + node.describe(page)
                            + ", and its node has "
                            + pages.access(page));
        }
        of.access[place] = now;
        of.isNamed[place] = false;
    }
}
