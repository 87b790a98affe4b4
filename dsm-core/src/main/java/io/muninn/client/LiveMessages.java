package io.muninn.client;

import io.muninn.api.Message;
import io.muninn.api.spi.NodeMessages;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Messages through the agents. */
final class LiveMessages extends NodeMessages {
    private final LiveSession session;

    LiveMessages(LiveSession session) {
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
        AgentConnection connection = session.connection();
        connection.start(Call.SEND).u32(node).u32(tag).bytes(source);
        connection.call();
    }

    @Override
    public Message receive(int node, int tag) {
        AgentConnection connection = start(node, tag, -1);
        connection.call();
        return message(connection, tag);
    }

    @Override
    public Message receive(int node, int tag, long time, TimeUnit unit) throws TimeoutException {
        AgentConnection connection = start(node, tag, Math.max(0, unit.toNanos(time)));
        connection.callTimed();
        return message(connection, tag);
    }

    private AgentConnection start(int node, int tag, long limitNanos) {
        check(node, ANY, tag);
        AgentConnection connection = session.connection();
        connection.start(Call.RECEIVE).u32(node).u32(tag).i64(limitNanos);
        return connection;
    }

    private static Message message(AgentConnection connection, int tag) {
        int from = connection.answer().u32();
        byte[] body = connection.answer().rest();
        return new Message(from, tag, MemorySegment.ofArray(body).asReadOnly());
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
