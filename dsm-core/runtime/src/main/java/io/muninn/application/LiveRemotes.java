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

    /**
     * @param direct whether the agent serves a home, as the program numbers nodes
     */
    LiveRemotes(Supplier<? extends ThreadCalls> calls, MemorySegment memory, IntPredicate direct) {
        super(calls);
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
}
