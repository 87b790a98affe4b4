package io.muninn.sim.app;

/**
 * Thrown from the suspension points of a run that nobody goes on with, so that the code there ends.
 */
final class Abandoned extends Error {
    private static final long serialVersionUID = 1L;

    Abandoned() {
        super("the simulation was abandoned", null, false, false);
    }
}
