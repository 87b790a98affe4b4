package io.muninn.sim.app;

import io.muninn.api.Message;
import io.muninn.api.service.MessageLink;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeoutException;

/** Messages of the program, sent by the simulated kernels. */
record SimMessages(AppCluster cluster) implements MessageLink {
    @Override
    public void send(int node, int tag, MemorySegment body) {
        AppThread thread = cluster.current();
        Bytes bytes = new Bytes(body.toArray(ValueLayout.JAVA_BYTE));
        thread.call(
                new Event.SendCalled(thread.simThread().id(), NodeId.of(node), tag, bytes),
                NodeCounter.RECEIVE_NANOS,
                false);
    }

    @Override
    public Message receive(int node, int tag, long limitNanos) throws TimeoutException {
        AppThread thread = cluster.current();
        Event receive = new Event.ReceiveCalled(thread.simThread().id(), node, tag, limitNanos);
        Outcome outcome = thread.callTimed(receive, NodeCounter.RECEIVE_NANOS);
        if (!(outcome instanceof Outcome.Delivered(int from, Bytes bytes))) {
            throw new IllegalStateException("a receive was answered by " + outcome);
        }
        return new Message(from, tag, MemorySegment.ofArray(bytes.array()).asReadOnly());
    }
}
