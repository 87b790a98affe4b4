package io.muninn.verify.program;

import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Adds up the counts of all nodes of a run. */
final class NodeCounts implements Observer {
    private final Set<SimNode> nodes = new LinkedHashSet<>();
    private long updatesOfPages;

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        nodes.add(node);
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send(_, Update update)) {
                updatesOfPages += update.diffs().size();
            }
        }
    }

    /** The number of a page's diffs sent to a node, applied or not. */
    long updatesOfPages() {
        return updatesOfPages;
    }

    long of(NodeCounter counter) {
        return nodes.stream().mapToLong(node -> node.count(counter)).sum();
    }
}
