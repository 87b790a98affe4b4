package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes started one by one over TCP: which may join, and how the others end. */
@Tag("e2e")
class NodesE2eTest {
    private static final String SECRET = "what all nodes of this run share";
    private static final String SOON = "--join-timeout 8 ";
    private static final int USAGE = 2;

    @TempDir private Path folder;
    private Path secret = Path.of("");
    private String root = "";
    private int port;

    @BeforeEach
    void meet() throws IOException {
        secret = Nodes.secretFile(folder, "secret", SECRET);
        port = Nodes.freePort();
        root = "127.0.0.1:" + port;
    }

    @Tag("slow")
    @Test
    void nodesStartedOneByOne_makeACluster() throws InterruptedException {
        try (DsmRun zero = Nodes.start(0, 2, root, secret, "counter --increments 100");
                DsmRun one = Nodes.start(1, 2, root, secret, "counter --increments 100")) {
            one.await().assertStatus(0);
            zero.await().assertStatus(0).assertOut("verified").assertOut("lock-grant");
        }
    }

    /** It is given no place of the native libraries: its agent passes that. */
    @Tag("slow")
    @Test
    void applicationAsAWholeCommand_joinsLikeAnyOther() throws InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command =
                "-- "
                        + java
                        + " --enable-native-access=ALL-UNNAMED -cp "
                        + DsmRun.classPath()
                        + " io.muninn.application.ApplicationMain hello";
        try (DsmRun zero = Nodes.start(0, 2, root, secret, command);
                DsmRun one = Nodes.start(1, 2, root, secret, "hello")) {
            one.await().assertStatus(0);
            zero.await().assertStatus(0).assertOut("node 0  wrote 42");
        }
    }

    /** Each is told why; a node that is started again with the right options is admitted. */
    @Tag("slow")
    @Test
    void nodesThatDoNotFit_areRefusedAndDoNotHarmTheOthers()
            throws InterruptedException, IOException {
        Path wrong = Nodes.secretFile(folder, "wrong", "what the others do not share");
        String program = DsmRun.program("DifferingLayouts 8");
        try (DsmRun zero = Nodes.start(0, 2, root, secret, program)) {
            assertRefused(wrong, program, "secret");
            DsmRun.Result layout =
                    assertRefused(secret, DsmRun.program("DifferingLayouts 9"), "variable beta");
            assertTrue(!layout.err().contains("alpha"), layout::toString);
            assertRefused(secret, "--threads 2 " + program, "2 threads");
            assertRefused(secret, "--update-timeout off " + program, "update timeout off");
            assertRefused(secret, "--pool " + program, "over a pool");

            try (DsmRun one = Nodes.start(1, 2, root, secret, program)) {
                one.await().assertStatus(0);
                zero.await().assertStatus(0);
            }
        }
    }

    @Tag("slow")
    @Test
    void rootWhoseOnlyOtherNodeWasRefused_endsWithAFailure()
            throws InterruptedException, IOException {
        Path wrong = Nodes.secretFile(folder, "wrong", "what the others do not share");
        try (DsmRun zero = Nodes.start(0, 2, root, secret, SOON + "hello")) {
            assertRefused(wrong, "hello", "secret");

            DsmRun.Result alone = zero.await();

            alone.assertStatus(USAGE)
                    .assertErr("node 1 did not join")
                    .assertErr("wrong cluster secret");
        }
    }

    /** The remedy is told on both sides; with it the node joins the run that goes on. */
    @Tag("slow")
    @Test
    void nodeWithoutTls_isRefusedByARunWithTlsAndDoesNotHarmIt()
            throws InterruptedException, IOException {
        String remedy = ": give --plaintext to all nodes, or to none";
        try (DsmRun zero = Nodes.start(0, 2, root, secret, "--tls-loopback hello")) {
            assertRefused(secret, "--plaintext hello", "node 0 speaks TLS only")
                    .assertErr(remedy)
                    .assertErr("--plaintext: whoever can read the network");

            try (DsmRun one = Nodes.start(1, 2, root, secret, "--tls-loopback hello")) {
                one.await().assertStatus(0);
                zero.await().assertStatus(0).assertErr(remedy);
            }
        }
        try (DsmRun zero = Nodes.start(0, 2, root, secret, SOON + "--plaintext hello")) {
            assertRefused(secret, "--tls-loopback hello", "does not speak TLS").assertErr(remedy);

            zero.await().assertStatus(USAGE).assertErr(remedy);
        }
    }

    private DsmRun.Result assertRefused(Path itsSecret, String rest, String reason)
            throws InterruptedException {
        try (DsmRun stranger = Nodes.start(1, 2, root, itsSecret, SOON + rest)) {
            DsmRun.Result refused = stranger.await();
            return refused.assertStatus(USAGE).assertErr(reason);
        }
    }

    @Tag("slow")
    @Test
    void bytesOfAStrangerOnThePort_doNotHarmTheRun() throws InterruptedException, IOException {
        try (DsmRun zero = Nodes.start(0, 2, root, secret, "hello")) {
            assertTrue(MarkedProcesses.awaitUntil(DsmRun.LIMIT, this::isListening));
            send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] noise = new byte[100_000];
            new Random(7).nextBytes(noise);
            send(noise);
            send(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});

            try (DsmRun one = Nodes.start(1, 2, root, secret, "hello")) {
                one.await().assertStatus(0);
                zero.await().assertStatus(0);
            }
        }
    }

    @Tag("slow")
    @Test
    void nodeThatNeverComes_isNamedAfterTheTimeOut() throws InterruptedException {
        try (DsmRun zero = Nodes.start(0, 2, root, secret, "--join-timeout 3 hello")) {
            DsmRun.Result result = zero.await();

            assertNotEquals(0, result.status(), result::toString);
            result.assertErr("node 1");
        }
    }

    @Test
    void portInUse_isToldByTheRoot() throws InterruptedException, IOException {
        try (java.net.ServerSocket taken =
                        new java.net.ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                DsmRun zero = Nodes.start(0, 2, root, secret, SOON + "hello")) {
            DsmRun.Result result = zero.await();

            assertEquals(port, taken.getLocalPort());
            assertNotEquals(0, result.status(), result::toString);
            result.assertErr(Integer.toString(port));
        }
    }

    @Test
    void counters_areServedWhileTheRunLasts() throws IOException, InterruptedException {
        int metrics = Nodes.freePort();
        try (DsmRun run = DsmRun.startProgram("-n 2 --metrics " + metrics, "Endless")) {
            run.awaitOutput("under way", 2);

            for (int node = 0; node < 2; node++) {
                String text = get(metrics + node);
                String sample = "muninn_faults_write_total{node=\"" + node + "\"} ";
                assertTrue(
                        text.lines()
                                .anyMatch(
                                        line -> line.startsWith(sample) && !line.endsWith(" 0.0")),
                        text);
                assertTrue(text.contains("\nmuninn_fault_duration_seconds_count{"), text);
                assertTrue(text.contains("\nmuninn_waiters{"), text);
                assertTrue(text.contains("\nmuninn_locks_held{node=\"" + node + "\"} "), text);
            }
        }
    }

    private boolean isListening() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private void send(byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                OutputStream out = socket.getOutputStream()) {
            out.write(bytes);
        } catch (java.net.SocketException closedByTheNode) {
            assertTrue(bytes.length > 0); // it may hang up on a stranger at any moment
        }
    }

    static String get(int port) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(uri).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
