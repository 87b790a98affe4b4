package io.muninn.ipc;

/** The first byte of a frame from the agent to an application thread. */
public final class Answer {
    /** Value i64. */
    public static final int DONE = 1;

    /** Text: the missing parties or resource. */
    public static final int TIMED_OUT = 2;

    /** Nothing. */
    public static final int CANCELLED = 3;

    /** Text: the reason why the barrier is broken. */
    public static final int BROKEN = 4;

    /** Node u32, text. */
    public static final int LOST = 5;

    /** Node u32, bytes to the end. */
    public static final int DELIVERED = 6;

    /** Text: the reason of the agent's or the cluster's refusal. */
    public static final int REFUSED = 7;

    /**
     * Node u32, nodes u32, threads u32, mapping bytes i64, loss millis while nodes join i64, and
     * later i64, spin nanos i64, u8 1 if threads have mailboxes, nodes of the agent i64, u8 1 if
     * the run looks for races, u8 1 if lines that store are told, engine text, fault socket text,
     * layout text in force.
     */
    public static final int JOINED = 8;

    /** Number i64 of a posted call, then a {@link #DELIVERED} or a {@link #REFUSED}. */
    public static final int COMPLETED = 9;

    private Answer() {}
}
