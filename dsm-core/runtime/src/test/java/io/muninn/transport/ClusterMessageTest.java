package io.muninn.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.transport.TestCluster.Kind;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.TransportCounters;
import io.muninn.wire.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterMessageTest {
    private static final int PAGE_BYTES = 4_096;
    private static final int MIB = 1 << 20;

    /** Every node sends pages, zero pages and no pages to every other, all at once. */
    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "TLS", mode = EnumSource.Mode.EXCLUDE)
    void manyMessages_arriveInOrderWithTheirPayloads(Kind kind) throws Exception {
        int messages = 800;
        int nodes = 4;
        try (TestCluster cluster = TestCluster.start(kind, nodes, 3);
                Arena arena = Arena.ofShared()) {
            CountDownLatch arrived = new CountDownLatch(messages * nodes * (nodes - 1));
            for (TestNode node : cluster.nodes()) {
                int[] expected = new int[nodes];
                node.onNumbered =
                        (from, message) -> {
                            int number = expected[from.index()]++;
                            assertEquals(number, message.number());
                            assertPayload(number, from, message.payload());
                            arrived.countDown();
                        };
            }

            for (TestNode node : cluster.nodes()) {
                node.loop.execute(() -> sendAll(node, nodes, messages, arena));
            }

            boolean all = arrived.await(TestNode.SECONDS_MAX, TimeUnit.SECONDS);
            cluster.nodes().forEach(node -> assertEquals("[]", node.failures.toString()));
            assertTrue(all, arrived.getCount() + " messages are missing");
        }
    }

    /** The receiver has the message while the sender's callback still runs. */
    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void messageThatIsFlushed_leavesBeforeTheEndOfTheBatch(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 2, 3)) {
            CountDownLatch arrived = new CountDownLatch(1);
            CompletableFuture<Boolean> arrivedInTime = new CompletableFuture<>();
            TestNode node = cluster.nodes().getFirst();
            cluster.nodes().getLast().onNumbered = (_, _) -> arrived.countDown();

            node.loop.execute(() -> {
                node.cluster.send(NodeId.of(1), new TestMessage.Numbered(0, Payload.NONE));
                node.cluster.flush();
                arrivedInTime.complete(await(arrived));
            });

            assertTrue(TestNode.await(arrivedInTime));
        }
    }

    private static boolean await(CountDownLatch arrived) {
        try {
            return arrived.await(TestNode.SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void sendAll(TestNode node, int nodes, int messages, Arena arena) {
        MemorySegment scratch = arena.allocate(3 * PAGE_BYTES);
        for (int number = 0; number < messages; number++) {
            for (int to = 0; to < nodes; to++) {
                if (to != node.self.index()) {
                    Payload payload = payload(number, node.self, scratch);
                    node.cluster.send(NodeId.of(to), new TestMessage.Numbered(number, payload));
                }
            }
        }
    }

    /**
     * Payload {@code number} is none, zeros, or bytes whose content and length depend on the
     * number.
     */
    private static Payload payload(int number, NodeId from, MemorySegment scratch) {
        return switch (number % 4) {
            case 0 -> Payload.NONE;
            case 1 -> new Payload.Received(MemorySegment.NULL, true);
            default -> {
                MemorySegment bytes = scratch.asSlice(0, length(number));
                bytes.fill(filling(number, from)); // overwritten by the next: read while encoded
                yield new Payload.Received(bytes, false);
            }
        };
    }

    private static int length(int number) {
        return 1 + (number * 31) % (3 * PAGE_BYTES);
    }

    private static byte filling(int number, NodeId from) {
        return (byte) (number + 7 * from.index());
    }

    private static void assertPayload(int number, NodeId from, Payload payload) {
        switch (number % 4) {
            case 0 -> assertEquals(Payload.NONE, payload);
            case 1 -> assertEquals(new Payload.Received(MemorySegment.NULL, true), payload);
            default -> {
                MemorySegment bytes = ((Payload.Received) payload).bytes();
                assertEquals(length(number), bytes.byteSize());
                byte filling = filling(number, from);
                for (long i = 0; i < bytes.byteSize(); i++) {
                    assertEquals(filling, bytes.get(ValueLayout.JAVA_BYTE, i));
                }
            }
        }
    }

    @Test
    void namedPayload_isReadFromItsSourceAtTheMomentOfSending() throws Exception {
        Address root = TestCluster.unixRoot();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment page = arena.allocate(PAGE_BYTES);
            ClusterConfig.Builder config =
                    ClusterConfig.builder(NodeId.ROOT, 2, root, TestNode.SECRET);
            try (TestNode sender =
                            new TestNode(
                                            config,
                                            name ->
                                                    name instanceof Payload.PageImage
                                                            ? page
                                                            : MemorySegment.NULL)
                                    .start();
                    TestNode receiver = TestNode.start(1, 2, root, it -> it)) {
                AtomicReference<String> seen = new AtomicReference<>("");
                CountDownLatch both = new CountDownLatch(2);
                receiver.onNumbered =
                        (_, message) -> {
                            Payload.Received it = (Payload.Received) message.payload();
                            long first = it.zero() ? -1 : it.bytes().get(ValueLayout.JAVA_BYTE, 0);
                            seen.set(seen.get() + " " + it.bytes().byteSize() + ":" + first);
                            both.countDown();
                        };
                TestNode.await(sender.started);

                PageId id = new PageId(0, 5);
                sender.loop.execute(() -> {
                    page.fill((byte) 41);
                    sender.cluster.send(
                            NodeId.of(1), new TestMessage.Numbered(0, new Payload.PageImage(id)));
                    page.fill((byte) 99); // too late to be seen
                    sender.cluster.send(
                            NodeId.of(1), new TestMessage.Numbered(1, new Payload.TwinImage(id)));
                });

                assertTrue(both.await(TestNode.SECONDS_MAX, TimeUnit.SECONDS));
                assertEquals(" 4096:41 0:-1", seen.get());
            }
        }
    }

    @Test
    void frameAboveTheSendersBound_isRefusedAndTheOthersArrive() throws Exception {
        try (TestCluster cluster = TestCluster.start(Kind.UNIX, 2, 0, it -> it.frameBytesMax(MIB));
                Arena arena = Arena.ofShared()) {
            TestNode sender = cluster.node(0);
            Payload tooMuch = new Payload.Received(arena.allocate(MIB), false);

            sender.call(() -> {
                sender.cluster.send(NodeId.of(1), new TestMessage.Text("before"));
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                sender.cluster.send(
                                        NodeId.of(1), new TestMessage.Numbered(0, tooMuch)));
                sender.cluster.send(NodeId.of(1), new TestMessage.Text("behind"));
                return true;
            });

            assertEquals("before", TestNode.take(cluster.node(1).texts).text());
            assertEquals("behind", TestNode.take(cluster.node(1).texts).text());
            assertTrue(cluster.node(1).losses.isEmpty());
        }
    }

    @Test
    void frameAboveTheReceiversBound_losesTheSender() throws Exception {
        Address root = TestCluster.unixRoot();
        try (Arena arena = Arena.ofShared();
                TestNode receiver = TestNode.start(0, 2, root, it -> it.frameBytesMax(64 * MIB));
                TestNode sender = TestNode.start(1, 2, root, it -> it)) {
            TestNode.await(sender.started);
            Payload tooMuch = new Payload.Received(arena.allocate(64L * MIB), false);

            sender.loop.execute(
                    () -> sender.cluster.send(NodeId.ROOT, new TestMessage.Numbered(0, tooMuch)));

            TestNode.Loss loss = TestNode.take(receiver.losses);
            assertEquals(NodeId.of(1), loss.node());
            assertEquals("sent a frame of 67108878 bytes, not 1..67108864", loss.reason());
        }
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "TLS", mode = EnumSource.Mode.EXCLUDE)
    void frameOfManyMebibytes_arrivesWhole(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 2, 0);
                Arena arena = Arena.ofShared()) {
            MemorySegment large = arena.allocate(100L * MIB);
            for (long i = 0; i < large.byteSize(); i += PAGE_BYTES) {
                large.set(ValueLayout.JAVA_LONG, i, i * 31);
            }
            AtomicReference<Long> mismatch = new AtomicReference<>();
            CountDownLatch arrived = new CountDownLatch(1);
            cluster.node(0).onNumbered =
                    (_, message) -> {
                        Payload.Received it = (Payload.Received) message.payload();
                        mismatch.set(it.bytes().mismatch(large));
                        arrived.countDown();
                    };

            TestNode sender = cluster.node(1);
            sender.loop.execute(() ->
                    sender.cluster.send(
                            NodeId.ROOT,
                            new TestMessage.Numbered(0, new Payload.Received(large, false))));

            assertTrue(arrived.await(TestNode.SECONDS_MAX, TimeUnit.SECONDS));
            assertEquals(-1L, mismatch.get());
        }
    }

    /** Ten megabytes a second: far below a loopback, but beyond what a wait per message allows. */
    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "TLS", mode = EnumSource.Mode.EXCLUDE)
    void pagesInBulk_passWithinSeconds(Kind kind) throws Exception {
        int pages = 25_600;
        try (TestCluster cluster = TestCluster.start(kind, 2, 0);
                Arena arena = Arena.ofShared()) {
            CountDownLatch arrived = new CountDownLatch(pages);
            cluster.node(0).onNumbered = (_, _) -> arrived.countDown();
            Payload page = new Payload.Received(arena.allocate(PAGE_BYTES).fill((byte) 3), false);
            TestNode sender = cluster.node(1);

            sender.loop.execute(() -> {
                for (int i = 0; i < pages; i++) {
                    sender.cluster.send(NodeId.ROOT, new TestMessage.Numbered(i, page));
                }
            });

            boolean all = arrived.await(10, TimeUnit.SECONDS);
            assertTrue(all, arrived.getCount() + " pages are missing");
        }
    }

    /** Each answer is the other's next request: no wake-up may be lost. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void questionsAndAnswers_keepEachOtherGoing(Kind kind) throws Exception {
        int rounds = 10_000;
        try (TestCluster cluster = TestCluster.start(kind, 2, 0)) {
            CountDownLatch all = new CountDownLatch(2 * rounds);
            for (TestNode node : cluster.nodes()) {
                node.onNumbered =
                        (from, message) -> {
                            all.countDown();
                            node.cluster.send(from, message);
                        };
            }
            TestNode first = cluster.node(1);
            first.loop.execute(() ->
                    first.cluster.send(NodeId.ROOT, new TestMessage.Numbered(7, Payload.NONE)));

            boolean whole = all.await(TestNode.SECONDS_MAX, TimeUnit.SECONDS);
            assertTrue(whole, all.getCount() + " messages are missing");
        }
    }

    @Test
    void counters_countMessagesByKindAndControlApart() throws Exception {
        try (TestCluster cluster = TestCluster.start(Kind.UNIX, 2, 0)) {
            TestNode sender = cluster.node(1);
            TransportCounters counters = sender.cluster.counters();
            assertEquals(new TransportCounters.Sent(0, 0), counters.total());
            assertTrue(counters.control().messages() >= 3); // hello, proof, join

            sender.say(0, "four");
            sender.say(0, "four");
            sender.call(() -> {
                sender.cluster.send(NodeId.ROOT, new TestMessage.Numbered(1, Payload.NONE));
                return true;
            });

            TransportCounters.Sent texts = new TransportCounters.Sent(2, 2 * (4 + 1 + 2 + 4));
            TransportCounters.Sent numbered = new TransportCounters.Sent(1, 4 + 1 + 4 + 1);
            assertEquals(Map.of("text", texts, "numbered", numbered), counters.byKind());
            TransportCounters.Sent both =
                    new TransportCounters.Sent(3, texts.bytes() + numbered.bytes());
            assertEquals(both, counters.total());
        }
    }

    @Test
    void sendBeforeTheStartOrToNobody_throws() throws Exception {
        Address root = TestCluster.unixRoot();
        try (TestNode alone = TestNode.start(0, 2, root, it -> it)) {
            TestMessage message = new TestMessage.Text("x");

            alone.call(() -> {
                assertThrows(
                        IllegalStateException.class,
                        () -> alone.cluster.send(NodeId.of(1), message));
                assertThrows(
                        IllegalArgumentException.class,
                        () -> alone.cluster.send(NodeId.ROOT, message));
                assertThrows(
                        IllegalArgumentException.class,
                        () -> alone.cluster.send(NodeId.of(2), message));
                return true;
            });
            assertThrows(
                    IllegalStateException.class, () -> alone.cluster.send(NodeId.of(1), message));
        }
    }
}
