package io.muninn.sim.app;

/** Thrown at the suspension points of an abandoned run, to end the code there. */
public final class Abandoned extends Error {
    private static final long serialVersionUID = 1L;

    Abandoned() {
        super("the simulation was abandoned", null, false, false);
    }
}
