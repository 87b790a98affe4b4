package io.muninn.sim;

/**
 * An agent that shares one processor with all threads of its node, see {@link
 * io.muninn.sim.delay.Delays#isProcessorShared}.
 */
final class SharingAgent extends AgentWork {
    private long untilNanos; // when the agent's work ends
    private long takenNanos; // the agent's total work, begun work included

    SharingAgent(SimNode node) {
        super(node);
    }

    @Override
    long begin(Lane lane) {
        int bytes = lane.events().element().bytes();
        long nanos = stepNanos(lane);
        nanos += bytes > 0 ? node.simulation().delays().receive(bytes) : 0;
        work(nanos, Math.max(processorFreeNanos(), node.pausedUntilNanos()) + nanos);
        return untilNanos;
    }

    @Override
    void end(Lane lane) {
        work(busyNanos(), nowNanos() + busyNanos());
        clear();
    }

    private void work(long nanos, long until) {
        untilNanos = until;
        takenNanos += nanos;
        node.processors().workForAgent(nanos, until);
    }

    @Override
    long effectDelayNanos() {
        return busyNanos();
    }

    @Override
    long sendsUntilNanos(int bytes) {
        add(node.simulation().delays().send(bytes));
        return nowNanos() + busyNanos();
    }

    @Override
    long processorFreeNanos() {
        return Math.max(nowNanos(), untilNanos);
    }

    @Override
    long takenNanos() {
        return takenNanos;
    }
}
