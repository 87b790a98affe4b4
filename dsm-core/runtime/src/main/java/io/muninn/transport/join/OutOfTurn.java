package io.muninn.transport.join;

/**
 * An authenticated node sent a message that is not valid in the current state. Its connection is
 * closed and it is lost.
 */
public final class OutOfTurn extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutOfTurn(String what) {
        super("sent out of turn: " + what);
    }
}
