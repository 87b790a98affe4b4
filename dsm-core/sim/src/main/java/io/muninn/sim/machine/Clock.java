package io.muninn.sim.machine;

/** The time of a simulation, in picoseconds. */
public interface Clock {
    long nowPicos();

    /** Plans an action, rounded up to the precision of the simulation. */
    void at(long timePicos, Runnable action);
}
