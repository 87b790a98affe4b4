package io.muninn.verify.check;

import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import java.util.List;

/**
 * Between two steps a page has a twin if, and only if, its state requires one ({@link
 * ProtocolTraits}). A flush compares page and twin, and drops or keeps the twin, within one step.
 * The access to a page does not exceed the access that its state grants; less access is permitted
 * and causes a fault. A withdrawal takes time: the node's pages are not checked until it is done.
 */
final class Twins extends PageChecker {
    static final String NAME = "twins";

    private int[] withdrawals = {}; // in progress, by node

    Twins(ClusterView overview) {
        super(overview);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        withdrawals = new int[simulation.cluster().nodes()];
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.AccessWithdrawn) {
            withdrawals[node.id().index()]--;
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.Withdraw) {
                withdrawals[node.id().index()]++;
            }
        }
        super.afterStep(node, event, effects);
    }

    @Override
    protected void check(PageId page) {
        for (int i = 0; i < overview().nodes(); i++) {
            if (!overview().node(i).isDead() && withdrawals[i] == 0) {
                check(i, page);
            }
        }
    }

    private void check(int node, PageId page) {
        SimPages pages = overview().node(node).pages();
        ProtocolTraits.State contract = overview().contract(node, page);
        boolean mustHave = contract.is(Mark.TWIN);
        if (pages.hasTwin(page) != mustHave) {
            throw violation(
                    overview().describe(node, page)
                            + (mustHave ? " is dirty and has no twin" : " has a twin, not dirty"));
        }
        PageAccess access = pages.access(page);
        if (access != PageAccess.NONE && access.compareTo(contract.access()) > 0) {
            throw violation(
                    overview().describe(node, page)
                            + " has access "
                            + access
                            + ", but its state grants "
                            + contract.access());
        }
    }
}
