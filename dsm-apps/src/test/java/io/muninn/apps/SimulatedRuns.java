package io.muninn.apps;

import static io.muninn.apps.ProgramsByName.program;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import java.util.Optional;

/** Runs of built-in programs in the simulator whose results have to be right, and checked. */
final class SimulatedRuns {
    private SimulatedRuns() {}

    /**
     * @param words the program's name and its options, each after one blank
     * @param threads of each node
     * @param protocol overrides every annotation, if present
     */
    static AppResult run(String words, int nodes, int threads, Optional<Protocol> protocol) {
        AppRun run = AppRun.of(() -> program(words), nodes).threads(threads);
        protocol.ifPresent(run::protocol);
        AppResult result = run.run();
        String text = words + " on " + nodes + "x" + threads + " " + protocol + ": " + result;
        assertTrue(result.isGood(), text);
        assertTrue(result.verdict().checked(), text);
        return result;
    }

    static AppResult run(String words, int nodes, int threads) {
        return run(words, nodes, threads, Optional.empty());
    }
}
