package io.muninn.agent.lifecycle;

/** The exit statuses of a run. */
public final class ExitStatus {
    /** The result was verified, or the program verifies nothing and ended well. */
    public static final int OK = 0;

    /** A wrong result, or a program that failed. */
    public static final int FAILED = 1;

    /** The command line cannot be used. */
    public static final int USAGE = 2;

    /** A node was lost. */
    public static final int NODE_LOST = 3;

    private ExitStatus() {}
}
