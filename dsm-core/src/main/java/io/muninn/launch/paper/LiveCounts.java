package io.muninn.launch.paper;

import io.muninn.api.Protocol;
import java.util.List;
import java.util.Optional;

/** Runs a program on nodes of this machine and counts. */
public interface LiveCounts {
    /** What the whole of a run sent. */
    record Sent(long messages, long bytes) {}

    /**
     * Runs it.
     *
     * @param protocol overrides every annotation
     * @param words the program and its options
     * @return empty if the run failed
     */
    Optional<Sent> run(int nodes, Optional<Protocol> protocol, List<String> words)
            throws InterruptedException;
}
