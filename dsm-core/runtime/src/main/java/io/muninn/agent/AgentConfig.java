package io.muninn.agent;

import io.muninn.agent.calls.CallConnection;
import io.muninn.agent.memory.Engines;
import io.muninn.agent.memory.LayoutLimits;
import io.muninn.agent.memory.VectorDiffs;
import io.muninn.api.Protocol;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.UpdateRules;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.join.Secret;
import io.muninn.transport.net.Address;
import io.muninn.transport.tls.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The configuration of one node of a run.
 *
 * @param processes application processes of this node
 * @param threads application threads of each of its processes
 * @param launched whether a launcher holds the {@link LauncherPipe} and sends a byte five times per
 *     heartbeat limit
 * @param command program and arguments of the application
 */
public record AgentConfig(
        Membership membership,
        int processes,
        int threads,
        Mechanism mechanism,
        Coherence coherence,
        Output output,
        boolean launched,
        List<String> command) {
    /**
     * How this node joins the cluster, and how it notices losses.
     *
     * @param self this node
     * @param nodes nodes of the cluster
     * @param root the root's address: {@code host:port}, or {@code unix:@name} within one host
     * @param listen where this node listens if the root's address is of TCP: {@code host} or {@code
     *     host:port}; if empty, {@code Doorway} chooses
     * @param secret shared by all nodes of the cluster; it is never sent
     * @param heartbeatLimit a node that is silent for so long is lost
     * @param joinTimeout limit of the wait for all nodes
     * @param links how the links to nodes of other agents are protected
     */
    public record Membership(
            NodeId self,
            int nodes,
            String root,
            Optional<String> listen,
            byte[] secret,
            Duration heartbeatLimit,
            Duration joinTimeout,
            Links links) {}

    /**
     * How links to nodes of other agents are protected.
     *
     * @param tls which have TLS; the same of all nodes of an agent
     * @param checksums whether frames and the pages in them have checksums
     */
    public record Links(Tls tls, boolean checksums) {}

    /**
     * What the agent works with. Results do not depend on it.
     *
     * @param engine traps the application: one of {@link Engines#words}
     * @param diffKernel compares pages with their twins: {@code auto}, or one that {@link
     *     VectorDiffs} accepts
     * @param idle how agent and application threads wait
     * @param mailboxes whether short calls of threads use shared memory
     */
    public record Mechanism(String engine, String diffKernel, Idle idle, boolean mailboxes) {}

    /**
     * How shared variables are kept coherent.
     *
     * @param protocol overrides the protocol of every annotation
     * @param byteDiffs whether diffs are of bytes, and not of elements
     * @param holdNanos how long a node keeps a page that it has just obtained
     * @param flushDelayNanos most time that stores stay unflushed after a release inside the node
     * @param updates how updates are sent, and how long an unused copy is kept
     * @param twins when a write-shared page keeps its twin
     * @param memoryBytes limit of the size of a layout, in bytes
     * @param checksRaces whether concurrent stores of several nodes to one element are reported
     */
    public record Coherence(
            Optional<Protocol> protocol,
            boolean byteDiffs,
            long holdNanos,
            long flushDelayNanos,
            UpdateRules updates,
            AdaptiveTwinRules twins,
            long memoryBytes,
            boolean checksRaces) {}

    /**
     * What a run reports.
     *
     * @param json file to which the root writes its report
     * @param metricsPort port at which counters are served, in Prometheus format
     * @param table whether the root prints a table of counts at the end
     * @param stats whether the root also prints the counts of each region
     * @param everyPage whether the report contains the counts of each page
     * @param stall waits that last for this time are printed, and threads that wait for each other
     *     do not end the run; zero if they do
     * @param page file to which the root writes the run as a page for a browser; if there is one,
     *     every node records the waits of its threads
     * @param events file to which the agent writes the waits of its nodes' threads as a recording
     *     of the JDK's Flight Recorder; that of its first node counts
     */
    public record Output(
            Optional<Path> json,
            OptionalInt metricsPort,
            boolean table,
            boolean stats,
            boolean everyPage,
            Duration stall,
            Optional<Path> page,
            Optional<Path> events) {}

    private static final String VERSION = "muninn 0.2.0";

    /**
     * Margin that is added to the agents' heartbeat limit for the application's limit for its
     * agent.
     */
    private static final Duration LOSS_MARGIN = Duration.ofMillis(500);

    public AgentConfig {
        command = List.copyOf(command);
    }

    /** This node. */
    public NodeId self() {
        return membership.self();
    }

    /** The application threads of this node. */
    public NodeThreads nodeThreads() {
        return new NodeThreads(processes, threads);
    }

    /** Nodes of the cluster. */
    public int nodes() {
        return membership.nodes();
    }

    /**
     * Returns how long an agent and the threads of its nodes poll before they block; 0 to block at
     * once. For a run within one host, all agents are assumed to serve equally many nodes.
     *
     * @param served nodes that the agent serves
     */
    public long spinNanos(int served) {
        int nodesHere = Address.parse(membership.root()) instanceof Address.Unix ? nodes() : served;
        return mechanism
                .idle()
                .spinNanos(
                        nodesHere,
                        served,
                        nodeThreads().count(),
                        Runtime.getRuntime().availableProcessors());
    }

    /** Applies the options of this run to a declared layout. */
    public Layout inForce(Layout declared) {
        return new Layout(
                declared.regions().stream().map(this::inForce).toList(), declared.remotes());
    }

    /** Applies the options of this run to a declared region. */
    public RegionSpec inForce(RegionSpec declared) {
        RegionSpec compared = coherence.byteDiffs() ? declared.withByteGranules() : declared;
        return coherence.protocol().map(compared::withProtocol).orElse(compared);
    }

    /**
     * Returns the configuration by which this node joins the cluster.
     *
     * @param own the layout in force on this node
     */
    public ClusterConfig cluster(Layout own) {
        ClusterConfig.Builder builder =
                ClusterConfig.builder(
                        self(),
                        nodes(),
                        Address.parse(membership.root()),
                        new Secret(membership.secret()));
        membership.listen().ifPresent(builder::listen);
        return builder.version(
                        VERSION
                                + ", "
                                + (processes > 1 ? processes + " processes per node, " : "")
                                + threads
                                + " threads per node, "
                                + coherence.updates().text()
                                + (membership.links().checksums() ? "" : ", checksums off"))
                .layout(own.toText(), theirs -> own.firstDifference(Layout.parse(theirs)))
                .heartbeatLimit(membership.heartbeatLimit())
                .joinTimeout(membership.joinTimeout())
                .tls(membership.links().tls())
                .checksums(membership.links().checksums())
                .build();
    }

    /**
     * Returns the answer to the call JOIN.
     *
     * @param inForce the layout in force on this node
     * @param chosen the engine
     * @param faultSocket the socket at which the agent accepts the memory
     * @param spinNanos how long the node's threads poll before they block
     * @param isServed whether the agent serves a node
     */
    public CallConnection.Joined joined(
            Layout inForce,
            String chosen,
            String faultSocket,
            long spinNanos,
            Predicate<NodeId> isServed) {
        long served = 0;
        for (int i = 0; i < nodes(); i++) {
            served |= isServed.test(NodeId.of(i)) ? 1L << i : 0;
        }
        Duration limit = membership.heartbeatLimit();
        return new CallConnection.Joined(
                self().index(),
                nodes(),
                processes,
                threads,
                LayoutLimits.mappingBytes(inForce),
                ClusterConfig.joiningLimit(limit, nodes()).plus(LOSS_MARGIN).toMillis(),
                limit.plus(LOSS_MARGIN).toMillis(),
                spinNanos,
                mechanism.mailboxes(),
                served,
                coherence.checksRaces(),
                coherence.checksRaces() && output.page().isPresent(),
                chosen,
                faultSocket,
                inForce.toText());
    }
}
