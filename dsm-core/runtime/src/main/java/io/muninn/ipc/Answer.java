package io.muninn.ipc;

/** The first byte of a frame from the agent to an application thread. */
public final class Answer {
    /** Value i64. */
    public static final int DONE = 1;

    /** Text: what or who is missing. */
    public static final int TIMED_OUT = 2;

    /** Nothing. */
    public static final int CANCELLED = 3;

    /** Text: why the barrier will not fall. */
    public static final int BROKEN = 4;

    /** Node u32, text. */
    public static final int LOST = 5;

    /** Node u32, bytes to the end. */
    public static final int DELIVERED = 6;

    /** Text: why the agent or the cluster refuses. */
    public static final int REFUSED = 7;

    /**
     * Node u32, nodes u32, threads u32, mapping bytes i64, loss millis while nodes join i64, and
     * later i64, spin nanos i64, whether threads have mailboxes u8, engine text, fault socket text,
     * layout text in force.
     */
    public static final int JOINED = 8;

    /** Number i64 of a posted call, and then a {@link #DELIVERED} or a {@link #REFUSED}. */
    public static final int COMPLETED = 9;

    private Answer() {}
}
