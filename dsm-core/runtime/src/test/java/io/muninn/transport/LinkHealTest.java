package io.muninn.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.join.Speaker;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import io.muninn.transport.stream.TransportCounters;
import io.muninn.transport.tls.Tls;
import io.muninn.wire.Payload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The link of two nodes breaks, in between. */
class LinkHealTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int BODY_BYTES = 3_000;

    /** Two nodes with a relay in between, at which the second finds the first. */
    private static final class Pair implements AutoCloseable {
        final TestNode root;
        final Relay relay;
        final TestNode other;

        Pair(boolean tls, Duration limit) throws Exception {
            UnaryOperator<ClusterConfig.Builder> options =
                    config ->
                            (tls ? config.tls(Tls.ephemeral(Tls.Links.ALL)) : config)
                                    .heartbeatLimit(limit);
            root = TestNode.start(0, 2, new Address.Tcp("localhost", 0), options);
            relay = new Relay(((Address.Tcp) TestNode.await(root.listening)).port());
            other = TestNode.start(1, 2, relay.address(), options);
        }

        Pair started() throws Exception {
            TestNode.await(root.started);
            TestNode.await(other.started);
            return this;
        }

        long healed(TestNode node) {
            return node.cluster.counters().linksHealed();
        }

        @Override
        public void close() throws IOException {
            root.close();
            other.close();
            relay.close();
        }
    }

    /** Counts the numbered messages of the other node, whose numbers must not leave a gap. */
    private static void count(TestNode node, CountDownLatch all) {
        AtomicInteger next = new AtomicInteger();
        node.onNumbered =
                (_, message) -> {
                    assertEquals(next.getAndIncrement(), message.number());
                    all.countDown();
                };
    }

    private static void send(TestNode node, int number, MemorySegment bytes) {
        node.loop.execute(() ->
                node.cluster.send(
                        NodeId.of(1 - node.self.index()),
                        new TestMessage.Numbered(number, new Payload.Received(bytes, false))));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void linkThatIsCutManyTimes_losesRepeatsAndReordersNothing(boolean tls) throws Exception {
        int messages = 1_500;
        int cuts = 6;
        CountDownLatch all = new CountDownLatch(2 * messages);
        Random random = new Random(tls ? 1 : 0);
        try (Pair pair = new Pair(tls, Duration.ofSeconds(30)).started();
                Arena arena = Arena.ofShared()) {
            count(pair.root, all);
            count(pair.other, all);
            MemorySegment bytes = arena.allocate(BODY_BYTES);
            for (int number = 0; number < messages; number++) {
                if (number % (messages / cuts) == 0) {
                    pair.relay.cutAfter(random.nextInt(messages / cuts * BODY_BYTES));
                }
                send(pair.root, number, bytes);
                send(pair.other, number, bytes);
                if (number % 50 == 0) {
                    pair.other.call(() -> true); // not everything is one batch
                }
            }

            boolean arrived = all.await(TestNode.SECONDS_MAX, TimeUnit.SECONDS);

            assertEquals("[][]", "" + pair.root.failures + pair.other.failures);
            assertTrue(arrived, () -> all.getCount() + " messages are missing");
            assertTrue(pair.healed(pair.root) > 0);
            assertTrue(pair.healed(pair.other) > 0);
            TransportCounters.Sent again = pair.root.cluster.counters().sentAgain();
            assertTrue(again.messages() >= 0 && again.bytes() >= again.messages());
            assertTrue(pair.root.losses.isEmpty() && pair.other.losses.isEmpty());
        }
    }

    /** A network address translator forgets a connection: what is sent on it vanishes. */
    @Test
    void connectionThatIsForgottenInBetween_isReplaced() throws Exception {
        try (Pair pair = new Pair(false, LIMIT).started()) {
            pair.relay.forget();
            pair.root.say(1, "to the other");
            pair.other.say(0, "to the root");

            assertEquals("to the other", TestNode.take(pair.other.texts).text());
            assertEquals("to the root", TestNode.take(pair.root.texts).text());
            assertEquals(1, pair.healed(pair.root));
            assertEquals(1, pair.healed(pair.other));
            assertTrue(pair.root.losses.isEmpty() && pair.other.losses.isEmpty());
        }
    }

    /** The relay accepts nothing for a while, as a sidecar that is restarted. */
    @Test
    void interruptionShorterThanTheLimit_isNoLoss() throws Exception {
        try (Pair pair = new Pair(true, Duration.ofSeconds(20)).started()) {
            pair.relay.away();
            pair.root.say(1, "to the other");
            letPass(Duration.ofMillis(300));
            pair.other.say(0, "to the root");
            pair.relay.back();

            assertEquals("to the other", TestNode.take(pair.other.texts).text());
            assertEquals("to the root", TestNode.take(pair.root.texts).text());
            assertTrue(pair.root.losses.isEmpty() && pair.other.losses.isEmpty());
        }
    }

    @Test
    void interruptionLongerThanTheLimit_isALossOnBothSides() throws Exception {
        try (Pair pair = new Pair(false, Duration.ofMillis(250)).started()) {
            pair.relay.away();

            TestNode.Loss atRoot = TestNode.take(pair.root.losses);
            TestNode.Loss atOther = TestNode.take(pair.other.losses);

            assertEquals(NodeId.of(1), atRoot.node());
            assertEquals(NodeId.ROOT, atOther.node());
            assertTrue(
                    atRoot.reason().endsWith("did not go on within 250 ms: it did not dial again"),
                    atRoot.reason());
            assertTrue(
                    atOther.reason().contains("did not go on within 250 ms: "), atOther.reason());
        }
    }

    /** Wherever the connection is cut while the nodes join, the run starts, and nothing is lost. */
    @Tag("slow")
    @Test
    void linkThatIsCutWhileNodesJoin_startsAndDeliversEverything() throws Exception {
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            try (Pair pair = new Pair(seed % 2 == 0, Duration.ofSeconds(30))) {
                pair.relay.cutAfter(random.nextInt(seed % 2 == 0 ? 4_000 : 700));
                pair.started();
                pair.root.say(1, "to the other");
                pair.other.say(0, "to the root");

                assertEquals("to the other", TestNode.take(pair.other.texts).text());
                assertEquals("to the root", TestNode.take(pair.root.texts).text());
                assertTrue(pair.root.losses.isEmpty() && pair.other.losses.isEmpty());
                assertEquals("[][]", "" + pair.root.failures + pair.other.failures);
            }
        }
    }

    @Test
    void runThatEndsDuringAnInterruption_endsForAllWhenItIsOver() throws Exception {
        try (Pair pair = new Pair(false, Duration.ofSeconds(30)).started()) {
            pair.relay.away();
            CompletableFuture<Void> closed = new CompletableFuture<>();
            pair.root.loop.execute(() -> {
                pair.root.cluster.finish(0, "verified");
                pair.root.cluster.close().thenRun(() -> closed.complete(null));
            });
            letPass(Duration.ofMillis(200));
            assertFalse(closed.isDone());
            pair.relay.back();

            assertEquals("finished 0 0 verified", TestNode.take(pair.other.lifecycle));
            TestNode.await(closed);
            pair.other.closeInOrder();
            assertTrue(pair.root.losses.isEmpty() && pair.other.losses.isEmpty());
        }
    }

    /** A process of another run, or a node that was started again. */
    @Test
    void nodeWithoutTheTokenOfTheLink_isRefusedByNameAndHarmsNothing() throws Exception {
        try (Pair pair = new Pair(false, Duration.ofSeconds(30)).started();
                Speaker other = Speaker.dial(TestNode.await(pair.root.listening))) {
            other.proveTo(0, 1);
            other.say(new Control.Resume(1, Digest.random(), 1, 1, "127.0.0.1:9"));

            assertEquals(
                    new Control.Refused(
                            "node 0 has no such link with node 1: one of them was started again,"
                                    + " or belongs to another run"),
                    other.hear());
            pair.other.say(0, "to the root");
            assertEquals("to the root", TestNode.take(pair.root.texts).text());
            assertEquals(0, pair.healed(pair.root));
        }
    }

    private static void letPass(Duration time) throws Exception {
        try (AgentEventLoop clock = new AgentEventLoop(_ -> {})) {
            CountDownLatch passed = new CountDownLatch(1);
            clock.schedule(time.toNanos(), passed::countDown);
            assertTrue(passed.await(TestNode.SECONDS_MAX, TimeUnit.SECONDS));
        }
    }
}
