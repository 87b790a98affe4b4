package io.muninn.sim.app;

import io.muninn.api.Message;
import io.muninn.api.spi.NodeMessages;
import io.muninn.model.NodeId;
import io.muninn.protocol.Bytes;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Event;
import io.muninn.protocol.Outcome;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Messages through the kernels. */
final class SimMessages extends NodeMessages {
    private final SimSession session;

    SimMessages(SimSession session) {
        this.session = session;
    }

    @Override
    public int node() {
        return session.nodeId();
    }

    @Override
    public int nodes() {
        return session.nodes();
    }

    @Override
    public void send(int node, int tag, MemorySegment source) {
        check(node, 0, tag);
        if (source.byteSize() > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "message of " + source.byteSize() + " bytes, more than " + BYTES_MAX);
        }
        AppThread thread = session.current();
        Bytes body = new Bytes(source.toArray(ValueLayout.JAVA_BYTE));
        thread.call(
                new Event.SendCalled(thread.simThread().id(), NodeId.of(node), tag, body),
                Counter.RECEIVE_NANOS,
                false);
    }

    @Override
    public Message receive(int node, int tag) {
        AppThread thread = session.current();
        return message(
                thread.call(
                        receive(thread, node, tag, AppThread.FOR_EVER),
                        Counter.RECEIVE_NANOS,
                        true),
                tag);
    }

    @Override
    public Message receive(int node, int tag, long time, TimeUnit unit) throws TimeoutException {
        AppThread thread = session.current();
        long limitNanos = Math.max(0, unit.toNanos(time));
        return message(
                thread.callTimed(receive(thread, node, tag, limitNanos), Counter.RECEIVE_NANOS),
                tag);
    }

    private Event receive(AppThread thread, int node, int tag, long limitNanos) {
        check(node, ANY, tag);
        return new Event.ReceiveCalled(thread.simThread().id(), node, tag, limitNanos);
    }

    private static Message message(Outcome outcome, int tag) {
        if (!(outcome instanceof Outcome.Delivered(int from, Bytes body))) {
            throw new IllegalStateException("a receive was answered by " + outcome);
        }
        return new Message(from, tag, MemorySegment.ofArray(body.array()).asReadOnly());
    }

    private void check(int node, int least, int tag) {
        if (node < least || node >= nodes()) {
            throw new IllegalArgumentException(
                    "node " + node + " is not in " + least + ".." + (nodes() - 1));
        }
        if (tag < 0) {
            throw new IllegalArgumentException("tag " + tag + " is negative");
        }
    }
}
