package io.muninn.transport;

import io.muninn.model.NodeId;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.local.LocalNodes;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.tls.Tls;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** All nodes of one run, in this process; each has a loop of its own, or all have one. */
public final class TestCluster implements AutoCloseable {
    /** The transport of the messages. */
    enum Kind {
        TCP,
        TLS,
        UNIX,
        /** All nodes have one agent. */
        LOCAL
    }

    private final List<TestNode> nodes;
    private final Optional<AgentEventLoop> agent; // of all nodes, if they have one

    private TestCluster(List<TestNode> nodes, Optional<AgentEventLoop> agent) {
        this.nodes = nodes;
        this.agent = agent;
    }

    public static Address unixRoot() {
        return new Address.Unix("muninn-test-" + UUID.randomUUID());
    }

    /**
     * Starts all nodes, the others in an order given by the seed, and waits for the run to start.
     */
    static TestCluster start(Kind kind, int count, long seed) throws Exception {
        return start(kind, count, seed, options -> options);
    }

    static TestCluster start(
            Kind kind, int count, long seed, UnaryOperator<ClusterConfig.Builder> given)
            throws Exception {
        boolean byPort = kind == Kind.TCP || kind == Kind.TLS;
        UnaryOperator<ClusterConfig.Builder> options =
                kind == Kind.TLS
                        ? config -> given.apply(config).tls(Tls.ephemeral(Tls.Links.ALL))
                        : given;
        Address root = byPort ? new Address.Tcp("localhost", 0) : unixRoot();
        TestNode[] nodes = new TestNode[count];
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(i);
        }
        if (byPort) { // the others need the port
            nodes[0] = TestNode.start(0, count, root, options);
            if (count > 1) {
                root = TestNode.await(nodes[0].listening);
            }
            order.removeFirst();
        }
        Collections.shuffle(order, new Random(seed));
        Optional<AgentEventLoop> agent =
                kind == Kind.LOCAL ? Optional.of(new AgentEventLoop(_ -> {})) : Optional.empty();
        List<NodeId> all = IntStream.range(0, count).mapToObj(NodeId::of).toList();
        Optional<LocalNodes> locals =
                agent.map(loop -> new LocalNodes(loop, all, TestMessage.CODECS));
        for (int index : order) {
            if (locals.isEmpty()) {
                nodes[index] = TestNode.start(index, count, root, options);
            } else {
                ClusterConfig.Builder config =
                        ClusterConfig.builder(NodeId.of(index), count, root, TestNode.SECRET);
                nodes[index] =
                        new TestNode(options.apply(config), agent.get(), locals.get()).start();
            }
        }
        TestCluster cluster = new TestCluster(List.of(nodes), agent);
        for (TestNode node : nodes) {
            TestNode.await(node.started);
        }
        return cluster;
    }

    TestNode node(int index) {
        return nodes.get(index);
    }

    List<TestNode> nodes() {
        return nodes;
    }

    @Override
    public void close() {
        nodes.forEach(TestNode::close);
        agent.ifPresent(AgentEventLoop::close);
    }
}
