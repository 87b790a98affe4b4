package io.muninn.launch;

import io.muninn.api.Protocol;
import java.util.List;
import java.util.Optional;

/** Runs a program on nodes of this machine and counts its messages. */
public interface LiveCounts {
    /** The messages and bytes that all nodes of a run sent. */
    record Sent(long messages, long bytes) {}

    /**
     * The result of a run.
     *
     * @param sent empty if it failed
     * @param failure text for the user with its end and the output of its processes; empty if it
     *     succeeded
     */
    record Outcome(Optional<Sent> sent, String failure) {}

    /**
     * Runs the program.
     *
     * @param protocol overrides every annotation
     * @param words the program and its options
     */
    Outcome run(int nodes, Optional<Protocol> protocol, List<String> words)
            throws InterruptedException;
}
