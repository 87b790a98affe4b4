package io.muninn.agent;

import io.muninn.agent.calls.CallConnection;
import io.muninn.agent.memory.Engines;
import io.muninn.agent.memory.LayoutLimits;
import io.muninn.agent.memory.VectorDiffs;
import io.muninn.api.Protocol;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.UpdateRules;
import io.muninn.transport.Address;
import io.muninn.transport.ClusterConfig;
import io.muninn.transport.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How one node takes part in a run.
 *
 * @param self this node
 * @param nodes nodes of the cluster
 * @param root the root's address: {@code host:port}, or {@code unix:@name} within one host
 * @param listen where this node listens when the root's address is of TCP: {@code host} or {@code
 *     host:port}; without, what {@code Doorway} says
 * @param secret what all nodes of the cluster share; it never travels
 * @param threads application threads of this node
 * @param engine what traps the application: one of {@link Engines#words}
 * @param protocol overrides every annotation
 * @param byteDiffs whether diffs are of bytes, whatever the elements
 * @param diffKernel what compares pages with their twins: {@code auto}, or one that {@link
 *     VectorDiffs} found to run here
 * @param idle what agent and application threads do while they wait
 * @param joinsSteps whether what is done to one page after the other is done in one step
 * @param mailboxes whether short calls of threads go through shared memory
 * @param rings whether messages to nodes on this host go through shared memory
 * @param heartbeatLimit a node silent for so long is lost
 * @param joinTimeout how long to wait for all nodes
 * @param holdNanos how long a page just obtained is kept
 * @param flushDelayNanos how long stores stay unflushed after a release inside the node, at most
 * @param updates how updates travel, and how long an unused copy is kept
 * @param twins when a write-shared page keeps its twin
 * @param memoryBytes most bytes of shared memory that a layout may have
 * @param checksRaces whether elements that several nodes store to at the same time are reported
 * @param json where the root writes its report
 * @param metricsPort where counters are served, in Prometheus format
 * @param launched a launcher holds a pipe to standard input and sends a byte five times per
 *     heartbeat limit
 * @param table the root prints a table of counts at the end
 * @param stats the root prints what each region took, too
 * @param everyPage the report has what is counted of each page
 * @param command the application: program and arguments
 */
public record AgentConfig(
        NodeId self,
        int nodes,
        String root,
        Optional<String> listen,
        byte[] secret,
        int threads,
        String engine,
        Optional<Protocol> protocol,
        boolean byteDiffs,
        String diffKernel,
        Idle idle,
        boolean joinsSteps,
        boolean mailboxes,
        boolean rings,
        Duration heartbeatLimit,
        Duration joinTimeout,
        long holdNanos,
        long flushDelayNanos,
        UpdateRules updates,
        AdaptiveTwinRules twins,
        long memoryBytes,
        boolean checksRaces,
        Optional<Path> json,
        OptionalInt metricsPort,
        boolean launched,
        boolean table,
        boolean stats,
        boolean everyPage,
        List<String> command) {
    private static final String VERSION = "muninn 0.1.0";

    /** How much longer than the agents among themselves the application waits for its agent. */
    private static final Duration LOSS_MARGIN = Duration.ofMillis(500);

    public AgentConfig {
        command = List.copyOf(command);
    }

    /**
     * How long this node's threads look for what they wait for before they block; 0: not at all.
     */
    public long spinNanos() {
        int nodesHere = Address.parse(root) instanceof Address.Unix ? nodes : 1;
        return idle.spinNanos(nodesHere, threads, Runtime.getRuntime().availableProcessors());
    }

    /** What a declared layout becomes in this run. */
    public Layout inForce(Layout declared) {
        return new Layout(declared.regions().stream().map(this::inForce).toList());
    }

    /** What a declared region becomes in this run. */
    public RegionSpec inForce(RegionSpec declared) {
        RegionSpec compared = byteDiffs ? declared.withByteGranules() : declared;
        return protocol.map(compared::withProtocol).orElse(compared);
    }

    /**
     * How this node joins the others.
     *
     * @param own the layout in force on this node
     */
    public ClusterConfig cluster(Layout own) {
        ClusterConfig.Builder builder =
                ClusterConfig.builder(self, nodes, Address.parse(root), new Secret(secret));
        listen.ifPresent(builder::listen);
        return builder.version(VERSION + ", " + threads + " threads per node, " + updates.text())
                .layout(own.toText(), theirs -> own.firstDifference(Layout.parse(theirs)))
                .heartbeatLimit(heartbeatLimit)
                .joinTimeout(joinTimeout)
                .rings(rings)
                .build();
    }

    /**
     * What the application needs to map its memory.
     *
     * @param inForce the layout in force on this node
     * @param chosen the engine
     * @param faultSocket where the memory is handed over
     */
    public CallConnection.Joined joined(Layout inForce, String chosen, String faultSocket) {
        return new CallConnection.Joined(
                self.index(),
                nodes,
                threads,
                LayoutLimits.mappingBytes(inForce),
                ClusterConfig.joiningLimit(heartbeatLimit, nodes).plus(LOSS_MARGIN).toMillis(),
                heartbeatLimit.plus(LOSS_MARGIN).toMillis(),
                spinNanos(),
                mailboxes,
                chosen,
                faultSocket,
                inForce.toText());
    }
}
