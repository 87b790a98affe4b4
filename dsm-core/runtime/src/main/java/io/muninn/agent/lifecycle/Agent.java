package io.muninn.agent.lifecycle;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.SystemCalls;
import io.muninn.report.MetricsServer;
import io.muninn.report.MuninnMeters;
import io.muninn.report.WaitEvents;
import io.muninn.report.WaitMeters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;

/** The agent of nodes of one run: takes part in it, and serves the nodes' counters meanwhile. */
public final class Agent {
    private static final int STARTING_PER_PROCESSOR = 4;

    private Agent() {}

    /**
     * Largest number of agents of a run, or of nodes of an agent, that start on this host at the
     * same time; the JVMs of a start work alternately.
     */
    public static int startingMax() {
        return STARTING_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    }

    /**
     * Takes part in a run.
     *
     * @param configs of the nodes, at least one
     * @return the exit status, see {@link ExitStatus}
     */
    public static int run(List<AgentConfig> configs) throws InterruptedException {
        SystemCalls calls = SystemCalls.attempt();
        if (!calls.isComplete()) {
            System.err.println(
                    "node "
                            + configs.getFirst().self()
                            + ": the system refuses calls that an agent makes: "
                            + calls.text()
                            + "; needs "
                            + calls.needs());
            return ExitStatus.FAILED;
        }
        HostAgent agent = new HostAgent(configs);
        List<MetricsServer> servers = new ArrayList<>();
        Optional<Recording> recording = Optional.empty();
        try {
            recording = recording(configs.getFirst());
            for (int i = 0; i < configs.size(); i++) {
                serveMetrics(configs.get(i), agent, i, servers);
            }
            return agent.run();
        } catch (IOException cannot) {
            System.err.println("node " + configs.getFirst().self() + ": " + cannot.getMessage());
            return ExitStatus.FAILED;
        } finally {
            servers.forEach(MetricsServer::close);
            recording.ifPresent(Recording::stop);
        }
    }

    /** Starts the recording of events, if one is wanted. */
    private static Optional<Recording> recording(AgentConfig config) throws IOException {
        return config.output().events().isPresent()
                ? Optional.of(WaitEvents.record(config.output().events().get()))
                : Optional.empty();
    }

    private static void serveMetrics(
            AgentConfig config, HostAgent agent, int place, List<MetricsServer> servers)
            throws IOException {
        if (config.output().metricsPort().isPresent()) {
            MuninnMeters meters =
                    new MuninnMeters(
                            config.self().index(), counter -> agent.counter(place, counter));
            WaitMeters waits = new WaitMeters(config.self().index());
            servers.add(
                    MetricsServer.start(
                            config.output().metricsPort().getAsInt(),
                            () -> waits.hold(agent.holders(place)),
                            meters,
                            waits));
            agent.meter(config.self(), waits);
        }
    }
}
