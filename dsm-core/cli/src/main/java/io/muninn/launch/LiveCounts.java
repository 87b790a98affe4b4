package io.muninn.launch;

import io.muninn.api.Protocol;
import java.util.List;
import java.util.Optional;

/** Runs a program on nodes of this machine and counts. */
public interface LiveCounts {
    /** What the whole of a run sent. */
    record Sent(long messages, long bytes) {}

    /**
     * What came of a run.
     *
     * @param sent empty if it failed
     * @param failure for the user: how it ended and what its processes said; empty if it did not
     */
    record Outcome(Optional<Sent> sent, String failure) {}

    /**
     * Runs it.
     *
     * @param protocol overrides every annotation
     * @param words the program and its options
     */
    Outcome run(int nodes, Optional<Protocol> protocol, List<String> words)
            throws InterruptedException;
}
