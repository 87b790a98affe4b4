package io.muninn.sim;

import io.muninn.kernel.NodeKernel;
import io.muninn.waits.DescribedWaits;
import io.muninn.waits.NodeWaits;
import java.util.List;

/** Describes what waits in a simulated node, as its agent does in a live run. */
public final class SimWaits {
    private final SimNode node;
    private final DescribedWaits described;

    public SimWaits(SimNode node) {
        this.node = node;
        described = new DescribedWaits(thread -> node.thread(thread).holds());
    }

    /**
     * What waits in the node now.
     *
     * @param sent messages that it has sent to other nodes
     * @param received messages that it has received
     */
    public NodeWaits now(long sent, long received) {
        NodeKernel kernel = node.kernel();
        return kernel.describeWaits(described.of(kernel.waits()), sent, received, List.of());
    }
}
