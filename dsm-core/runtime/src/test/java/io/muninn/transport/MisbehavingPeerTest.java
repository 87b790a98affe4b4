package io.muninn.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.kernel.port.PayloadSource;
import io.muninn.model.NodeId;
import io.muninn.nativefault.RingEnd;
import io.muninn.wire.WireMessage;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The root of two, and in the place of node 1 one that knows the secret and misbehaves. */
class MisbehavingPeerTest {
    private final Address address = TestCluster.unixRoot();
    private final Misfit misfit = new Misfit();
    private TestNode root;

    @BeforeEach
    void start() throws Exception {
        root = TestNode.start(0, 2, address, it -> it);
        TestNode.await(root.listening);
    }

    @AfterEach
    void close() {
        misfit.loop.close();
        root.close();
    }

    /** Speaks the handshake up to its join; what comes then is the test's. */
    private final class Misfit implements Connection.Receiver {
        final AgentEventLoop loop = new AgentEventLoop(MisbehavingPeerTest::fail);
        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        final PayloadSource nothing = TestNode::receivedOnly;
        final Digest nonce = Digest.random();
        final Control.Claim claim = new Control.Claim(1, 0);
        Digest rootsNonce = nonce; // until the challenge
        Connection connection;

        Misfit join() throws Exception {
            CompletableFuture<ChannelFuture> connected = new CompletableFuture<>();
            loop.execute(() -> {
                connection =
                        new Connection(loop, new ByteBufWriter(nothing), new TransportCounters());
                connection.receiver(this);
                Sockets.connect(loop.group(), address, connection)
                        .addListener(it -> {
                            say(new Control.Hello(Control.PROTOCOL_VERSION, nonce));
                            say(claim);
                            connected.complete((ChannelFuture) it);
                        });
            });
            TestNode.await(connected);
            return this;
        }

        void say(WireMessage message) {
            connection.writeControl((Control) message);
            connection.flush();
        }

        void pass(int... descriptors) {
            loop.execute(() -> connection.passDescriptors(descriptors));
        }

        /** Returns when its descriptor is closed. */
        void end() throws Exception {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            loop.execute(() -> {
                connection.close();
                connection.channel().closeFuture().addListener(_ -> ended.complete(null));
            });
            TestNode.await(ended);
        }

        @Override
        public void onFrame(ByteBufReader frame) {
            Control control = Control.decode(frame);
            switch (control) {
                case Control.Challenge challenge -> rootsNonce = challenge.nonce();
                case Control.Proof _ -> {
                    connection.frameBytesMax(ClusterConfig.FRAME_BYTES_MAX);
                    Secret.Exchange exchange = new Secret.Exchange(nonce, rootsNonce, claim);
                    Secret secret = TestNode.SECRET;
                    say(new Control.Proof(secret.proof(AcceptingHandshake.DIALLED, exchange)));
                    say(new Control.Join(1, 2, 5_000, 7, "", "unix:@x", "", true));
                }
                case Control.Welcome welcome -> heard.add("welcome " + welcome.rings());
                default -> heard.add(control.codec().name());
            }
        }

        @Override
        public void onEnd(String reason) {
            heard.add(reason);
        }
    }

    private static void fail(Throwable cause) {
        throw new AssertionError(cause);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private void assertHeard(String expected) throws Exception {
        assertEquals(expected, TestNode.take(misfit.heard));
    }

    private RingEnd share() throws Exception {
        RingEnd end = RingEnd.create();
        misfit.join();
        assertHeard("share");
        misfit.pass(end.descriptors());
        assertHeard("welcome true");
        write(end, 0, 8, 1, 0, 0, 0, 1); // ready for the first roster
        TestNode.await(root.started);
        return end;
    }

    /** Puts a frame of these bytes into the ring. */
    private static void write(RingEnd end, int... body) throws Exception {
        MemorySegment at = end.outgoing().asSlice(end.roomAt());
        at.set(ValueLayout.JAVA_INT_UNALIGNED, 0, body.length);
        for (int i = 0; i < body.length; i++) {
            at.set(ValueLayout.JAVA_BYTE, Integer.BYTES + i, (byte) body[i]);
        }
        end.wrote(Integer.BYTES + body.length);
    }

    @Test
    void descriptorsOfNoRings_leaveTheMessagesOnTheSocket() throws Exception {
        misfit.join();
        assertHeard("share");
        try (RingEnd end = RingEnd.create()) {
            misfit.pass(end.fd(), end.fd(), end.fd());

            assertHeard("welcome false");
            assertHeard("roster");
        }
    }

    /** Its memory is right; where its events should be is what no loop can watch. */
    @Test
    void eventsThatAreFiles_leaveTheMessagesOnTheSocket() throws Exception {
        misfit.join();
        assertHeard("share");
        try (RingEnd end = RingEnd.create()) {
            int memory = end.descriptors()[0];
            misfit.pass(memory, memory, memory);

            assertHeard("welcome false");
            assertHeard("roster");
        }
    }

    @Test
    void nodeThatEndsBetweenItsDescriptors_leavesNone() throws Exception {
        try (RingEnd end = RingEnd.create()) {
            long open = descriptors();
            misfit.join();
            assertHeard("share");
            misfit.pass(end.fd());
            misfit.end();

            assertClosed(open);
        }
    }

    /** Within the time of a handshake: nothing else closes what has come. */
    private static void assertClosed(long open) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(TestNode.SECONDS_MAX).toNanos();
        while (descriptors() > open && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertEquals(open, descriptors());
    }

    @Test
    void bytesBesideTheRings_loseTheNode() throws Exception {
        try (RingEnd end = share()) {
            assertEquals(0, end.unreadAt());
            misfit.loop.execute(
                    () -> misfit.connection.channel().writeAndFlush(Unpooled.copyInt(1, 2, 3)));

            TestNode.Loss loss = TestNode.take(root.losses);
            assertEquals(new TestNode.Loss(NodeId.of(1), "sent 12 bytes beside its ring"), loss);
        }
    }

    @Test
    void ringsThatAreBroken_loseTheNode() throws Exception {
        try (RingEnd end = share()) {
            end.wrote(RingEnd.BYTES + 1);

            TestNode.Loss loss = TestNode.take(root.losses);
            assertEquals(NodeId.of(1), loss.node());
            assertTrue(loss.reason().startsWith("broke the rings: "), loss.reason());
        }
    }

    /** What a node wrote before it died counts. */
    @Test
    void frameInTheRingOfANodeThatEnds_isReadBeforeItsEnd() throws Exception {
        try (RingEnd end = share()) {
            CountDownLatch release = root.stall();
            write(end, 0, 12, 3, 0, 0, 0, 'b', 'y', 'e'); // a leave
            misfit.end();
            release.countDown();

            assertEquals("left 1 bye", TestNode.take(root.lifecycle));
            assertEquals(0, root.losses.size());
        }
    }
}
