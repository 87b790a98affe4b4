package io.muninn.sim;

/** Thrown by an observer to end a run before its end. It says nothing about the run. */
public final class RunEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RunEndedException(String reason) {
        super(reason);
    }
}
