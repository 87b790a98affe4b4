package io.muninn.sim.delay;

import io.muninn.sim.machine.Clock;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpMachine;
import io.muninn.sim.machine.SmpModel;
import java.util.Optional;

/** Delays of nodes with several processors, without chance but for the choice of a handler. */
final class SmpDelays extends ForwardingDelays {
    private final SmpModel model;
    private final HandlerPolicy policy;
    private final boolean updates;
    private final long seed;

    SmpDelays(SmpModel model, HandlerPolicy policy, boolean updates, long seed) {
        super(Delays.exact(MachineModel.of(model)));
        this.model = model;
        this.policy = policy;
        this.updates = updates;
        this.seed = seed;
    }

    @Override
    public Optional<SmpMachine> machine(int nodes, int processors, Clock clock) {
        return Optional.of(new SmpMachine(model, policy, updates, nodes, processors, seed, clock));
    }

    /** True: page tables are changed within the step. */
    @Override
    public boolean withdrawsAtOnce(int pages) {
        return true;
    }
}
