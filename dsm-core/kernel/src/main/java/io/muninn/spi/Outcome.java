package io.muninn.spi;

/** How a waiter's call ended. */
public sealed interface Outcome {
    /** The lock is held, the barrier has fallen, the signal came, the message is on its way. */
    record Done() implements Outcome {}

    /** Bytes for a receiver; a request for the thread that serves, a reply for a caller. */
    record Delivered(int from, Bytes body) implements Outcome {}

    /** Nothing came in time; the text says what or who is missing. */
    record TimedOut(String missing) implements Outcome {}

    /** The wait was cancelled because the thread was interrupted. */
    record Cancelled() implements Outcome {}

    /** The barrier cannot fall any more; the text says why. */
    record Broken(String reason) implements Outcome {}

    /** The other node does not take the call; the text says why. */
    record Refused(String reason) implements Outcome {}

    /**
     * A posted call is over.
     *
     * @param number as it was posted
     * @param how a delivery, or a refusal
     */
    record Completed(long number, Outcome how) implements Outcome {}

    /** A node is lost, and the call with it. */
    record Lost(int node, String reason) implements Outcome {}

    Outcome DONE = new Done();
    Outcome CANCELLED = new Cancelled();
}
