package io.muninn.application;

import io.muninn.ipc.Call;
import io.muninn.link.EventMessages;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** Messages sent through the agents. */
final class LiveMessages extends EventMessages {
    private final Supplier<AgentConnection> connections;

    /**
     * @param connections returns the calling thread's connection; throws if it has none
     */
    LiveMessages(Supplier<AgentConnection> connections) {
        super(connections);
        this.connections = connections;
    }

    /** Writes the frame from the program's memory, without the copy that an event needs. */
    @Override
    public void send(int node, int tag, MemorySegment body) {
        AgentConnection connection = connections.get();
        connection.start(Call.SEND).u32(node).u32(tag).bytes(body);
        connection.call();
    }
}
