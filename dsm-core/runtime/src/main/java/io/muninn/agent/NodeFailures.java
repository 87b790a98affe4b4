package io.muninn.agent;

import io.muninn.kernel.KernelLoop;
import io.muninn.model.NodeId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.spi.Event;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireMessage;

/**
 * Attributes a failure of the kernel's loop to the application, to another node, or to this node,
 * and records the events before it.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class NodeFailures implements KernelLoop.Observer {
    /** Ends the node. One of the methods is called, once. */
    public interface Owner {
        /** The node met a violation. */
        void onHalt(String description);

        /** A node sent a message with malformed content. */
        void onMalformed(NodeId from, String text);

        /** The application stored to memory that only its agent may change. */
        void onBrokenMemory(BrokenMemoryException broken);
    }

    private final FlightRecorder recorder = new FlightRecorder();
    private final Owner owner;

    public NodeFailures(Owner owner) {
        this.owner = owner;
    }

    @Override
    public void stepping(Event event) {
        recorder.add(event);
    }

    @Override
    public void failed(Event outside, Throwable cause) {
        if (cause instanceof BrokenMemoryException broken) {
            owner.onBrokenMemory(broken);
        } else if (cause instanceof MalformedMessageException
                && outside instanceof Event.MessageArrived(NodeId from, WireMessage message, _)) {
            String kind = message.codec().name();
            owner.onMalformed(
                    from, "sent a malformed message: " + kind + ": " + cause.getMessage());
        } else {
            owner.onHalt(recorder.describe(cause));
        }
    }
}
