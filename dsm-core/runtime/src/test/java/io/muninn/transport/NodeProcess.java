package io.muninn.transport;

import io.muninn.model.NodeId;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.local.LocalNodes;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.wire.WireMessage;
import java.time.Duration;
import java.util.List;

/**
 * A node in its own process, for tests that stop and kill one. Prints the calls of its listeners.
 */
final class NodeProcess implements ClusterListener, MessageListener {
    private final AgentEventLoop loop = new AgentEventLoop(NodeProcess::halt);

    private NodeProcess() {}

    /**
     * @param arguments index, nodes, root address
     */
    public static void main(String[] arguments) {
        ClusterConfig config = config(arguments).build();
        NodeProcess process = new NodeProcess();
        Cluster cluster =
                new Cluster(
                        process.loop,
                        config,
                        new LocalNodes(process.loop, List.of(config.self()), TestMessage.CODECS),
                        TestMessage.CODECS,
                        TestNode::receivedOnly,
                        process,
                        process);
        process.loop.execute(cluster::start);
    }

    static ClusterConfig.Builder config(String... arguments) {
        return ClusterConfig.builder(
                        NodeId.of(Integer.parseInt(arguments[0])),
                        Integer.parseInt(arguments[1]),
                        Address.parse(arguments[2]),
                        TestNode.SECRET)
                .heartbeatLimit(Duration.ofMillis(500));
    }

    private static void halt(Throwable cause) {
        System.out.println("failure " + cause);
        Runtime.getRuntime().halt(1);
    }

    private void end(String line) {
        System.out.println(line);
        loop.close();
    }

    @Override
    public void onStarted() {
        System.out.println("started");
    }

    @Override
    public void onMessage(NodeId from, WireMessage message) {
        System.out.println("message " + message);
    }

    @Override
    public void onPeerLost(NodeId node, String reason) {
        end("lost " + node + " " + reason);
    }

    @Override
    public void onRefused(String text) {
        end("refused " + text);
    }

    @Override
    public void onFailed(String text) {
        end("failed " + text);
    }
}
