package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.ForeignBytes;
import io.muninn.model.NodeId;
import io.muninn.transport.TestNode;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.AnyControl;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import io.muninn.transport.stream.Link;
import io.muninn.transport.stream.TransportCounters;
import io.muninn.transport.tls.Tls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A handshake whose other end sends valid messages in any order, most of them in the right one,
 * some with altered bytes, and knows the secret. Each has exactly one outcome; a node is admitted
 * or welcomed only if the other end has sent what the handshake asks for and nothing else.
 */
class ForeignHandshakesTest {
    private static final int FEW = 1_500;
    private static final int MANY = 100_000; // each needs cryptography
    private static final int NODES = 4;
    private static final int MESSAGES_MAX = 8;
    private static final int ONE_OF_TCP = 128; // its exchange of keys takes longer
    private static final Address.Tcp ROOT = new Address.Tcp("127.0.0.1", 7_000);
    private static final SocketAddress TCP = new InetSocketAddress(ROOT.host(), ROOT.port());
    private static final SocketAddress UNIX = new DomainSocketAddress("this host");
    private static final Control.Claim CLAIM = new Control.Claim(1, 0);
    private static final Control.Resume RESUME =
            new Control.Resume(1, new Digest(1, 2, 3, 4), 1, 0, "127.0.0.1:9");

    private final AgentEventLoop loop = new AgentEventLoop(ForeignHandshakesTest::fail);

