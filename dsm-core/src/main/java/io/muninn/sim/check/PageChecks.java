package io.muninn.sim.check;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Event;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import java.util.List;

/**
 * Checks pages: those that a step was about after the step, all of them at the end. Nothing is
 * promised of pages once a node is lost.
 */
final class PageChecks implements Observer {
    private final List<PageCheck> checks;
    private final Touched touched = new Touched();

    PageChecks(List<PageCheck> checks) {
        this.checks = List.copyOf(checks);
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        Simulation simulation = node.simulation();
        if (simulation.lost().isPresent()) {
            return;
        }
        touched.look(event, effects);
        for (PageId page : touched.pages()) {
            check(simulation, page);
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        if (simulation.lost().isPresent()) {
            return;
        }
        for (RegionSpec region : simulation.cluster().regions()) {
            for (int i = 0; i < region.pages(); i++) {
                check(simulation, new PageId(region.index(), i));
            }
        }
    }

    private void check(Simulation simulation, PageId page) {
        PageView view = new PageView(simulation, page);
        for (PageCheck check : checks) {
            check.check(view);
        }
    }
}
