package io.muninn.application;

import io.muninn.link.EventRemotes;
import io.muninn.link.ThreadCalls;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/** Remote variables: memory that the nodes of this agent share, and calls to the agent. */
final class LiveRemotes extends EventRemotes {
    private final MemorySegment memory;
    private final IntPredicate direct;
    private final ThreadLocal<AgentConnection> connections;

    /**
     * @param connections of the application's threads
     * @param direct whether the agent serves a home, as the program numbers nodes
     */
    LiveRemotes(
            Supplier<? extends ThreadCalls> calls,
            ThreadLocal<AgentConnection> connections,
            MemorySegment memory,
            IntPredicate direct) {
        super(calls);
        this.connections = connections;
        this.memory = memory;
        this.direct = direct;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public boolean isDirect(int node) {
        return direct.test(node);
    }

    /** Any thread may access words; only those that have a connection are counted. */
    @Override
    public void accesses() {
        AgentConnection mine = connections.get();
        if (mine != null) {
            mine.accesses();
        }
    }
}
