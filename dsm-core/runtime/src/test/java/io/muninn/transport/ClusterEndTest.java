package io.muninn.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.TestCluster.Kind;
import io.muninn.wire.Payload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterEndTest {
    private static final int MESSAGES = 4_000;
    private static final int PAGE_BYTES = 4_096;

    @ParameterizedTest
    @EnumSource(Kind.class)
    void runThatFinishes_reportsAndClosesWithoutALoss(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 3, 0)) {
            for (TestNode node : cluster.nodes()) {
                node.call(() -> {
                    node.cluster.report(("seconds of " + node.self).getBytes());
                    return true;
                });
            }
            TestNode root = cluster.node(0);
            List<String> reports =
                    Stream.of(
                                    TestNode.take(root.lifecycle),
                                    TestNode.take(root.lifecycle),
                                    TestNode.take(root.lifecycle))
                            .sorted()
                            .toList();
            assertEquals(
                    List.of(
                            "report 0 seconds of 0",
                            "report 1 seconds of 1",
                            "report 2 seconds of 2"),
                    reports);

            root.loop.execute(() -> root.cluster.finish(0, "verified"));
            root.closeInOrder();

            for (int i : List.of(1, 2)) {
                assertEquals("finished 0 0 verified", TestNode.take(cluster.node(i).lifecycle));
            }
            for (int i : List.of(1, 2)) {
                cluster.node(i).closeInOrder();
                assertTrue(cluster.node(i).losses.isEmpty());
                assertTrue(cluster.node(i).failures.isEmpty());
            }
            assertTrue(root.losses.isEmpty() && root.failures.isEmpty());
        }
    }

    @Test
    void nodeThatLeaves_isNotLost() throws Exception {
        try (TestCluster cluster = TestCluster.start(Kind.UNIX, 3, 0)) {
            TestNode leaving = cluster.node(1);
            leaving.loop.execute(() -> leaving.cluster.leave("had enough"));
            leaving.closeInOrder();

            for (int i : List.of(0, 2)) {
                assertEquals("left 1 had enough", TestNode.take(cluster.node(i).lifecycle));
            }
            cluster.node(0).say(2, "after");
            assertEquals("after", TestNode.take(cluster.node(2).texts).text());
            cluster.node(0).say(1, "dropped without a word");
            assertTrue(cluster.node(0).losses.isEmpty() && cluster.node(2).losses.isEmpty());
        }
    }

    /**
     * Otherwise a node that is behind would lose it: it is notified of the end of the run by
     * another node.
     */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void nodeThatClosesAfterTheEndOfTheRun_saysSoItself(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 3, 0)) {
            TestNode root = cluster.node(0);
            TestNode first = cluster.node(1);
            TestNode behind = cluster.node(2);
            root.loop.execute(() -> root.cluster.finish(0, "verified"));
            assertEquals("finished 0 0 verified", TestNode.take(first.lifecycle));

            first.closeInOrder();

            assertEquals(
                    Set.of("finished 0 0 verified", "left 1 closed"),
                    Set.of(TestNode.take(behind.lifecycle), TestNode.take(behind.lifecycle)));
            assertTrue(behind.losses.isEmpty());
        }
    }

    /** Closing destroys no message in transit, though the receiver is behind. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void messagesBeforeTheEnd_allArriveBeforeIt(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 2, 0);
                Arena arena = Arena.ofShared()) {
            TestNode receiver = cluster.node(0);
            TestNode sender = cluster.node(1);
            AtomicInteger arrived = new AtomicInteger();
            receiver.onNumbered = (_, _) -> arrived.incrementAndGet();
            Payload page = new Payload.Received(arena.allocate(PAGE_BYTES).fill((byte) 7), false);

            // with the quick compiler of tests, TLS passes little in the second of a close
            int messages = kind == Kind.TLS ? MESSAGES / 10 : MESSAGES;
            sender.call(() -> {
                for (int i = 0; i < messages; i++) {
                    sender.cluster.send(NodeId.ROOT, new TestMessage.Numbered(i, page));
                }
                sender.cluster.finish(0, "done");
                return sender.cluster.close();
            });

            assertEquals("finished 1 0 done", TestNode.take(receiver.lifecycle));
            assertEquals(messages, arrived.get());
            assertTrue(receiver.losses.isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void afterTheClose_noThreadAndNoDescriptorIsLeft(Kind kind) throws Exception {
        runOnce(kind); // loads classes and opens the permanent descriptors
        long descriptors = descriptors();

        for (int i = 0; i < 5; i++) {
            runOnce(kind);
        }

        assertEquals(descriptors, descriptors());
        assertEquals(0, agentThreads());
    }

    private static void runOnce(Kind kind) throws Exception {
        try (TestCluster cluster = TestCluster.start(kind, 3, 0)) {
            for (TestNode node : cluster.nodes()) {
                node.closeInOrder();
            }
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.map(ClusterEndTest::target)
                    .filter(it -> it.startsWith("socket:") || it.startsWith("anon_inode:"))
                    .count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "closed"; // the listing's own descriptor
        }
    }

    private static long agentThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("dsm-agent"))
                .count();
    }
}
