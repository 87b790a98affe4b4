package io.muninn.report;

import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ReservedBarriers;

/**
 * The reason for which a thread of the program waits. Codes are positions in the bytes of a report.
 */
public enum WaitKind {
    /** A load stopped at a page. */
    LOAD("load"),
    /** A store stopped at a page. */
    STORE("store"),
    /** A lock, or a reader-writer lock. */
    LOCK("lock"),
    /** A barrier of the program, or a reduction. */
    BARRIER("barrier"),
    /** A condition of a lock. */
    CONDITION("condition"),
    /** A message of another thread of the program. */
    MESSAGE("message"),
    /** A call of a shipped object. */
    CALL("call"),
    /** Words of a remote variable. */
    REMOTE("remote"),
    /** The start or the end of the program, or an allocation by all threads. */
    PHASE("phase"),
    /** Nothing to do: the thread serves an object. */
    IDLE("idle"),
    /** Another answer of the agent. */
    OTHER("other");

    /** The most kinds that a report may have. */
    static final int COUNT = values().length;

    private final String word;

    WaitKind(String word) {
        this.word = word;
    }

    /** The kind of a call that waits. */
    public static WaitKind of(Event.Waiting call) {
        NodeCounter counted = call.time().orElse(null);
        return switch (counted) {
            case LOCK_NANOS -> LOCK;
            case BARRIER_NANOS -> BARRIER;
            case CONDITION_NANOS -> CONDITION;
            case RECEIVE_NANOS -> MESSAGE;
            case CALL_NANOS -> CALL;
            case null, default -> uncounted(call);
        };
    }

    private static WaitKind uncounted(Event.Waiting call) {
        return switch (call) {
            case Event.BarrierReached arrival when ReservedBarriers.isReserved(arrival.barrier()) ->
                    PHASE;
            case Event.Remoting _ -> REMOTE;
            case Event.ServeCalled _, Event.ReplyAwaited _ -> IDLE;
            default -> OTHER;
        };
    }

    /** Its word in reports and tags. */
    public String word() {
        return word;
    }

    /** True for a page. */
    boolean isPage() {
        return this == LOAD || this == STORE;
    }

    /** True for a wait that ends because of another thread, which a critical path follows. */
    boolean isSynchronization() {
        return this == LOCK || this == BARRIER || this == PHASE;
    }
}
