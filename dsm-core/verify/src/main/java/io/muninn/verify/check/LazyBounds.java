package io.muninn.verify.check;

import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import java.util.List;

/**
 * A node that takes part in no collection keeps no more lazy data than its bound, and at the end no
 * collection is in progress. So a node keeps at most the bound, the data that one step adds, and
 * the data that it creates during one collection.
 */
final class LazyBounds implements Checker {
    static final String NAME = "lazy bounds";

    private static final String IDLE = "Idle";

    private long bytesMax;
    private long[] most = {}; // by node
    private boolean isOver; // once a node is lost

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        bytesMax = simulation.cluster().updates().lazyBytes();
        most = new long[simulation.nodes().size()];
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        isOver |= event instanceof Event.PeerLost;
        long bytes = node.view().lazyBytes();
        int index = node.id().index();
        most[index] = Math.max(most[index], bytes);
        if (bytes > bytesMax && node.view().collectionState().equals(IDLE) && !isOver) {
            throw violation(
                    "node " + node.id() + " keeps " + bytes + " bytes, and asks for no collection");
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        for (SimNode node : simulation.nodes()) {
            if (!node.view().collectionState().equals(IDLE) && !isOver) {
                throw violation("node " + node.id() + " ends " + node.view().collectionState());
            }
            long counted = node.count(NodeCounter.LAZY_BYTES_MOST);
            if (counted < most[node.id().index()] && !isOver) {
                throw violation(
                        "node "
                                + node.id()
                                + " kept "
                                + most[node.id().index()]
                                + " bytes and counts "
                                + counted);
            }
        }
    }
}
