package io.muninn.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.join.Secret;
import io.muninn.transport.net.Address;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterJoinTest {
    private static final Address TCP_ROOT = new Address.Tcp("127.0.0.1", 0);
    private static final UnaryOperator<ClusterConfig.Builder> DEFAULTS = options -> options;

    @ParameterizedTest
    @CsvSource({
        "TCP,1", "TCP,2", "TCP,4", "TCP,8", "UNIX,1", "UNIX,2", "UNIX,4", "UNIX,8", "LOCAL,1",
        "LOCAL,2", "LOCAL,4", "LOCAL,8"
    })
    void nodesStartedInAnyOrder_allReachEachOther(TestCluster.Kind kind, int count)
            throws Exception {
        for (int seed = 0; seed < 3; seed++) {
            try (TestCluster cluster = TestCluster.start(kind, count, seed)) {
                for (TestNode from : cluster.nodes()) {
                    for (TestNode to : cluster.nodes()) {
                        if (from != to) {
                            from.say(to.self.index(), "from " + from.self);
                        }
                    }
                }

                for (TestNode to : cluster.nodes()) {
                    Set<TestNode.Text> heard = new HashSet<>();
                    for (int i = 0; i < count - 1; i++) {
                        heard.add(TestNode.take(to.texts));
                    }
                    assertEquals(count - 1, heard.size());
                    heard.forEach(it -> assertEquals("from " + it.from(), it.text()));
                    assertTrue(to.losses.isEmpty() && to.failures.isEmpty());
                }
            }
        }
    }

    /** Start and first messages arrive on different connections, so either may be first. */
    @Test
    void messagesSentAtTheStart_areHeardBehindIt() throws Exception {
        int nodes = 5;
        for (int round = 0; round < 20; round++) {
            Address root = TestCluster.unixRoot();
            List<TestNode> all = new ArrayList<>();
            try {
                for (int i = 0; i < nodes; i++) {
                    ClusterConfig.Builder config =
                            ClusterConfig.builder(NodeId.of(i), nodes, root, TestNode.SECRET);
                    TestNode node = new TestNode(config, TestNode::receivedOnly);
                    node.onStart = () -> greetAll(node, nodes);
                    all.add(node.start());
                }
                for (TestNode node : all) {
                    for (int i = 0; i < nodes - 1; i++) {
                        assertEquals("hello", TestNode.take(node.texts).text());
                    }
                    assertEquals("[]", node.failures.toString());
                    assertTrue(node.losses.isEmpty());
                }
            } finally {
                all.forEach(TestNode::close);
            }
        }
    }

    private static void greetAll(TestNode from, int nodes) {
        for (int to = 0; to < nodes; to++) {
            if (to != from.self.index()) {
                from.cluster.send(NodeId.of(to), new TestMessage.Text("hello"));
            }
        }
    }

    @Test
    void nodeListeningEverywhere_isReachedAtTheAddressItUsed() throws Exception {
        try (TestNode zero = TestNode.start(0, 3, TCP_ROOT, it -> it.listen("0.0.0.0"))) {
            Address.Tcp bound = (Address.Tcp) TestNode.await(zero.listening);
            Address address = new Address.Tcp("127.0.0.1", bound.port());
            try (TestNode one = TestNode.start(1, 3, address, it -> it.listen("0.0.0.0"));
                    TestNode two = TestNode.start(2, 3, address, DEFAULTS)) {
                TestNode.await(one.started);
                TestNode.await(two.started);
                two.say(1, "found");
                assertEquals("found", TestNode.take(one.texts).text());
            }
        }
    }

    @Test
    void rootStartedLast_isFoundByNodesThatRetry() throws Exception {
        Address root = TestCluster.unixRoot();
        try (TestNode second = TestNode.start(2, 3, root, DEFAULTS);
                TestNode first = TestNode.start(1, 3, root, DEFAULTS)) {
            first.call(() -> true);
            second.call(() -> true);
            try (TestNode last = TestNode.start(0, 3, root, DEFAULTS)) {
                TestNode.await(last.started);
                TestNode.await(first.started);
                TestNode.await(second.started);
            }
        }
    }

    @Test
    void wrongSecret_isRefusedAndTheRunGoesOn() throws Exception {
        try (TestNode root = TestNode.start(0, 2, TCP_ROOT, DEFAULTS)) {
            Address address = TestNode.await(root.listening);
            ClusterConfig.Builder config =
                    ClusterConfig.builder(
                            NodeId.of(1), 2, address, new Secret(new byte[] {1, 2, 3}));
            try (TestNode spy = new TestNode(config, TestNode::receivedOnly).start()) {
                assertEquals(
                        "wrong cluster secret: give the same --secret-file to all nodes",
                        TestNode.await(spy.refused));
            }

            try (TestNode right = TestNode.start(1, 2, address, DEFAULTS)) {
                TestNode.await(right.started);
                TestNode.await(root.started);
            }
        }
    }

    @Test
    void layoutThatDiffers_isRefusedNamingTheVariable() throws Exception {
        UnaryOperator<ClusterConfig.Builder> rootLayout =
                options ->
                        options.layout(
                                "grid=1024",
                                theirs ->
                                        theirs.equals("grid=1024")
                                                ? Optional.empty()
                                                : Optional.of("variable 'grid': " + theirs));

        assertEquals(
                "layout differs: variable 'grid': grid=512",
                refusal(rootLayout, 1, 2, it -> it.layout("grid=512", _ -> Optional.empty())));
    }

    @Test
    void versionThatDiffers_isRefusedNamingBoth() throws Exception {
        String text = refusal(it -> it.version("0.2"), 1, 2, it -> it.version("0.1"));

        assertEquals("wrong version: node 1 has '0.1', node 0 has '0.2'", text);
    }

    @Test
    void numberOfNodesThatDiffers_isRefusedNamingBoth() throws Exception {
        String text = refusal(DEFAULTS, 1, 3, DEFAULTS);

        assertEquals("wrong number of nodes: node 1 expects 3, node 0 expects 2", text);
    }

    @Test
    void heartbeatLimitThatDiffers_isRefusedNamingBoth() throws Exception {
        String text =
                refusal(DEFAULTS, 1, 2, options -> options.heartbeatLimit(Duration.ofSeconds(1)));

        assertEquals("wrong heartbeat limit: node 1 has 1000 ms, node 0 has 5000 ms", text);
    }

    private static String refusal(
            UnaryOperator<ClusterConfig.Builder> rootOptions,
            int index,
            int nodes,
            UnaryOperator<ClusterConfig.Builder> options)
            throws Exception {
        try (TestNode root = TestNode.start(0, 2, TCP_ROOT, rootOptions);
                TestNode node =
                        TestNode.start(index, nodes, TestNode.await(root.listening), options)) {
            String text = TestNode.await(node.refused);
            assertFalse(root.started.isDone());
            return text;
        }
    }

    @Test
    void idOutOfRange_isRefusedAtTheDoor() {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> ClusterConfig.builder(NodeId.of(4), 4, TCP_ROOT, TestNode.SECRET));

        assertEquals("node 4 is outside 0..3", refused.getMessage());
    }

    @Test
    void secondRoot_isRefusedBecauseTheAddressIsTaken() throws Exception {
        Address address = TestCluster.unixRoot();
        try (TestNode root = TestNode.start(0, 2, address, DEFAULTS)) {
            TestNode.await(root.listening);

            try (TestNode other = TestNode.start(0, 2, address, DEFAULTS)) {
                String text = TestNode.await(other.failed);
                assertTrue(text.startsWith("node 0 cannot listen on " + address), text);
            }
        }
    }

    @Test
    void duplicateId_onlyOneJoinsAndTheRunStarts() throws Exception {
        Address root = TestCluster.unixRoot();
        try (TestNode zero = TestNode.start(0, 3, root, DEFAULTS);
                TestNode one = TestNode.start(1, 3, root, DEFAULTS);
                TestNode twin = TestNode.start(1, 3, root, DEFAULTS)) {
            Object text = TestNode.await(CompletableFuture.anyOf(one.refused, twin.refused));
            assertEquals("node 1 has joined already", text);

            try (TestNode two = TestNode.start(2, 3, root, DEFAULTS)) {
                TestNode.await(zero.started);
                TestNode.await(two.started);
                TestNode winner = one.refused.isDone() ? twin : one;
                TestNode.await(winner.started);
                assertFalse(winner.refused.isDone());
            }
        }
    }

    @Test
    void latecomer_isToldThatTheNodeHasJoined() throws Exception {
        try (TestCluster cluster = TestCluster.start(TestCluster.Kind.TCP, 2, 0)) {
            Address address = TestNode.await(cluster.node(0).listening);

            try (TestNode late = TestNode.start(1, 2, address, DEFAULTS)) {
                assertEquals("node 1 has joined already", TestNode.await(late.refused));
            }
            cluster.node(0).say(1, "still here");
            assertEquals("still here", TestNode.take(cluster.node(1).texts).text());
        }
    }

    @Test
    void nodeThatLeftBeforeAllJoined_isReplaced() throws Exception {
        Address root = TestCluster.unixRoot();
        try (TestNode zero = TestNode.start(0, 3, root, DEFAULTS)) {
            try (TestNode first = TestNode.start(1, 3, root, DEFAULTS);
                    TestNode twin = TestNode.start(1, 3, root, DEFAULTS)) {
                // one refusal proves that the other has joined
                TestNode.await(CompletableFuture.anyOf(first.refused, twin.refused));
            }
            try (TestNode two = TestNode.start(2, 3, root, DEFAULTS);
                    TestNode again = TestNode.start(1, 3, root, DEFAULTS)) {
                TestNode.await(zero.started);
                TestNode.await(two.started);
                TestNode.await(again.started);
                assertTrue(zero.losses.isEmpty());
            }
        }
    }

    @Test
    void missingNode_isNamedToEveryNodeAtTheTimeout() throws Exception {
        Address root = TestCluster.unixRoot();
        UnaryOperator<ClusterConfig.Builder> hurried =
                options -> options.joinTimeout(Duration.ofMillis(600));
        try (TestNode zero = TestNode.start(0, 5, root, hurried);
                TestNode one = TestNode.start(1, 5, root, hurried);
                TestNode three = TestNode.start(3, 5, root, hurried)) {
            String text = "nodes 2, 4 did not join within 600 ms";

            assertEquals(text, TestNode.await(zero.failed));
            assertEquals("node 0: " + text, TestNode.await(one.failed));
            assertEquals("node 0: " + text, TestNode.await(three.failed));
        }
    }

    @Test
    void missingRoot_isNamedAtTheTimeout() throws Exception {
        Address root = TestCluster.unixRoot();
        UnaryOperator<ClusterConfig.Builder> hurried =
                options -> options.joinTimeout(Duration.ofMillis(300));
        try (TestNode one = TestNode.start(1, 2, root, hurried)) {
            String text = TestNode.await(one.failed);

            assertTrue(text.startsWith("the root at " + root + " did not answer"), text);
            assertTrue(text.endsWith("within 300 ms"), text);
        }
    }
}
