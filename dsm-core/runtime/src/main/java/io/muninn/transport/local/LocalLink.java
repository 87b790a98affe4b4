package io.muninn.transport.local;

import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Link;
import io.muninn.transport.stream.TransportCounters;
import io.muninn.wire.WireMessage;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One end of the link between two nodes of this agent. Messages are delivered by {@link LocalNodes}
 * in the same turn of the loop, never within the call that sends them.
 *
 * <p><b>Threads.</b> The event loop.
 */
public final class LocalLink implements Link {
    private final LocalNodes nodes;
    private final AgentEventLoop loop; // runs this node's callbacks
    private final ByteBufWriter writer; // knows this node's payloads
    private final TransportCounters counters;
    private final int frameBytesMax;
    private @Nullable LocalLink other; // null until the pair is made
    private @Nullable Receiver receiver; // null until the node is attached
    private boolean ended; // nothing more is delivered here or sent from here

    public LocalLink(
            LocalNodes nodes,
            AgentEventLoop loop,
            ByteBufWriter writer,
            TransportCounters counters,
            int frameBytesMax) {
        this.nodes = nodes;
        this.loop = loop;
        this.writer = writer;
        this.counters = counters;
        this.frameBytesMax = frameBytesMax;
    }

    /** Makes two ends a pair. */
    static void join(LocalLink one, LocalLink another) {
        one.other = another;
        another.other = one;
    }

    private LocalLink other() {
        LocalLink present = other;
        if (present == null) {
            throw new IllegalStateException("a link with one end");
        }
        return present;
    }

    @Override
    public void receiver(Receiver next) {
        receiver = next;
    }

    @Override
    public boolean isOpen() {
        return !ended;
    }

    @Override
    public int write(WireMessage message) {
        if (ended) {
            return 0;
        }
        int bytes = nodes.send(other(), message, writer, frameBytesMax);
        counters.countMessage(message.codec(), bytes);
        return bytes;
    }

    @Override
    public void writeControl(Control control) {
        if (!ended) {
            counters.countControl(nodes.send(other(), control, writer, frameBytesMax));
        }
    }

    /** Does nothing: written messages are delivered in this turn. */
    @Override
    public void flush() {}

    /** A node of this agent is stopped when this one is. */
    @Override
    public boolean canFallSilent() {
        return false;
    }

    @Override
    public boolean takeArrived() {
        return true;
    }

    @Override
    public void retryWithin(Duration limit) {}

    @Override
    public void close() {
        finish(() -> {});
    }

    @Override
    public void finish(Runnable whenClosed) {
        boolean first = !ended;
        ended = true;
        if (first) {
            nodes.end(other(), whenClosed, loop);
        } else {
            loop.execute(whenClosed);
        }
    }

    // --- receiving -----------------------------------------------------------------------------

    /** Runs a callback of this end's node, unless the link has ended here. */
    void deliver(Consumer<Receiver> arrival) {
        Receiver present = receiver;
        if (!ended && present != null) {
            loop.run(() -> arrival.accept(present));
        }
    }

    /** The other end has ended. */
    void endSeen() {
        if (!ended) {
            ended = true;
            Receiver present = receiver;
            if (present != null) {
                loop.run(() -> present.onEnd("closed its connection"));
            }
        }
    }
}
