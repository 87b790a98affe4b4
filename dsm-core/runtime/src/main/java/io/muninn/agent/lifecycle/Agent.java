package io.muninn.agent.lifecycle;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.SystemCalls;
import io.muninn.report.MetricsServer;
import io.muninn.report.MuninnMeters;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The agent of one node: takes part in a run, and serves the node's counters meanwhile. */
public final class Agent {
    private Agent() {}

    /**
     * Takes part in a run.
     *
     * @return the exit status, see {@link ExitStatus}
     */
    public static int run(AgentConfig config) throws InterruptedException {
        SystemCalls calls = SystemCalls.attempt();
        if (!calls.isComplete()) {
            System.err.println(
                    "node "
                            + config.self()
                            + ": the system refuses calls that an agent makes: "
                            + calls.text()
                            + "; needs "
                            + calls.needs());
            return ExitStatus.FAILED;
        }
        LifeCycle lifeCycle = new LifeCycle(config);
        try (@Nullable MetricsServer _ = serveMetrics(config, lifeCycle)) {
            return lifeCycle.run();
        } catch (IOException cannot) {
            lifeCycle.warn(cannot.getMessage());
            return ExitStatus.FAILED;
        }
    }

    /** Returns null without the option. */
    private static @Nullable MetricsServer serveMetrics(AgentConfig config, LifeCycle lifeCycle)
            throws IOException {
        if (config.metricsPort().isEmpty()) {
            return null;
        }
        MuninnMeters meters = new MuninnMeters(config.self().index(), lifeCycle::counter);
        return MetricsServer.start(config.metricsPort().getAsInt(), meters);
    }
}
