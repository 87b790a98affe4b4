package io.muninn.transport.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.TestMessage;
import io.muninn.transport.TestNode;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.TransportCounters;
import io.muninn.wire.Codec;
import io.muninn.wire.Codecs;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes of one agent: their connections, and the order and bytes of their messages. */
class LocalNodesTest {
    private static final Address ROOT = new Address.Unix("muninn-test-nobody-listens");
    private static final UnaryOperator<ClusterConfig.Builder> DEFAULTS = options -> options;

    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final AgentEventLoop agent = new AgentEventLoop(failures::add);

    @AfterEach
    void close() {
        agent.close();
    }

    private LocalNodes all(int nodes, Codecs codecs, boolean checksCodecs) {
        List<NodeId> served = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            served.add(NodeId.of(i));
        }
        return new LocalNodes(
                agent, served, codecs, checksCodecs, UnpooledByteBufAllocator.DEFAULT);
    }

    /** More messages than one turn delivers, with bytes and without. */
    @Test
    void loopThatEnds_releasesMessagesThatWait() throws Exception {
        for (boolean checksCodecs : new boolean[] {false, true}) {
            UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
            AgentEventLoop ending = new AgentEventLoop(failures::add);
            List<NodeId> served = List.of(NodeId.ROOT, NodeId.of(1));
            LocalNodes locals =
                    new LocalNodes(ending, served, TestMessage.CODECS, checksCodecs, buffers);
            List<TestNode> nodes = pair(ending, locals);
            TestNode root = nodes.getFirst();
            AtomicInteger delivered = new AtomicInteger();
            nodes.getLast().onNumbered = (_, _) -> delivered.incrementAndGet();

            long held =
                    root.call(() -> {
                        for (int i = 0; i < 2 * LocalNodes.TURN_MAX; i++) {
                            MemorySegment bytes = MemorySegment.ofArray(new byte[1 + i % 2 * 99]);
                            Payload some = new Payload.Received(bytes, i % 2 == 0);
                            root.cluster.send(NodeId.of(1), new TestMessage.Numbered(i, some));
                        }
                        ending.close();
                        return buffers.metric().usedDirectMemory();
                    });
            ending.close(); // waits

            assertTrue(held > 0);
            assertTrue(delivered.get() < 2 * LocalNodes.TURN_MAX, delivered + " delivered");
            assertEquals(0, buffers.metric().usedDirectMemory());
        }
        assertEquals(List.of(), List.copyOf(failures));
    }

    private TestNode node(
            int index, int nodes, LocalNodes locals, UnaryOperator<ClusterConfig.Builder> options) {
        return node(index, nodes, agent, locals, options);
    }

    private static TestNode node(
            int index,
            int nodes,
            AgentEventLoop loop,
            LocalNodes locals,
            UnaryOperator<ClusterConfig.Builder> options) {
        ClusterConfig.Builder config =
                ClusterConfig.builder(NodeId.of(index), nodes, ROOT, TestNode.SECRET);
        return new TestNode(options.apply(config), loop, locals);
    }

    private List<TestNode> pair(LocalNodes locals) throws Exception {
        return pair(agent, locals);
    }

    private static List<TestNode> pair(AgentEventLoop loop, LocalNodes locals) throws Exception {
        List<TestNode> nodes =
                List.of(node(0, 2, loop, locals, DEFAULTS), node(1, 2, loop, locals, DEFAULTS));
        nodes.forEach(TestNode::start);
        for (TestNode node : nodes) {
            TestNode.await(node.started);
        }
        return nodes;
    }

    /** A message is never delivered within the call that sends it, nor within another delivery. */
    @Test
    void delivery_waitsForTheCallbackThatSends() throws Exception {
        List<TestNode> nodes = pair(all(2, TestMessage.CODECS, false));
        TestNode root = nodes.getFirst();
        TestNode other = nodes.getLast();
        List<String> order = new ArrayList<>(); // of the loop
        other.onNumbered =
                (from, message) -> {
                    order.add("begin " + message.number());
                    if (message.number() < 2) {
                        other.cluster.send(from, message);
                    }
                    order.add("end " + message.number());
                };
        root.onNumbered =
                (from, message) ->
                        root.cluster.send(
                                from, new TestMessage.Numbered(message.number() + 1, Payload.NONE));

        root.call(() -> {
            order.add("sent");
            root.cluster.send(other.self, new TestMessage.Numbered(0, Payload.NONE));
            root.cluster.flush();
            return order.add("returned");
        });
        root.call(() -> true); // after all deliveries of the turn

        assertEquals(
                List.of(
                        "sent",
                        "returned",
                        "begin 0",
                        "end 0",
                        "begin 1",
                        "end 1",
                        "begin 2",
                        "end 2"),
                root.call(() -> List.copyOf(order)));
    }

    /** Two nodes that send continuously let the loop poll, and other tasks run. */
    @Test
    void endlessMessages_starveNobody() throws Exception {
        List<TestNode> nodes = pair(all(2, TestMessage.CODECS, false));
        for (TestNode node : nodes) {
            node.onNumbered = (from, message) -> node.cluster.send(from, message);
        }
        TestNode root = nodes.getFirst();
        root.call(() -> root.cluster.send(NodeId.of(1), new TestMessage.Numbered(0, Payload.NONE)));

        for (int i = 0; i < 100; i++) {
            assertTrue(root.call(() -> true));
        }

        assertEquals(List.of(), List.copyOf(failures));
    }

    /** A later change or reuse of the bytes of a payload does not change a sent message. */
    @Test
    void namedBytes_areThoseAtTheMomentOfSending() throws Exception {
        List<TestNode> nodes = pair(all(2, TestMessage.CODECS, false));
        TestNode root = nodes.getFirst();
        BlockingQueue<Byte> seen = new LinkedBlockingQueue<>();
        nodes.getLast().onNumbered =
                (_, message) ->
                        seen.add(
                                ((Payload.Received) message.payload())
                                        .bytes()
                                        .get(ValueLayout.JAVA_BYTE, 99));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment page = arena.allocate(100);

            root.call(() -> {
                for (byte i = 1; i <= 3; i++) {
                    root.cluster.send(
                            NodeId.of(1),
                            new TestMessage.Numbered(0, new Payload.Received(page.fill(i), false)));
                }
                page.fill((byte) 9);
                return true;
            });

            assertEquals(1, (byte) TestNode.take(seen));
            assertEquals(2, (byte) TestNode.take(seen));
            assertEquals(3, (byte) TestNode.take(seen));
        }
    }

    @Test
    void messageWithoutBytes_isHandedOverAndCountedAsItsFrame() throws Exception {
        List<TestNode> nodes = pair(all(2, TestMessage.CODECS, false));
        TestNode root = nodes.getFirst();
        BlockingQueue<TestMessage> heard = new LinkedBlockingQueue<>();
        nodes.getLast().onNumbered = (_, message) -> heard.add(message);
        TestMessage.Numbered sent =
                new TestMessage.Numbered(7, new Payload.Received(MemorySegment.NULL, true));

        int bytes = root.call(() -> root.cluster.send(NodeId.of(1), sent));

        assertSame(sent, TestNode.take(heard));
        assertEquals(4 + 1 + 4 + 1, bytes);
        assertEquals(new TransportCounters.Sent(1, bytes), root.cluster.counters().total());
    }

    @Test
    void nodeOfAnotherLayout_isRefusedByTheRoot() throws Exception {
        LocalNodes locals = all(2, TestMessage.CODECS, false);
        UnaryOperator<ClusterConfig.Builder> rootLayout =
                options -> options.layout("a", theirs -> Optional.of("variable '" + theirs + "'"));
        TestNode other =
                node(1, 2, locals, options -> options.layout("b", _ -> Optional.empty())).start();
        TestNode root = node(0, 2, locals, rootLayout).start();

        assertEquals("layout differs: variable 'b'", TestNode.await(other.refused));
        assertTrue(!root.started.isDone() && !other.started.isDone());
    }

    @Test
    void exceptionOfACallback_isOfTheNodeThatReceives() throws Exception {
        List<TestNode> nodes = pair(all(2, TestMessage.CODECS, false));
        RuntimeException bug = new IllegalStateException("a bug of node 1");
        nodes.getLast().onNumbered =
                (_, _) -> {
                    throw bug;
                };

        TestNode root = nodes.getFirst();
        root.call(() -> root.cluster.send(NodeId.of(1), new TestMessage.Numbered(0, Payload.NONE)));

        assertSame(bug, TestNode.take(nodes.getLast().failures));
        assertTrue(root.failures.isEmpty() && failures.isEmpty());
    }

    /** Nodes of an agent connect within it, and those of different agents by sockets. */
    @Test
    void agentsOfTwoNodesEach_makeACluster() throws Exception {
        try (AgentEventLoop second = new AgentEventLoop(failures::add)) {
            LocalNodes here = served(agent, 0, 1);
            LocalNodes there = served(second, 2, 3);
            Address any = new Address.Tcp("localhost", 0);
            TestNode root = new TestNode(config(0, any), agent, here).start();
            Address address = TestNode.await(root.listening);
            List<TestNode> nodes =
                    List.of(
                            root,
                            new TestNode(config(3, address), second, there).start(),
                            new TestNode(config(1, address), agent, here).start(),
                            new TestNode(config(2, address), second, there).start());
            for (TestNode node : nodes) {
                TestNode.await(node.started);
            }

            for (TestNode from : nodes) {
                for (TestNode to : nodes) {
                    if (from != to) {
                        from.say(to.self.index(), "from " + from.self);
                        assertEquals("from " + from.self, TestNode.take(to.texts).text());
                    }
                }
            }

            assertEquals(List.of(), List.copyOf(failures));
            nodes.forEach(node -> assertTrue(node.losses.isEmpty() && node.failures.isEmpty()));
        }
    }

    private static LocalNodes served(AgentEventLoop loop, int first, int second) {
        return new LocalNodes(
                loop,
                List.of(NodeId.of(first), NodeId.of(second)),
                TestMessage.CODECS,
                true,
                UnpooledByteBufAllocator.DEFAULT);
    }

    private static ClusterConfig.Builder config(int node, Address root) {
        return ClusterConfig.builder(NodeId.of(node), 4, root, TestNode.SECRET);
    }

    // --- the check of codecs ---------------------------------------------------------------------

    /** A codec that loses a field, or a message that changes after it is sent. */
    private static final class Changing implements WireMessage {
        static final Codec<Changing> CODEC =
                new Codec<>(
                        77,
                        "changing",
                        Changing.class,
                        (m, out) -> out.u8(m.value),
                        in -> new Changing(in.u8() & 0x0F));

        int value;

        Changing(int value) {
            this.value = value;
        }

        @Override
        public Codec<Changing> codec() {
            return CODEC;
        }

        @Override
        public String toString() {
            return "Changing " + value;
        }
    }

    @Test
    void messageThatIsDecodedAsAnother_isFoundWhenItIsSent() throws Exception {
        List<TestNode> nodes = pair(all(2, new Codecs(List.of(Changing.CODEC)), true));
        TestNode root = nodes.getFirst();

        root.loop.execute(() -> root.cluster.send(NodeId.of(1), new Changing(0x1F)));

        assertEquals(
                "a message sent as 2 bytes is decoded as Changing 15",
                TestNode.take(root.failures).getMessage());
    }

    @Test
    void messageThatChangesBehindItsSending_isFoundWhenItIsDelivered() throws Exception {
        List<TestNode> nodes = pair(all(2, new Codecs(List.of(Changing.CODEC)), true));
        TestNode root = nodes.getFirst();

        root.loop.execute(() -> {
            Changing message = new Changing(1);
            root.cluster.send(NodeId.of(1), message);
            message.value = 2;
        });

        assertEquals(
                "a message sent as 2 bytes has become Changing 2",
                TestNode.take(failures).getMessage());
    }
}
