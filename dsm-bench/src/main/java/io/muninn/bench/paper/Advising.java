package io.muninn.bench.paper;

import io.muninn.api.Advice;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Event;

/**
 * Gives every node the same advice on all pages that it may be advised on, as a program would by
 * {@link io.muninn.api.Readers} before its first loop.
 */
final class Advising implements Observer {
    private final PageAdvice advice;

    Advising(Advice advice) {
        this.advice = new PageAdvice.Coherence(advice);
    }

    @Override
    public void onInitialized(SimThread root) {
        Simulation simulation = root.node().simulation();
        for (RegionSpec region : simulation.cluster().regions()) {
            if (region.protocol().hasReaders()) {
                for (SimNode node : simulation.nodes()) {
                    PageId first = new PageId(region.index(), 0);
                    node.threads()
                            .getFirst()
                            .post(new Event.Advised(first, region.pages(), advice));
                }
            }
        }
    }
}
