package io.muninn.transport;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** All nodes of one run, in this process, each with its own loop. */
final class TestCluster implements AutoCloseable {
    /** What carries the messages. */
    enum Kind {
        TCP,
        UNIX,
        RINGS
    }

    private final List<TestNode> nodes;

    private TestCluster(List<TestNode> nodes) {
        this.nodes = nodes;
    }

    static Address unixRoot() {
        return new Address.Unix("muninn-test-" + UUID.randomUUID());
    }

    /**
     * Starts all nodes, the others in an order given by the seed, and waits for the run to start.
     */
    static TestCluster start(Kind kind, int count, long seed) throws Exception {
        return start(kind, count, seed, options -> options);
    }

    static TestCluster start(
            Kind kind, int count, long seed, UnaryOperator<ClusterConfig.Builder> more)
            throws Exception {
        UnaryOperator<ClusterConfig.Builder> options =
                config -> more.apply(config.rings(kind == Kind.RINGS));
        Address root = kind == Kind.TCP ? new Address.Tcp("localhost", 0) : unixRoot();
        TestNode[] nodes = new TestNode[count];
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(i);
        }
        if (kind == Kind.TCP) { // the others need the port
            nodes[0] = TestNode.start(0, count, root, options);
            if (count > 1) {
                root = TestNode.await(nodes[0].listening);
            }
            order.removeFirst();
        }
        Collections.shuffle(order, new Random(seed));
        for (int index : order) {
            nodes[index] = TestNode.start(index, count, root, options);
        }
        TestCluster cluster = new TestCluster(List.of(nodes));
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
    }
}
