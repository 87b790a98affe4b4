package io.muninn.agent.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.ForeignBytes;
import io.muninn.ipc.Call;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Refusals;
import io.muninn.wire.WireReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections to the call socket without the token are closed. The threads of the application are
 * still served, and the run is not affected.
 */
class CallServerTest {
    private static final Duration INTRODUCTION = Duration.ofMillis(300);
    private static final int PATIENCE_SECONDS = 30;

    private final byte[] token = new byte[32];
    private final String name =
            "muninn-call-server-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final Refusals refusals = new Refusals(log::add);
    private final AgentEventLoop loop =
            new AgentEventLoop(cause -> failures.add("in the loop: " + cause), 0);
    private final List<StreamSocket> sockets = new ArrayList<>();

    private final class Echo implements CallServer.Calls {
        @Override
        public void onCall(CallConnection caller, int call, WireReader body) {
            caller.done(body.i64());
        }

        @Override
        public void onMalformedCall(CallConnection caller, String reason) {
            failures.add(reason);
        }

        @Override
        public void onBadCall(CallConnection caller, Throwable cause) {
            failures.add(String.valueOf(cause));
        }
    }

    @BeforeEach
    void listen() {
        Arrays.fill(token, (byte) 7);
        new CallServer(token, refusals, new Echo(), INTRODUCTION).listen(loop, name);
    }

    @AfterEach
    void applicationIsServedAllTheSame() throws IOException {
        try {
            StreamSocket thread = connect();
            thread.send(hello(token));
            assertEquals(0, thread.readAnswer());
            thread.send(call(8, 4711));
            assertEquals(4711, thread.readAnswer());
            assertEquals(List.of(), List.copyOf(failures));
        } finally {
            for (StreamSocket socket : sockets) {
                socket.close();
            }
            loop.close();
        }
    }

    @Test
    void emptyAndEndlessFrames_areCutOff() throws IOException {
        for (String hex : List.of("00000000", "ffffff7f", "ffffffff", "00000080", "26000000")) {
            StreamSocket stranger = connect();
            stranger.send(HexFormat.of().parseHex(hex));
            stranger.assertCutOff();
        }

        assertEquals(5, refusals.count());
        assertEquals(1, log.size(), log::toString); // the others are only counted, for a second
        assertTrue(log.element().contains("the call socket"), log::toString);
    }

    @Test
    void anyBytesWithoutTheToken_areCutOff() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        byte[] wrong = token.clone();
        wrong[31] ^= 1;
        for (int i = 0; i < 2_000; i++) {
            StreamSocket stranger = connect();
            stranger.send(
                    i % 2 == 0
                            ? ForeignBytes.noise(random)
                            : ForeignBytes.mutated(hello(wrong), random));
            stranger.endOutput();
            stranger.assertCutOff();
        }
    }

    @Test
    void moreThanTheToken_isCutOff() throws IOException {
        byte[] both = Arrays.copyOf(hello(token), 100);
        StreamSocket stranger = connect();
        stranger.send(both);
        stranger.assertCutOff();
    }

    @Test
    void tokenInPieces_isTaken() throws IOException {
        StreamSocket thread = connect();
        for (byte each : hello(token)) {
            thread.send(new byte[] {each});
        }

        assertEquals(0, thread.readAnswer());
    }

    @Test
    void silentConnection_isCutOffInTime() throws IOException {
        StreamSocket silent = connect();
        StreamSocket slow = connect();
        slow.send(Arrays.copyOf(hello(token), 40));

        silent.assertCutOff();
        slow.assertCutOff();
    }

    /** The first ones are closed; their memory is not kept until their time limit. */
    @Test
    void manySilentConnections_areBounded() throws IOException {
        List<StreamSocket> silent = new ArrayList<>();
        for (int i = 0; i < 3 * CallServer.STRANGERS_MAX; i++) {
            silent.add(connect());
        }
        StreamSocket thread = connect();
        thread.send(hello(token));

        assertEquals(0, thread.readAnswer());
        assertTrue(refusals.count() >= 2 * CallServer.STRANGERS_MAX, refusals::toString);
        silent.getFirst().assertCutOff();
    }

    /** Needs the permission to become another user. */
    @Test
    void otherUser_isCutOffWithTheRightTokenToo() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0));
        Process other =
                new ProcessBuilder(
                                "setpriv",
                                "--reuid=65534",
                                "--regid=65534",
                                "--clear-groups",
                                "perl",
                                "-MSocket",
                                "-e",
                                "$SIG{PIPE} = 'IGNORE'; socket(S, PF_UNIX, SOCK_STREAM, 0);"
                                        + "connect(S, pack('Sa*', AF_UNIX, \"\\0\" . $ARGV[0]))"
                                        + " or die $!;"
                                        + "syswrite(S, pack('H*', $ARGV[1]));"
                                        + "my $n = sysread(S, my $b, 1);"
                                        + "print $n ? 'answered' : 'cut off';",
                                name,
                                HexFormat.of().formatHex(hello(token)))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();

        assertEquals("cut off", new String(other.getInputStream().readAllBytes()));
        assertTrue(other.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals(1, refusals.count());
        assertTrue(log.element().contains("user 65534"), log::toString);
    }

    private static byte[] hello(byte[] presented) {
        return frame(
                ByteBuffer.allocate(37)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put((byte) Call.HELLO)
                        .put(presented)
                        .putInt(3));
    }

    private static byte[] call(int number, long value) {
        return frame(
                ByteBuffer.allocate(9)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put((byte) number)
                        .putLong(value));
    }

    private static byte[] frame(ByteBuffer body) {
        return ByteBuffer.allocate(Integer.BYTES + body.capacity())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(body.capacity())
                .put(body.flip())
                .array();
    }

    private StreamSocket connect() throws IOException {
        StreamSocket socket = new StreamSocket(name);
        sockets.add(socket);
        return socket;
    }
}
