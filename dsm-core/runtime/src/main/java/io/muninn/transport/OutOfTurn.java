package io.muninn.transport;

/**
 * An authenticated node sent a message that is not valid in the current state. Its connection is
 * closed and it is lost.
 */
final class OutOfTurn extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutOfTurn(String what) {
        super("sent out of turn: " + what);
    }
}
