package io.muninn.bench.paper;

import io.muninn.api.Protocol;
import io.muninn.launch.process.LiveRun;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.Optional;

/** Runs a program on nodes of this machine and counts its messages. */
interface LiveCounts {
    /** Messages are counted, not timed: sixteen JVMs on a busy machine may be silent. */
    String HEARTBEAT_SECONDS = "60";

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

    /** Counts the messages of runs with this engine. */
    static LiveCounts with(String engine) {
        return (nodes, protocol, words) -> {
            List<String> options = List.of("--engine", engine, "--heartbeat", HEARTBEAT_SECONDS);
            LiveRun run = LiveRun.of(nodes, protocol, options, words);
            if (!run.isGood()) {
                return new Outcome(
                        Optional.empty(), "status " + run.status() + ":\n" + run.output());
            }
            return new Outcome(
                    Optional.of(
                            new Sent(
                                    run.total(NodeCounter.MESSAGES), run.total(NodeCounter.BYTES))),
                    "");
        };
    }
}
