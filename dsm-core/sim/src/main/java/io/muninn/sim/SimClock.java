package io.muninn.sim;

import io.muninn.sim.machine.Clock;
import io.muninn.sim.machine.SmpModel;

/** The time of a simulation, for the hardware of its nodes. */
record SimClock(Simulation simulation) implements Clock {
    @Override
    public long nowPicos() {
        return simulation.nowNanos() * SmpModel.NANO;
    }

    @Override
    public void at(long timePicos, Runnable action) {
        simulation.at(Math.ceilDiv(timePicos, SmpModel.NANO), action);
    }
}
