package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.transport.TestNode;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Control;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Other processes send to the root's port; each time the run still starts. */
class StrangerTest {
    private static final int DIGEST_BYTES = 32;
    private static final int READ_MILLIS_MAX = 15_000;
    private static final int STRANGERS = Integer.getInteger("strangers", 400);
    private static final int STRANGER_FRAME_BYTES_MAX = 256;
    private static final long PLACE_BYTES_MAX = 64 << 10; // both ends of a connection
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final UnaryOperator<ClusterConfig.Builder> SHORT_HANDSHAKE =
            options -> options.handshakeTimeout(Duration.ofMillis(400));

    /** The next frame: node 1 dials node 0. */
    static final byte[] CLAIM = frame(new byte[] {0, 16, 1, 0});

    private final List<Socket> sockets = new ArrayList<>();
    private TestNode root;
    private Address.Tcp address;

    @BeforeEach
    void startRoot() throws Exception {
        root = TestNode.start(0, 2, new Address.Tcp("127.0.0.1", 0), SHORT_HANDSHAKE);
        address = (Address.Tcp) TestNode.await(root.listening);
    }

    @AfterEach
    void runStartsAllTheSame() throws Exception {
        try (TestNode one = TestNode.start(1, 2, address, SHORT_HANDSHAKE)) {
            TestNode.await(one.started);
            TestNode.await(root.started);
            one.say(0, "undisturbed");
            assertEquals("undisturbed", TestNode.take(root.texts).text());
            assertTrue(root.failures.isEmpty() && root.losses.isEmpty());
        } finally {
            root.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void randomBytes_areCutOff() throws Exception {
        Random random = new Random(42);
        for (int i = 0; i < 50; i++) {
            byte[] noise = new byte[1 + random.nextInt(5_000)];
            random.nextBytes(noise);
            noise[Math.min(3, noise.length - 1)] = (byte) 0x80; // a length no frame has
            Socket socket = connect();
            writeIgnoringReset(socket, noise);
            if (noise.length >= Integer.BYTES) {
                assertCutOff(socket);
            }
        }
    }

    @Test
    void hypertextRequest_isCutOff() throws Exception {
        Socket socket = connect();
        writeIgnoringReset(socket, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertCutOff(socket);
    }

    @Test
    void hugeLength_isCutOffBeforeItsBytesCome() throws Exception {
        for (int length : List.of(Integer.MAX_VALUE, -1, 0, 257, 64 << 20)) {
            Socket socket = connect();
            socket.getOutputStream().write(Unpooled.copyInt(Integer.reverseBytes(length)).array());

            assertCutOff(socket);
        }
    }

    @Test
    void wellFormedFrameWithoutTheOpening_isCutOff() throws Exception {
        Socket socket = connect();
        socket.getOutputStream().write(frame(new byte[] {0, 10})); // a heartbeat

        assertCutOff(socket);
    }

    @Test
    void slowWriterAndSilentOne_areCutOffAtTheTimeout() throws Exception {
        Socket silent = connect();
        Socket slow = connect();
        OutputStream out = slow.getOutputStream();
        out.write(frame(new byte[200]), 0, 100); // the rest is never sent

        assertCutOff(silent);
        assertCutOff(slow);
    }

    @Test
    void moreStrangersThanHandshakesAllowed_delayNobodyForLong() throws Exception {
        for (int i = 0; i < 300; i++) {
            connect();
        }
    }

    /**
     * What strangers can cost a node: as many descriptors as they have places, some memory for each
     * place, one reason each, of which {@code Refusals} logs one a second, and processor time for a
     * key each. All but the last is bounded here; that is measured.
     */
    @Test
    void manyStrangers_costNoMoreThanTheirPlaces() throws Exception {
        root.close();
        root =
                TestNode.start(
                        0,
                        2,
                        new Address.Tcp("127.0.0.1", 0),
                        options -> options.handshakeTimeout(Duration.ofHours(1)));
        address = (Address.Tcp) TestNode.await(root.listening);
        long loop = root.call(() -> Thread.currentThread().threadId());
        long descriptors = descriptors();
        long bytes = usedBytes();
        long nanos = THREADS.getThreadCpuTime(loop);

        for (int i = 0; i < STRANGERS; i++) {
            OutputStream out = connect().getOutputStream();
            out.write(hello(Control.PROTOCOL_VERSION));
            if (i % 2 == 0) {
                out.write(CLAIM); // costs an exchange of keys
            }
            out.write(frame(new byte[STRANGER_FRAME_BYTES_MAX]), 0, STRANGER_FRAME_BYTES_MAX);
        }
        for (int i = 0; i < STRANGERS - Arrivals.PLACES_OF_SOURCE; i++) {
            assertEquals("127.0.0.1 others needed its place", TestNode.take(root.turnedAway));
        }
        long open = root.call(StrangerTest::descriptors) - descriptors - STRANGERS;
        long used = usedBytes() - bytes;
        long time = THREADS.getThreadCpuTime(loop) - nanos;

        assertEquals(Arrivals.PLACES_OF_SOURCE, open);
        assertTrue(used < Arrivals.PLACES_OF_SOURCE * PLACE_BYTES_MAX, used + " bytes");
        for (Socket socket : sockets) {
            socket.close();
        }
        for (int i = 0; i < Arrivals.PLACES_OF_SOURCE; i++) {
            String reason = TestNode.take(root.turnedAway);
            assertTrue(reason.startsWith("127.0.0.1 "), reason);
        }
        assertTrue(root.turnedAway.isEmpty());
        assertEquals(descriptors, root.call(StrangerTest::descriptors));
        System.out.printf(
                "%d strangers: %d descriptors, %d KiB, %d reasons, %d us of processor time each%n",
                STRANGERS, open, used / 1_024, STRANGERS, time / STRANGERS / 1_000);
    }

    private static long descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return Objects.requireNonNull(open).length;
    }

    /** On the heap, and outside of it by the allocator of the connections. */
    private static long usedBytes() {
        System.gc();
        Runtime heap = Runtime.getRuntime();
        ByteBufAllocatorMetric buffers =
                ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
        return heap.totalMemory() - heap.freeMemory() + buffers.usedDirectMemory();
    }

    /**
     * The opening is public; everything after it needs the secret, and a proof cannot be reflected.
     */
    @Test
    void rightOpeningAndWrongProof_isRefusedInWords() throws Exception {
        Socket socket = connect();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream().write(hello(Control.PROTOCOL_VERSION));
        socket.getOutputStream().write(CLAIM);
        byte[] challenge = readFrame(in);
        assertEquals(2, challenge[1]);
        byte[] itsProof = readFrame(in);
        assertEquals(3, itsProof[1]);

        ByteBuf proof = Unpooled.buffer();
        proof.writeByte(0).writeByte(3).writeBytes(itsProof, 2, DIGEST_BYTES); // reflected
        socket.getOutputStream().write(frame(bytes(proof)));

        int length = Integer.reverseBytes(in.readInt());
        assertEquals(0, in.readInt()); // frames after a proof are numbered
        in.skipNBytes(3 * Integer.BYTES);
        byte[] refused = in.readNBytes(length);
        String text = new String(refused, 6, refused.length - 6, StandardCharsets.UTF_8);
        assertEquals(AcceptingHandshake.WRONG_SECRET, text);
        assertCutOff(socket);
    }

    @Test
    void otherProtocolVersion_isRefusedInWords() throws Exception {
        Socket socket = connect();
        socket.getOutputStream().write(hello(9));

        byte[] refused = readFrame(new DataInputStream(socket.getInputStream()));

        String text = new String(refused, 6, refused.length - 6, StandardCharsets.UTF_8);
        assertEquals(
                "wrong version: agents speak protocol 9 and, on node 0, "
                        + Control.PROTOCOL_VERSION,
                text);
    }

    /** The frame that opens a handshake. */
    static byte[] hello(int version) {
        ByteBuf hello = Unpooled.buffer();
        hello.writeByte(0).writeByte(1).writeLongLE(Control.MAGIC).writeShortLE(version);
        byte[] nonce = new byte[DIGEST_BYTES];
        Arrays.fill(nonce, (byte) 7); // a share of a key; zero would be none
        return frame(bytes(hello.writeBytes(nonce)));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(address.host(), address.port()), READ_MILLIS_MAX);
        socket.setSoTimeout(READ_MILLIS_MAX);
        sockets.add(socket);
        return socket;
    }

    private static void writeIgnoringReset(Socket socket, byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
        } catch (SocketException cutOffMeanwhile) {
            assertTrue(socket.isConnected());
        }
    }

    private static void assertCutOff(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        try {
            assertEquals(-1, in.read());
        } catch (SocketException reset) {
            assertEquals("Connection reset", reset.getMessage());
        }
    }

    private static byte[] frame(byte[] body) {
        ByteBuf frame = Unpooled.buffer();
        frame.writeIntLE(body.length).writeBytes(body);
        return bytes(frame);
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    private static byte[] readFrame(DataInputStream in) throws IOException {
        byte[] body = new byte[Integer.reverseBytes(in.readInt())];
        in.readFully(body);
        return body;
    }
}
