package io.muninn.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.TestCluster.Kind;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.loop.AgentEventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterLossTest {
    private static final Duration LIMIT = Duration.ofMillis(250);

    /** By TCP, an end without a farewell may be an interruption, as long as the process lives. */
    private static final UnaryOperator<ClusterConfig.Builder> ONE_SECOND =
            options -> options.heartbeatLimit(Duration.ofSeconds(1));

    private static final UnaryOperator<ClusterConfig.Builder> IMPATIENT =
            options -> options.heartbeatLimit(LIMIT);

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void nodeThatDies_isLostOnceOnEveryOther(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 4, 1, ONE_SECOND)) {
            cluster.node(2).die();

            for (int i : List.of(0, 1, 3)) {
                TestNode.Loss loss = TestNode.take(cluster.node(i).losses);
                assertEquals(NodeId.of(2), loss.node());
                assertTrue(loss.reason().startsWith("closed its connection"), loss.reason());
            }
            // each has also received the others' verdicts once an answer has passed all nodes
            askRound(cluster, List.of(0, 1, 3));
            for (int i : List.of(0, 1, 3)) {
                assertEquals(List.of(), cluster.node(i).lossesSoFar());
                cluster.node(i).say(2, "dropped without a word");
            }
        }
    }

    /** The loop has let events pass, and ends before it processes the next. */
    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void nodeThatEndsAmongItsTasks_isLost(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 3, 0, ONE_SECOND)) {
            TestNode ending = cluster.node(2);

            ending.loop.execute(ending::die);

            for (int i : List.of(0, 1)) {
                String reason = TestNode.take(cluster.node(i).losses).reason();
                assertTrue(reason.startsWith("closed its connection"), reason);
            }
        }
    }

    private static void askRound(TestCluster cluster, List<Integer> nodes) throws Exception {
        for (int from : nodes) {
            for (int to : nodes) {
                if (from != to) {
                    cluster.node(from).say(to, "round");
                    assertEquals("round", TestNode.take(cluster.node(to).texts).text());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"LOCAL", "TLS"},
            mode = EnumSource.Mode.EXCLUDE)
    void nodesThatEndBecauseOfALoss_nameItsCauseFirst(Kind kind) throws Exception {
        int rounds = kind == Kind.TCP && !Boolean.getBoolean("muninn.all") ? 2 : 10; // of 1.6 s
        for (int round = 0; round < rounds; round++) {
            try (TestCluster cluster = TestCluster.start(kind, 5, round, ONE_SECOND)) {
                for (TestNode node : cluster.nodes()) {
                    node.onLoss = () -> node.cluster.close();
                }

                cluster.node(3).die();

                for (int i : List.of(0, 1, 2, 4)) {
                    assertEquals(NodeId.of(3), TestNode.take(cluster.node(i).losses).node());
                    cluster.node(i).closeInOrder();
                    assertEquals(List.of(), cluster.node(i).lossesSoFar());
                }
            }
        }
    }

    @Test
    void nodeWhoseApplicationIsGone_isLostWithItsOwnReason() throws Exception {
        try (TestCluster cluster = TestCluster.start(Kind.UNIX, 3, 0)) {
            TestNode failing = cluster.node(1);

            failing.loop.execute(() -> {
                failing.cluster.lost(failing.self, "application ended with status 137");
                failing.cluster.close();
            });

            TestNode.Loss expected =
                    new TestNode.Loss(NodeId.of(1), "application ended with status 137");
            for (int i : List.of(0, 2)) {
                assertEquals(expected, TestNode.take(cluster.node(i).losses));
            }
            askRound(cluster, List.of(0, 2));
            assertTrue(cluster.node(0).losses.isEmpty() && cluster.node(2).losses.isEmpty());
            assertTrue(!failing.failed.isDone() && failing.losses.isEmpty());
        }
    }

    @Test
    void nodeWhoseLoopStands_isLostAfterTheHeartbeatLimitAndLearnsIt() throws Exception {
        try (TestCluster cluster = TestCluster.start(Kind.TCP, 3, 0, IMPATIENT)) {
            long before = System.nanoTime();
            CountDownLatch release = cluster.node(2).stall();

            for (int i : List.of(0, 1)) {
                TestNode.Loss loss = TestNode.take(cluster.node(i).losses);
                assertEquals(NodeId.of(2), loss.node());
                assertEquals("silent for 250 ms", loss.reason());
            }
            long silentNanos = System.nanoTime() - before;
            assertTrue(silentNanos >= LIMIT.toNanos() * 4 / 5, "after " + silentNanos + " ns");

            release.countDown();
            String text = TestNode.await(cluster.node(2).failed);
            assertTrue(text.matches("node [01] took node 2 for lost: silent for 250 ms"), text);
            assertTrue(cluster.node(2).losses.isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "TLS", mode = EnumSource.Mode.EXCLUDE)
    void idleNodes_keepEachOtherAliveByHeartbeats(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 2, 0, IMPATIENT)) {
            letPass(LIMIT.multipliedBy(4));

            askRound(cluster, List.of(0, 1));
            assertTrue(cluster.node(0).losses.isEmpty() && cluster.node(1).losses.isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"LOCAL", "TLS"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyLoopStoodLongerThanTheLimit_nobodyIsLost(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 2, 0, IMPATIENT)) {
            CountDownLatch first = cluster.node(0).stall();
            CountDownLatch second = cluster.node(1).stall();
            letPass(LIMIT.multipliedBy(4));

            first.countDown(); // its overdue check finds a silent peer, by the clock
            askOnce(cluster.node(0));
            second.countDown();

            askRound(cluster, List.of(0, 1));
            assertTrue(cluster.node(0).losses.isEmpty() && cluster.node(1).losses.isEmpty());
        }
    }

    private static void askOnce(TestNode node) throws Exception {
        CountDownLatch checked = new CountDownLatch(1);
        node.loop.schedule(0, checked::countDown); // behind the overdue check
        assertTrue(checked.await(TestNode.SECONDS_MAX, TimeUnit.SECONDS));
    }

    /** These tests need real time: a clock of their own counts it. */
    private static void letPass(Duration time) throws Exception {
        try (AgentEventLoop clock = new AgentEventLoop(_ -> {})) {
            CountDownLatch passed = new CountDownLatch(1);
            clock.schedule(time.toNanos(), passed::countDown);
            assertTrue(passed.await(TestNode.SECONDS_MAX, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void messageNobodyKnows_losesItsSenderForAll(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 3, 0)) {
            cluster.node(1)
                    .call(() -> {
                        cluster.node(1).cluster.send(NodeId.ROOT, new TestMessage.Foreign());
                        return true;
                    });

            TestNode.Loss loss = TestNode.take(cluster.node(0).losses);
            assertEquals(
                    new TestNode.Loss(
                            NodeId.of(1), "sent a malformed message: no message has code 99"),
                    loss);
            String text = TestNode.await(cluster.node(1).failed);
            List<String> tellers = List.of("node 0", "node 2"); // which the root has told meanwhile
            assertTrue(
                    tellers.stream()
                            .map(teller -> teller + " took node 1 for lost: " + loss.reason())
                            .anyMatch(text::equals),
                    text);
            assertEquals(NodeId.of(1), TestNode.take(cluster.node(2).losses).node());
            askRound(cluster, List.of(0, 2));
            assertTrue(cluster.node(0).losses.isEmpty() && cluster.node(2).losses.isEmpty());
        }
    }
}