    private static void fail(Throwable cause) {
        throw new AssertionError(cause);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** The side under test: what has become of its handshake. */
    private static final class Outcomes
            implements AcceptingHandshake.Gate, DiallingHandshake.Caller {
        final List<String> all = new ArrayList<>();
        boolean isThrough;
        private final SplittableRandom random;

        Outcomes(SplittableRandom random) {
            this.random = random;
        }

        private void end(String outcome) {
            all.add(outcome);
        }

        private void through(String outcome) {
            isThrough = true;
            all.add(outcome);
        }

        @Override
        public Optional<String> refusal(Connection of, Control.Join join) {
            return random.nextInt(4) == 0 ? Optional.of("no " + join) : Optional.empty();
        }

        @Override
        public boolean isTaken(Control.Join join) {
            return random.nextInt(8) == 0;
        }

        @Override
        public AcceptingHandshake.Resumption resumption(Control.Resume resume) {
            return switch (random.nextInt(6)) {
                case 0 -> new AcceptingHandshake.Resumption.Refused("no such link");
                case 1 -> new AcceptingHandshake.Resumption.Lost("silent");
                case 2 -> new AcceptingHandshake.Resumption.Outdated();
                default -> new AcceptingHandshake.Resumption.Agreed(7);
            };
        }

        @Override
        public void resumed(AcceptingHandshake by, Connection of, Control.Resume resume) {
            through("resumed " + resume);
        }

        @Override
        public void proven(AcceptingHandshake handshake) {}

        @Override
        public void admitted(AcceptingHandshake by, Connection of, Control.Join join) {
            through("admitted " + join);
        }

        @Override
        public void silent(AcceptingHandshake by, Connection of, NodeId node, String reason) {
            end(reason);
        }

        @Override
        public void turnedAway(AcceptingHandshake by, Connection of, String reason) {
            end(reason);
        }

        @Override
        public void welcomed(Connection by) {
            through("welcomed");
        }

        @Override
        public void resumed(Connection of, int have) {
            through("resumed " + have);
        }

        @Override
        public void lost(String reason) {
            end(reason);
        }

        @Override
        public void refused(String text) {
            end(text);
        }

        @Override
        public void broken(String reason) {
            end(reason);
        }
    }

    /** One handshake, and the other end of its connection. */
    private abstract class Meeting {
        final SplittableRandom random;
        final SocketAddress remote;
        final Outcomes outcomes;
        final Wire wire; // of the side under test
        final Connection connection = connection();
        private final Wire otherWire;
        final Connection other = connection();
        private final List<Control> heard = new ArrayList<>();
        private int right; // messages in turn, from the first on
        private final ByteArrayOutputStream rightBytes = new ByteArrayOutputStream(); // of those
        private final ByteArrayOutputStream arrived = new ByteArrayOutputStream();

        Meeting(SplittableRandom random) {
            this.random = random;
            remote = random.nextInt(ONE_OF_TCP) == 0 ? TCP : UNIX;
            outcomes = new Outcomes(random);
            wire = new Wire(remote);
            otherWire = new Wire(remote);
            otherWire.pipeline().addLast(other);
            other.frameBytesMax(ClusterConfig.FRAME_BYTES_MAX);
            other.receiver(
                    new Link.Receiver() {
                        @Override
                        public void onFrame(ByteBufReader frame) {
                            heard.add(Control.decode(frame));
                        }

                        @Override
                        public void onEnd(String reason) {
                            assertTrue(!reason.isEmpty());
                        }
                    });
        }

        private Connection connection() {
            return new Connection(
                    loop, new ByteBufWriter(TestNode::receivedOnly), new TransportCounters());
        }

        ClusterConfig config(int node) {
            return ClusterConfig.builder(NodeId.of(node), NODES, ROOT, TestNode.SECRET)
                    .tls(Tls.ephemeral(Tls.Links.NONE))
                    .handshakeTimeout(Duration.ofDays(1))
                    .build();
        }

        /** The next message in turn; empty if there is none. */
        abstract Optional<Control> inTurn(int sent);

        <T extends Control> Optional<T> heard(Class<T> type) {
            return heard.stream().filter(type::isInstance).map(type::cast).findFirst();
        }

        void run() {
            int messages = 1 + random.nextInt(MESSAGES_MAX);
            for (int i = 0; i < messages && wire.isOpen(); i++) {
                transfer(wire, otherWire, false, unused -> {});
                byte[] before = rightBytes.toByteArray();
                Optional<Control> next = inTurn(right);
                boolean isRight = next.isPresent() && random.nextInt(8) != 0;
                other.writeControl(isRight ? next.get() : AnyControl.next(NODES, random));
                other.flush();
                transfer(
                        otherWire,
                        wire,
                        random.nextInt(16) == 0,
                        isRight ? rightBytes::writeBytes : unused -> {});
                right += isRight ? 1 : 0;
                if (outcomes.isThrough) {
                    assertArrayEquals(
                            before,
                            Arrays.copyOf(arrived.toByteArray(), before.length),
                            outcomes.all::toString);
                    break; // the rest is for others
                }
            }
            wire.close(); // which is an outcome, too, if there was none
            wire.finishAndReleaseAll();
            otherWire.finishAndReleaseAll();
            assertEquals(1, outcomes.all.size(), outcomes.all::toString);
        }

        /**
         * @param sender is shown the bytes that were sent, before they are altered
         */
        private void transfer(Wire from, Wire to, boolean alters, Consumer<byte[]> sender) {
            ByteBuf sent = from.readOutbound();
            while (sent != null) {
                byte[] bytes = ByteBufUtil.getBytes(sent);
                byte[] mutated = alters ? ForeignBytes.mutated(bytes, random) : bytes;
                byte[] arriving = mutated.length == 0 ? bytes : mutated;
                sent.release();
                sender.accept(bytes);
                if (to == wire) {
                    arrived.writeBytes(arriving);
                }
                int cut = random.nextInt(arriving.length + 1);
                for (ByteBuf part :
                        List.of(
                                Unpooled.copiedBuffer(arriving, 0, cut),
                                Unpooled.copiedBuffer(arriving, cut, arriving.length - cut))) {
                    if (to.isOpen()) {
                        to.writeInbound(part);
                    } else {
                        part.release();
                    }
                }
                sent = from.readOutbound();
            }
        }
    }

    /** The other end dials. */
    private final class Accepting extends Meeting {
        private final Secret.Part part = AcceptingHandshake.begin(TestNode.SECRET, other, CLAIM);

        Accepting(SplittableRandom random) {
            super(random);
            AcceptingHandshake handshake =
                    new AcceptingHandshake(loop, connection, config(0), wire, outcomes);
            wire.pipeline().addLast(connection);
            assertTrue(handshake.isUnopened());
        }

        @Override
        Optional<Control> inTurn(int sent) {
            return switch (sent) {
                case 0 -> Optional.of(new Control.Hello(Control.PROTOCOL_VERSION, part.nonce()));
                case 1 -> Optional.of(CLAIM);
                case 2 -> heard(Control.Challenge.class).flatMap(this::proof);
                case 3 ->
                        Optional.of(
                                random.nextBoolean()
                                        ? RESUME
                                        : new Control.Join(
                                                1, NODES, 1, 5_000, 7, "1", "127.0.0.1:9", ""));
                default -> Optional.empty();
            };
        }

        private Optional<Control> proof(Control.Challenge challenge) {
            return part.complete(new Secret.Exchange(part.nonce(), challenge.nonce(), CLAIM))
                    .map(proofs -> new Control.Proof(proofs.of(AcceptingHandshake.DIALLED)));
        }
    }

    /** The other end listens. */
    private final class Dialling extends Meeting {
        private final Secret.Part part = AcceptingHandshake.begin(TestNode.SECRET, other, CLAIM);

        Dialling(SplittableRandom random) {
            super(random);
            wire.pipeline().addLast(connection);
            DiallingHandshake.Target goal =
                    new DiallingHandshake.Target(
                            NodeId.ROOT,
                            () -> random.nextInt(8) == 0 ? Optional.empty() : Optional.of(RESUME));
            DiallingHandshake unused =
                    new DiallingHandshake(
                            loop, connection, config(1), goal, Duration.ofDays(1), outcomes);
            assertEquals(List.of(), outcomes.all, unused::toString);
        }

        @Override
        Optional<Control> inTurn(int sent) {
            return switch (sent) {
                case 0 ->
                        Optional.of(new Control.Challenge(Control.PROTOCOL_VERSION, part.nonce()));
                case 1 -> heard(Control.Hello.class).flatMap(this::proof);
                case 2 ->
                        Optional.of(
                                random.nextBoolean()
                                        ? new Control.Welcome(NodeId.ROOT)
                                        : new Control.Resumed(3));
                default -> Optional.empty();
            };
        }

        private Optional<Control> proof(Control.Hello hello) {
            return part.complete(new Secret.Exchange(hello.nonce(), part.nonce(), CLAIM))
                    .map(proofs -> new Control.Proof(proofs.of(AcceptingHandshake.ACCEPTED)));
        }
    }

    @Test
    void messagesInAnyOrder_haveOneOutcome() {
        feed(FEW);
    }

    @Test
    @Tag("slow")
    void manySequencesOfMessages_haveOneOutcome() {
        feed(MANY);
    }

    private void feed(int inputs) {
        SplittableRandom random = new SplittableRandom(56);
        int through = 0;
        for (int i = 0; i < inputs; i++) {
            Meeting meeting = i % 2 == 0 ? new Accepting(random) : new Dialling(random);
            try {
                meeting.run();
            } catch (RuntimeException | Error thrown) {
                throw new AssertionError("input " + i, thrown);
            }
            through += meeting.outcomes.isThrough ? 1 : 0;
        }
        assertTrue(through > 0 && through < inputs, through + " of " + inputs);
    }
}
