package io.muninn.sim;

import io.muninn.sim.machine.SmpMachine;
import java.util.Optional;

/**
 * The time that a node's agent takes for events, and the processor that it takes it from.
 *
 * <p>An event costs time before its step; the effects of the step cost more, which is added while
 * they are performed.
 */
abstract class AgentWork {
    protected final SimNode node;
    private long busyNanos; // of the present step: work on pages, and of sends

    AgentWork(SimNode node) {
        this.node = node;
    }

    static AgentWork of(SimNode node) {
        Optional<SmpMachine> machine = node.simulation().machine();
        if (machine.isPresent()) {
            return new InterruptingAgent(node, machine.get());
        }
        return node.simulation().delays().isProcessorShared()
                ? new SharingAgent(node)
                : new SeparateAgent(node);
    }

    protected long nowNanos() {
        return node.simulation().nowNanos();
    }

    /** The cost of an event, apart from its effects. */
    protected long stepNanos(Lane lane) {
        return node.simulation().delays().step(node.id().index())
                + lane.events().element().arrivalNanos();
    }

    /** Begins work on the first event of a lane. Returns when its step is performed. */
    abstract long begin(Lane lane);

    /** The step of a lane's first event is about to be performed. */
    void stepping(Lane lane) {}

    /** The step of an event of this lane has been performed. */
    abstract void end(Lane lane);

    /** Adds work of the present step. */
    void add(long nanos) {
        busyNanos += nanos;
    }

    /** Adds work of the present step that compares a page with its twin. */
    void addComparison(long nanos) {
        add(nanos);
    }

    protected long busyNanos() {
        return busyNanos;
    }

    protected void clear() {
        busyNanos = 0;
    }

    /** When an effect of the present step is performed: after the work of those before it. */
    abstract long effectDelayNanos();

    /** Adds the work of a send. Returns when it is done. */
    abstract long sendsUntilNanos(int bytes);

    /** When a thread of the node may use its processor. */
    long processorFreeNanos() {
        return nowNanos();
    }

    /** How long the agent has used the only processor of all threads, including begun work. */
    long takenNanos() {
        return 0;
    }
}
