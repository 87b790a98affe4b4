package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.transport.TestNode;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many processes connect to the root and send nothing more. Handshakes have no time limit here, so
 * an occupied place is never freed.
 */
class ArrivalsTest {
    private static final int STRANGERS = 1_500;

    private static final int MILLIS_MAX = 20_000;
    private static final String HERE = "127.0.0.1";
    private static final String ELSEWHERE = "127.0.0.2";

    private final List<Socket> sockets = new ArrayList<>();
    private TestNode root;
    private Address.Tcp address;

    @BeforeEach
    void startRoot() throws Exception {
        root =
                TestNode.start(
                        0,
                        2,
                        new Address.Tcp(HERE, 0),
                        it -> it.handshakeTimeout(Duration.ofHours(1)));
        address = (Address.Tcp) TestNode.await(root.listening);
    }

    @AfterEach
    void close() throws IOException {
        root.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void nodeAmongStrangersOfItsOwnAddress_joins() throws Exception {
        Thread flood = Thread.ofPlatform().start(() -> connectUntilInterrupted(HERE));
        try (TestNode one = TestNode.start(1, 2, address, it -> it)) {
            one.started.get(MILLIS_MAX, TimeUnit.MILLISECONDS);
            TestNode.await(root.started);
            assertTrue(flood.isAlive());
            assertTrue(root.failures.isEmpty() && root.losses.isEmpty());
        } finally {
            flood.interrupt();
            flood.join();
        }
    }

    private void connectUntilInterrupted(String from) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                connect(from);
                if (sockets.size() >= STRANGERS) {
                    sockets.removeFirst().close();
                }
            }
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    /**
     * There are never more connections of one source than it has places, regardless of their age.
     */
    @Test
    void strangersOfOneAddress_areCutOffBeyondTheirPlaces() throws Exception {
        connect(HERE, STRANGERS);

        for (Socket early : sockets.subList(0, STRANGERS - Arrivals.PLACES_OF_SOURCE)) {
            assertEquals(-1, early.getInputStream().read());
        }
        for (Socket late : sockets.subList(STRANGERS - 5, STRANGERS)) {
            assertFalse(isCutOff(late));
        }
    }

    @Test
    void connectionThatHasOpenedTheHandshake_keepsItsPlace() throws Exception {
        try (Speaker one = Speaker.dial(address)) {
            Control.Claim claim = new Control.Claim(1, 0);
            Secret.Part part = one.begin(claim);
            one.say(new Control.Hello(Control.PROTOCOL_VERSION, part.nonce()), claim);
            Digest other = one.hear(Control.Challenge.class).nonce();
            one.hear(Control.Proof.class);
            connect(HERE, STRANGERS);

            Secret.Exchange exchange = new Secret.Exchange(part.nonce(), other, claim);
            Secret.Proofs proofs = part.complete(exchange).orElseThrow();
            one.say(new Control.Proof(proofs.of(AcceptingHandshake.DIALLED)));
            assertWelcome(one);
        }
    }

    /** Not even by connections that have sent everything that is possible without the secret. */
    @Test
    void connectionThatHasShownTheSecret_isCrowdedOutByNobody() throws Exception {
        try (Speaker one = Speaker.dial(address)) {
            one.proveTo(0, 1);
            root.call(() -> true); // it has read the proof, or does so before the strangers connect
            open(HERE, 2 * Arrivals.PLACES_MAX);

            assertWelcome(one);
        }
    }

    @Test
    void strangersOfAnotherAddress_takeThePlacesOfTheirOwn() throws Exception {
        connect(HERE, 1);
        open(ELSEWHERE, 2 * Arrivals.PLACES_MAX);

        assertFalse(isCutOff(sockets.getFirst()));
    }

    private static void assertWelcome(Speaker one) throws Exception {
        one.say(new Control.Join(1, 2, 0, 5_000, 7, "", "127.0.0.1:9", ""));
        one.hear(Control.Welcome.class);
    }

    private static boolean isCutOff(Socket socket) throws IOException {
        socket.setSoTimeout(50);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        }
    }

    /** Connects, sends a hello and a claim, and receives the answer. */
    private void open(String from, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            Socket socket = connect(from);
            socket.getOutputStream().write(StrangerTest.hello(Control.PROTOCOL_VERSION));
            socket.getOutputStream().write(StrangerTest.CLAIM);
            assertTrue(socket.getInputStream().read() >= 0);
        }
    }

    private void connect(String from, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            connect(from);
        }
    }

    private Socket connect(String from) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
        socket.connect(new InetSocketAddress(address.host(), address.port()), MILLIS_MAX);
        socket.setSoTimeout(MILLIS_MAX);
        sockets.add(socket);
        return socket;
    }
}
