package io.muninn.application;

import io.muninn.api.Message;
import io.muninn.api.service.MessageLink;
import io.muninn.ipc.Call;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Messages sent through the agents.
 *
 * @param connections returns the calling thread's connection; throws if it has none
 */
record LiveMessages(Supplier<AgentConnection> connections) implements MessageLink {
    @Override
    public void send(int node, int tag, MemorySegment body) {
        AgentConnection connection = connections.get();
        connection.start(Call.SEND).u32(node).u32(tag).bytes(body);
        connection.call();
    }

    @Override
    public Message receive(int node, int tag, long limitNanos) throws TimeoutException {
        AgentConnection connection = connections.get();
        connection.start(Call.RECEIVE).u32(node).u32(tag).i64(limitNanos);
        connection.callTimed();
        int from = connection.answer().u32();
        byte[] body = connection.answer().rest();
        return new Message(from, tag, MemorySegment.ofArray(body).asReadOnly());
    }
}
