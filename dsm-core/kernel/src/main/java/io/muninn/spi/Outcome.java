package io.muninn.spi;

/** The result of a waiter's call. */
public sealed interface Outcome {
    /**
     * The lock is held, the barrier has completed, the signal has arrived, or the message is sent.
     */
    record Done() implements Outcome {}

    /** Bytes for a receiver: a request for a serving thread, or a reply for a caller. */
    record Delivered(int from, Bytes body) implements Outcome {}

    /** The time ran out; the text names the missing threads, nodes or message. */
    record TimedOut(String missing) implements Outcome {}

    /** The wait was cancelled because the thread was interrupted. */
    record Cancelled() implements Outcome {}

    /** The barrier cannot complete any more; the text gives the reason. */
    record Broken(String reason) implements Outcome {}

    /** The other node does not accept the call; the text gives the reason. */
    record Refused(String reason) implements Outcome {}

    /**
     * A posted call has ended.
     *
     * @param number as it was posted
     * @param how a delivery, or a refusal
     */
    record Completed(long number, Outcome how) implements Outcome {}

    /** A node is lost, which ends the call. */
    record Lost(int node, String reason) implements Outcome {}

    Outcome DONE = new Done();
    Outcome CANCELLED = new Cancelled();
}
