package io.muninn.verify.check;

import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import java.util.List;

/**
 * A checker of an invariant of each page between any two steps. It checks the pages that a step
 * touched, and all pages when a barrier of all threads has fallen and at the end.
 */
public abstract class PageChecker implements Checker {
    private final ClusterView overview;

    protected PageChecker(ClusterView overview) {
        this.overview = overview;
    }

    protected final ClusterView overview() {
        return overview;
    }

    /**
     * Checks one page.
     *
     * @throws io.muninn.sim.Violation if the promise is broken
     */
    protected abstract void check(PageId page);

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        checkTouched();
    }

    @Override
    public void onEnd(Simulation simulation) {
        checkTouched();
    }

    private void checkTouched() {
        for (PageId page : overview.touched()) {
            check(page);
        }
    }
}
