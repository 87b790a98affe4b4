package io.muninn.agent;

import io.muninn.kernel.KernelLoop;
import io.muninn.model.NodeId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.spi.Event;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireMessage;

/**
 * Decides whose failure it is when the loop of a kernel cannot go on, and keeps the events that led
 * there.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class NodeFailures implements KernelLoop.Observer {
    /** What ends the node. One of these is called, once. */
    public interface Owner {
        /** The node met a violation. */
        void onHalt(String description);

        /** A message has content that no node sends. */
        void onMalformed(NodeId from, String text);

        /** The application has stored to memory that is not its own. */
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
