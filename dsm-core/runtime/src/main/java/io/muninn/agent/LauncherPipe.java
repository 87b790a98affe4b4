package io.muninn.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The pipe from a launcher to an agent: a configuration, then heartbeats. It is not standard input,
 * which belongs to the application.
 */
public final class LauncherPipe {
    /** The descriptor that an agent has been given. */
    public static final int DESCRIPTOR = 3;

    /** Sent several times per heartbeat limit. */
    public static final byte HEARTBEAT = '.';

    /** Sent when another node has failed, for an agent whose run has not started. */
    public static final byte RUN_FAILED = '!';

    /** Sent when the launcher is told to end: the agent of the root shows all waits, and ends. */
    public static final byte INTERRUPTED = '^';

    /** Sent when the user wants to see all waits: the agent of the root shows them. */
    public static final byte SHOW_WAITS = '?';

    private LauncherPipe() {}

    /** Opens the pipe. Streams share its bytes; none of them has a buffer. */
    public static InputStream open() throws IOException {
        return new FileInputStream("/proc/self/fd/" + DESCRIPTOR);
    }
}
