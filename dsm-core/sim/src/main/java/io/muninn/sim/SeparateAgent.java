package io.muninn.sim;

/** An agent with a processor of its own. Effects are performed at the time of their step. */
final class SeparateAgent extends AgentWork {
    SeparateAgent(SimNode node) {
        super(node);
    }

    @Override
    long begin(Lane lane) {
        long start = Math.max(nowNanos() + busyNanos(), node.pausedUntilNanos());
        clear();
        return start + stepNanos(lane);
    }

    @Override
    void end(Lane lane) {}

    @Override
    long effectDelayNanos() {
        return 0;
    }

    @Override
    long sendsUntilNanos(int bytes) {
        return nowNanos();
    }
}
