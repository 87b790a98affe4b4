package io.muninn.node.port;

/** What ends a run. */
public interface RunControl {
    /** The program did what it must not; every node ends. */
    void failRun(String reason);
}
