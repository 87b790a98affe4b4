package io.muninn.sim;

import io.muninn.kernel.KernelView;
import io.muninn.waits.DescribedWaits;
import io.muninn.waits.Hold;
import io.muninn.waits.NodeWaits;
import java.util.List;
import java.util.stream.Stream;

/** Describes what waits in a simulated node, as its agent does in a live run. */
public final class SimWaits {
    private final SimNode node;
    private final DescribedWaits described = new DescribedWaits(this::holds);

    public SimWaits(SimNode node) {
        this.node = node;
    }

    /** The locks that a thread holds: first those without readers, each in the order of taking. */
    private List<Hold> holds(int number) {
        SimThread thread = node.thread(number);
        return Stream.concat(
                        thread.sections().stream()
                                .map(lock -> new Hold(Hold.Mode.LOCK, lock.name())),
                        thread.permissions().holds().stream())
                .toList();
    }

    /**
     * What waits in the node now.
     *
     * @param sent messages that it has sent to other nodes
     * @param received messages that it has received
     */
    public NodeWaits now(long sent, long received) {
        KernelView view = node.view();
        return view.describeWaits(described.of(view.waits()), sent, received, List.of());
    }
}
