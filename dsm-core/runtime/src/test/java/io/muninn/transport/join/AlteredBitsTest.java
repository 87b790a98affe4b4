package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.TestNode;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.TransportCounters;
import io.muninn.transport.tls.Tls;
import io.muninn.transport.tls.TlsSession;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two agents meet and talk over a link that alters one bit of one direction. Whichever bit it is,
 * nothing but what was sent is received: the connection ends, or a side waits for bytes that never
 * come, which the limits of the handshake and of silence end, or the bit means nothing.
 */
class AlteredBitsTest {
    private static final Address.Tcp ROOT = new Address.Tcp("127.0.0.1", 7_000);
    private static final int MINOR_VERSION = 2; // place in the header of a record of TLS
    private static final int RECORD_LENGTH = 3; // likewise, of two bytes
    private static final int NONE = -1;

    /** What comes of an altered bit. */
    private enum Outcome {
        ENDED,
        WAITS,
        UNNOTICED
    }

    private final AgentEventLoop loop = new AgentEventLoop(AlteredBitsTest::fail);

    private static void fail(Throwable cause) {
        throw new AssertionError(cause);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** One side, and what it has received and how it has ended. */
    private final class Side implements AcceptingHandshake.Gate, DiallingHandshake.Caller {
        final Connection connection =
                new Connection(
                        loop, new ByteBufWriter(TestNode::receivedOnly), new TransportCounters());
        final ClusterConfig config;
        final List<String> received = new ArrayList<>();
        final List<String> ends = new ArrayList<>();
        final Wire wire;

        Side(int node, Tls tls) {
            config =
                    ClusterConfig.builder(NodeId.of(node), 2, ROOT, TestNode.SECRET)
                            .tls(tls)
                            .handshakeTimeout(Duration.ofDays(1))
                            .build();
            wire = new Wire(new InetSocketAddress(ROOT.host(), ROOT.port()));
        }

        void accept() {
            AcceptingHandshake unused =
                    new AcceptingHandshake(loop, connection, config, wire, this);
            assertTrue(unused.isUnopened());
            wire.pipeline().addLast(connection);
        }

        void dial() {
            if (!config.tls().isOn()) {
                wire.pipeline().addLast(connection);
                shakeHands();
                return;
            }
            TlsSession tls = config.tls().dialling(ROOT.host(), ROOT.port());
            connection.readsBehindOthers();
            connection.tls(tls);
            wire.pipeline()
                    .addLast(
                            new FirstBytes((_, speaksTls) -> {
                                if (!speaksTls) {
                                    ends.add("does not speak TLS");
                                    connection.close();
                                }
                            }),
                            tls.sslHandler(),
                            connection);
            tls.sslHandler()
                    .handshakeFuture()
                    .addListener(done -> {
                        if (done.isSuccess()) {
                            shakeHands();
                        } else {
                            ends.add("TLS: " + done.cause());
                        }
                    });
        }

        private void shakeHands() {
            Control.Join join = new Control.Join(1, 2, 1, 5_000, 7, "1", "here:1", "grid");
            DiallingHandshake.Target goal =
                    new DiallingHandshake.Target(NodeId.ROOT, () -> Optional.of(join));
            DiallingHandshake unused =
                    new DiallingHandshake(loop, connection, config, goal, Duration.ofDays(1), this);
            assertEquals(0, received.size(), unused::toString);
        }

        void say(Control... messages) {
            for (Control message : messages) {
                connection.writeControl(message);
                connection.flush();
            }
        }

        /** The run, as far as this side speaks of it. */
        private void talk() {
            connection.receiver(
                    new Connection.Receiver() {
                        @Override
                        public void onFrame(ByteBufReader frame) {
                            received.add(String.valueOf(Control.decode(frame)));
                        }

                        @Override
                        public void onEnd(String reason) {
                            ends.add(reason);
                        }
                    });
            say(
                    new Control.Heartbeat(),
                    new Control.Leave("a text of this node"),
                    new Control.Heartbeat(),
                    new Control.Finished(0, "verified"));
        }

        @Override
        public Optional<String> refusal(Connection of, Control.Join join) {
            received.add(join.toString());
            return Optional.empty();
        }

        @Override
        public boolean isTaken(Control.Join join) {
            return false;
        }

        @Override
        public AcceptingHandshake.Resumption resumption(Control.Resume resume) {
            throw new AssertionError("nobody sends " + resume);
        }

        @Override
        public void resumed(AcceptingHandshake handshake, Connection of, Control.Resume resume) {
            throw new AssertionError("nobody sends " + resume);
        }

        @Override
        public void proven(AcceptingHandshake handshake) {}

        @Override
        public void admitted(AcceptingHandshake handshake, Connection of, Control.Join join) {
            talk();
        }

        @Override
        public void silent(AcceptingHandshake by, Connection of, NodeId node, String reason) {
            ends.add(reason);
        }

        @Override
        public void turnedAway(AcceptingHandshake handshake, Connection of, String reason) {
            ends.add(reason);
        }

        @Override
        public void welcomed(Connection by) {
            talk();
        }

        @Override
        public void resumed(Connection of, int have) {
            throw new AssertionError("nobody sends resumed");
        }

        @Override
        public void lost(String reason) {
            ends.add(reason);
        }

        @Override
        public void refused(String text) {
            ends.add(text);
        }

        @Override
        public void broken(String reason) {
            ends.add(reason);
        }
    }

    /** One meeting, of which one bit of the bytes from one side is altered. */
    private final class Meeting implements AutoCloseable {
        final Side one;
        final Side root;
        private final boolean isThere;
        private final long altered; // number of the bit; NONE for none
        private final List<Byte> carried = new ArrayList<>(); // in that direction

        Meeting(Tls tls, boolean isThere, long altered) {
            this.isThere = isThere;
            this.altered = altered;
            root = new Side(0, tls);
            one = new Side(1, tls);
            root.accept();
            one.dial();
            boolean moved = true;
            while (moved) {
                moved = carry(one.wire, root.wire, isThere) | carry(root.wire, one.wire, !isThere);
            }
        }

        private boolean carry(Wire from, Wire to, boolean alters) {
            ByteBuf bytes = from.readOutbound();
            if (bytes == null) {
                return false;
            }
            for (int i = bytes.readerIndex(); alters && i < bytes.writerIndex(); i++) {
                carried.add(bytes.getByte(i));
                if (carried.size() - 1 == altered / Byte.SIZE) {
                    bytes.setByte(i, bytes.getByte(i) ^ 1 << altered % Byte.SIZE);
                }
            }
            if (to.isOpen()) {
                to.writeInbound(bytes);
            } else {
                bytes.release();
            }
            return true;
        }

        Outcome outcome(Meeting whole) {
            assertPrefix(whole.one.received, one.received);
            assertPrefix(whole.root.received, root.received);
            if (!one.ends.isEmpty() || !root.ends.isEmpty()) {
                return Outcome.ENDED;
            }
            boolean all =
                    one.received.equals(whole.one.received)
                            && root.received.equals(whole.root.received);
            return all ? Outcome.UNNOTICED : Outcome.WAITS;
        }

        private void assertPrefix(List<String> sent, List<String> got) {
            assertTrue(got.size() <= sent.size(), () -> "bit " + altered + ": " + got);
            assertEquals(sent.subList(0, got.size()), got, () -> "bit " + altered);
        }

        /** The place of a byte in its record of TLS: below five in the header. */
        int placeInRecord(int at) {
            int start = 0;
            int next = start;
            while (next <= at) {
                start = next;
                int high = Byte.toUnsignedInt(carried.get(start + RECORD_LENGTH));
                int low = Byte.toUnsignedInt(carried.get(start + RECORD_LENGTH + 1));
                next = start + RECORD_LENGTH + 2 + (high << Byte.SIZE) + low;
            }
            return at - start;
        }

        /** Whether a byte is in the length of a frame before the frames have numbers. */
        boolean isLengthOfOpening(int at) {
            int start = 0;
            for (int i = 0; i < (isThere ? 3 : 2); i++) {
                if (at >= start && at < start + Integer.BYTES) {
                    return true;
                }
                start += Integer.BYTES + Byte.toUnsignedInt(carried.get(start));
            }
            return false;
        }

        @Override
        public void close() {
            for (Side side : List.of(one, root)) {
                side.connection.close();
                side.wire.finishAndReleaseAll();
            }
        }
    }

    /** Judges what has come of an altered bit in a byte. */
    private interface Judge {
        void judge(Meeting meeting, int at, Outcome outcome);
    }

    /**
     * Alters bits of one direction, one in each meeting.
     *
     * @param step mean distance of two bits
     */
    private void alterAll(Tls tls, boolean isThere, int step, Judge judge) {
        Random random = new Random(56);
        long bits;
        try (Meeting whole = new Meeting(tls, isThere, NONE)) {
            bits = (long) whole.carried.size() * Byte.SIZE;
        }
        List<Long> altered = new ArrayList<>();
        for (long bit = random.nextInt(step); bit < bits; bit += 1 + random.nextInt(2 * step - 1)) {
            altered.add(bit);
        }
        assertTrue(altered.size() > 10, altered::toString);
        alter(tls, isThere, altered, judge);
    }

    private void alter(Tls tls, boolean isThere, List<Long> altered, Judge judge) {
        try (Meeting whole = new Meeting(tls, isThere, NONE)) {
            assertEquals(Outcome.UNNOTICED, whole.outcome(whole));
            assertEquals(5, whole.root.received.size());
            assertEquals(4, whole.one.received.size());
            for (long bit : altered) {
                try (Meeting meeting = new Meeting(tls, isThere, bit)) {
                    int at = (int) (bit / Byte.SIZE);
                    if (at < meeting.carried.size()) { // signatures have different lengths
                        judge.judge(meeting, at, meeting.outcome(whole));
                    }
                }
            }
        }
    }

    /** Whichever bit it is; only of a length in the opening, a side waits for more bytes. */
    private static void judgePlain(Meeting meeting, int at, Outcome outcome) {
        assertTrue(
                outcome == Outcome.ENDED
                        || (outcome == Outcome.WAITS && meeting.isLengthOfOpening(at)),
                () -> outcome + " at byte " + at);
    }

    /**
     * All but a part of the version in the header of a record, which is always the same and which
     * TLS 1.3 ignores. A record that is said to be longer is waited for.
     */
    private static void judgeTls(Meeting meeting, int at, Outcome outcome) {
        int place = meeting.placeInRecord(at);
        boolean isRight =
                switch (outcome) {
                    case ENDED -> place != MINOR_VERSION;
                    case UNNOTICED -> place == MINOR_VERSION;
                    case WAITS ->
                            place == RECORD_LENGTH
                                    || place == RECORD_LENGTH + 1
                                    || at < place + RECORD_LENGTH;
                };
        assertTrue(isRight, () -> outcome + " at byte " + at + ", " + place + " of its record");
    }

    @Test
    void alteredBits_areFound() {
        for (boolean isThere : new boolean[] {true, false}) {
            alterAll(
                    Tls.ephemeral(Tls.Links.NONE),
                    isThere,
                    2 * Byte.SIZE,
                    AlteredBitsTest::judgePlain);
        }
    }

    @Tag("slow")
    @Test
    void anyAlteredBit_isFound() {
        for (boolean isThere : new boolean[] {true, false}) {
            alterAll(Tls.ephemeral(Tls.Links.NONE), isThere, 1, AlteredBitsTest::judgePlain);
        }
    }

    /** The header of the first record: its kind, both parts of its version, its length. */
    @Test
    void alteredHeaderOfTls_isFoundOrMeansNothing() {
        List<Long> bits = List.of(3L, 9L, 17L, 20L, 29L, 33L);
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        alter(
                Tls.ephemeral(Tls.Links.ALL),
                true,
                bits,
                (meeting, at, outcome) -> {
                    judgeTls(meeting, at, outcome);
                    outcomes.add(outcome);
                });
        assertEquals(EnumSet.allOf(Outcome.class), outcomes);
    }

    @Tag("slow")
    @Test
    void alteredBitsWithTls_areFoundOrMeanNothing() {
        for (boolean isThere : new boolean[] {true, false}) {
            alterAll(Tls.ephemeral(Tls.Links.ALL), isThere, 16, AlteredBitsTest::judgeTls);
        }
    }
}
