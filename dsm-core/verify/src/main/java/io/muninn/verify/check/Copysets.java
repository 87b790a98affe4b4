package io.muninn.verify.check;

import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import java.util.List;
import java.util.function.Function;

/**
 * Copysets cover the holders. The definition depends on the protocol, so each protocol with
 * copysets has a class that checks its pages, listed here.
 */
public final class Copysets implements Checker {
    public static final String NAME = "copysets";

    /** One entry for each protocol, or for protocols with the same messages. */
    private static final List<Function<ClusterView, PageChecker>> REGISTRY =
            List.of(OwnersCopysets::new, CopysetClosure::new);

    private final List<PageChecker> parts;

    Copysets(ClusterView overview) {
        parts = REGISTRY.stream().map(constructor -> constructor.apply(overview)).toList();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        for (PageChecker part : parts) {
            part.beforeStep(node, event);
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (PageChecker part : parts) {
            part.afterStep(node, event, effects);
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        parts.forEach(part -> part.onEnd(simulation));
    }
}
