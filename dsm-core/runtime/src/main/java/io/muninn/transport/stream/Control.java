package io.muninn.transport.stream;

import io.muninn.model.NodeId;
import io.muninn.spi.Hosts;
import io.muninn.wire.Codec;
import io.muninn.wire.Codecs;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireMessage;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The transport's own messages: handshake, membership, heartbeats, lifecycle.
 *
 * <p>A control frame's body starts with a byte 0, which no codec uses, then the code below; the
 * kernel's messages keep all of their 255 codes.
 */
public sealed interface Control extends WireMessage {
    /** First byte of a control frame's body. */
    int MARK = 0;

    /**
     * The eight bytes MUNINN, carriage return, line feed. The first frame of any other program
     * differs.
     */
    long MAGIC = 0x0A0D_4E4E_494E_554DL;

    /** Version of the frames in this package; incremented with every change of their layout. */
    int PROTOCOL_VERSION = 8;

    Codecs CODECS =
            new Codecs(
                    List.of(
                            Hello.CODEC,
                            Challenge.CODEC,
                            Proof.CODEC,
                            Join.CODEC,
                            Welcome.CODEC,
                            Refused.CODEC,
                            Roster.CODEC,
                            Ready.CODEC,
                            Start.CODEC,
                            Heartbeat.CODEC,
                            Report.CODEC,
                            Leave.CODEC,
                            Finished.CODEC,
                            Lost.CODEC,
                            Claim.CODEC,
                            WaitsLast.CODEC,
                            AskWaits.CODEC,
                            Waits.CODEC,
                            Resume.CODEC,
                            Resumed.CODEC,
                            Moved.CODEC,
                            Process.CODEC));

    /** Reads a frame that must be a control frame, mark included. */
    static Control decode(WireReader frame) {
        int mark = frame.u8();
        if (mark != MARK) {
            throw new MalformedMessageException("frame starts with " + mark);
        }
        return (Control) CODECS.decode(frame);
    }

    /** First frame of the side that connected. This layout never changes. */
    record Hello(int protocolVersion, Digest nonce) implements Control {
        static final Codec<Hello> CODEC =
                new Codec<>(
                        1,
                        "hello",
                        Hello.class,
                        (m, out) -> writeOpening(m.protocolVersion, m.nonce, out),
                        in -> new Hello(readProtocolVersion(in), Digest.read(in)));

        @Override
        public Codec<Hello> codec() {
            return CODEC;
        }
    }

    /** First frame of the side that listened. This layout never changes. */
    record Challenge(int protocolVersion, Digest nonce) implements Control {
        static final Codec<Challenge> CODEC =
                new Codec<>(
                        2,
                        "challenge",
                        Challenge.class,
                        (m, out) -> writeOpening(m.protocolVersion, m.nonce, out),
                        in -> new Challenge(readProtocolVersion(in), Digest.read(in)));

        @Override
        public Codec<Challenge> codec() {
            return CODEC;
        }
    }

    /**
     * Follows the hello: the connecting node and the node it wants to reach. Both proofs cover it.
     *
     * @param dialling index of the sender; any u8, like the other
     * @param listening index of the node that must answer
     */
    record Claim(int dialling, int listening) implements Control {
        static final Codec<Claim> CODEC =
                new Codec<>(
                        16,
                        "claim",
                        Claim.class,
                        (m, out) -> {
                            out.u8(m.dialling);
                            out.u8(m.listening);
                        },
                        in -> new Claim(in.u8(), in.u8()));

        @Override
        public Codec<Claim> codec() {
            return CODEC;
        }
    }

    /** Proves that the sender has the cluster secret; sent first by the side that listened. */
    record Proof(Digest digest) implements Control {
        static final Codec<Proof> CODEC =
                new Codec<>(
                        3,
                        "proof",
                        Proof.class,
                        (m, out) -> m.digest.write(out),
                        in -> new Proof(Digest.read(in)));

        @Override
        public Codec<Proof> codec() {
            return CODEC;
        }
    }

    /**
     * The description of the connecting node, sent after its proof.
     *
     * @param node index of the sender, as in its claim
     * @param nodes number of nodes that the sender expects in the cluster
     * @param host the first node that the sender's agent serves
     * @param heartbeatMillis the sender's heartbeat limit
     * @param incarnation random per process: distinguishes a reconnection from a second node with
     *     that id
     * @param version version of the program
     * @param address address on which the sender listens
     * @param layout layout of the shared variables
     */
    record Join(
            int node,
            int nodes,
            int host,
            long heartbeatMillis,
            long incarnation,
            String version,
            String address,
            String layout)
            implements Control {
        static final Codec<Join> CODEC =
                new Codec<>(4, "join", Join.class, Join::write, Join::read);

        private static void write(Join m, WireWriter out) {
            out.u8(m.node);
            out.u8(m.nodes);
            out.u8(m.host);
            out.i64(m.heartbeatMillis);
            out.i64(m.incarnation);
            writeText(m.version, out);
            writeText(m.address, out);
            writeText(m.layout, out);
        }

        private static Join read(WireReader in) {
            return new Join(
                    in.u8(),
                    in.u8(),
                    in.u8(),
                    in.i64(),
                    in.i64(),
                    readText(in),
                    readText(in),
                    readText(in));
        }

        @Override
        public Codec<Join> codec() {
            return CODEC;
        }
    }

    /** The answer to an accepted join. */
    record Welcome(NodeId node) implements Control {
        static final Codec<Welcome> CODEC =
                new Codec<>(
                        5,
                        "welcome",
                        Welcome.class,
                        (m, out) -> out.node(m.node),
                        in -> new Welcome(in.node()));

        @Override
        public Codec<Welcome> codec() {
            return CODEC;
        }
    }

    /** The answer to anything refused; the connection ends. */
    record Refused(String text) implements Control {
        static final Codec<Refused> CODEC =
                new Codec<>(
                        6,
                        "refused",
                        Refused.class,
                        (m, out) -> writeText(m.text, out),
                        in -> new Refused(readText(in)));

        private static final int OTHER_BYTES = 16; // more than the fields beside the text
        private static final String LEFT_OUT = " ... ";

        /** One that fits a frame: the middle of a longer text is left out, not its remedy. */
        static Refused within(int frameBytesMax, String text) {
            int most = frameBytesMax - OTHER_BYTES;
            if (text.getBytes(StandardCharsets.UTF_8).length <= most) {
                return new Refused(text);
            }
            String ascii = text.replaceAll("[^ -~]", "?");
            int half = Math.min((most - LEFT_OUT.length()) / 2, ascii.length());
            return new Refused(
                    ascii.substring(0, half) + LEFT_OUT + ascii.substring(ascii.length() - half));
        }

        @Override
        public Codec<Refused> codec() {
            return CODEC;
        }
    }

    /**
     * Sent by the root whenever all nodes have joined: where each node is.
     *
     * @param number number of the roster on this root, from 1
     * @param places by node index
     */
    record Roster(int number, List<Place> places) implements Control {
        static final Codec<Roster> CODEC =
                new Codec<>(7, "roster", Roster.class, Roster::write, Roster::read);

        /**
         * Where a node is.
         *
         * @param address on which it listens; the root's is empty
         * @param host the first node that its agent serves
         */
        public record Place(String address, int host) {}

        public Roster {
            places = List.copyOf(places);
        }

        /**
         * Which nodes share an agent.
         *
         * @throws MalformedMessageException if an agent's first node has another agent
         */
        public Hosts hosts() {
            try {
                return new Hosts(places.stream().map(place -> NodeId.of(place.host)).toList());
            } catch (IllegalArgumentException contradiction) {
                throw new MalformedMessageException(String.valueOf(contradiction.getMessage()));
            }
        }

        private static void write(Roster m, WireWriter out) {
            out.u32(m.number);
            out.u8(m.places.size());
            for (Place place : m.places) {
                writeText(place.address, out);
                out.u8(place.host);
            }
        }

        private static Roster read(WireReader in) {
            int number = in.u32();
            int nodes = in.u8();
            List<Place> places = new ArrayList<>(nodes);
            for (int i = 0; i < nodes; i++) {
                places.add(new Place(readText(in), in.u8()));
            }
            return new Roster(number, places);
        }

        @Override
        public Codec<Roster> codec() {
            return CODEC;
        }
    }

    /**
     * Sent to the root: the sender is connected with every node of that roster.
     *
     * @param roster number of the roster
     */
    record Ready(int roster) implements Control {
        static final Codec<Ready> CODEC =
                new Codec<>(
                        8,
                        "ready",
                        Ready.class,
                        (m, out) -> out.u32(m.roster),
                        in -> new Ready(in.u32()));

        @Override
        public Codec<Ready> codec() {
            return CODEC;
        }
    }

    /** Sent by the root: every node is ready for the last roster. */
    record Start() implements Control {
        static final Codec<Start> CODEC =
                new Codec<>(9, "start", Start.class, (m, out) -> {}, in -> new Start());

        @Override
        public Codec<Start> codec() {
            return CODEC;
        }
    }

    /** Shows that the sender's loop is running. */
    record Heartbeat() implements Control {
        static final Codec<Heartbeat> CODEC =
                new Codec<>(
                        10, "heartbeat", Heartbeat.class, (m, out) -> {}, in -> new Heartbeat());

        @Override
        public Codec<Heartbeat> codec() {
            return CODEC;
        }
    }

    /** Sent to the root: a result of the sender, opaque to the transport. */
    record Report(byte[] content) implements Control {
        static final Codec<Report> CODEC =
                new Codec<>(
                        11,
                        "report",
                        Report.class,
                        (m, out) -> out.sized(m.content),
                        in -> new Report(in.sized()));

        public Report {
            content = content.clone();
        }

        @Override
        public Codec<Report> codec() {
            return CODEC;
        }
    }

    /** The sender will close its connections, and that is not a loss. */
    record Leave(String reason) implements Control {
        static final Codec<Leave> CODEC =
                new Codec<>(
                        12,
                        "leave",
                        Leave.class,
                        (m, out) -> writeText(m.reason, out),
                        in -> new Leave(readText(in)));

        @Override
        public Codec<Leave> codec() {
            return CODEC;
        }
    }

    /** The run is over: from now on no node's end is a loss. Status is 0 to 255. */
    record Finished(int status, String text) implements Control {
        static final Codec<Finished> CODEC =
                new Codec<>(
                        13,
                        "finished",
                        Finished.class,
                        (m, out) -> {
                            out.u8(m.status);
                            writeText(m.text, out);
                        },
                        in -> new Finished(in.u8(), readText(in)));

        @Override
        public Codec<Finished> codec() {
            return CODEC;
        }
    }

    /** A node is lost: the sender itself, or a node whose loss the sender has detected. */
    record Lost(NodeId node, String reason) implements Control {
        static final Codec<Lost> CODEC =
                new Codec<>(
                        14,
                        "lost",
                        Lost.class,
                        (m, out) -> {
                            out.node(m.node);
                            writeText(m.reason, out);
                        },
                        in -> new Lost(in.node(), readText(in)));

        @Override
        public Codec<Lost> codec() {
            return CODEC;
        }
    }

    /** Sent to the root: threads of the sender have waited for some time. */
    record WaitsLast() implements Control {
        static final Codec<WaitsLast> CODEC =
                new Codec<>(
                        17, "waits-last", WaitsLast.class, (m, out) -> {}, in -> new WaitsLast());

        @Override
        public Codec<WaitsLast> codec() {
            return CODEC;
        }
    }

    /**
     * Sent by the root: what do the threads of the receiver wait for?
     *
     * @param number of the question
     * @param withLines whether the answer names the places where they stand
     */
    record AskWaits(int number, boolean withLines) implements Control {
        static final Codec<AskWaits> CODEC =
                new Codec<>(
                        18,
                        "ask-waits",
                        AskWaits.class,
                        (m, out) -> {
                            out.u32(m.number);
                            out.flag(m.withLines);
                        },
                        in -> new AskWaits(in.u32(), in.flag()));

        @Override
        public Codec<AskWaits> codec() {
            return CODEC;
        }
    }

    /**
     * Sent to the root: the answer, opaque to the transport.
     *
     * @param number of the question
     */
    record Waits(int number, byte[] content) implements Control {
        static final Codec<Waits> CODEC =
                new Codec<>(
                        19,
                        "waits",
                        Waits.class,
                        (m, out) -> {
                            out.u32(m.number);
                            out.sized(m.content);
                        },
                        in -> new Waits(in.u32(), in.sized()));

        public Waits {
            content = content.clone();
        }

        @Override
        public Codec<Waits> codec() {
            return CODEC;
        }
    }

    /**
     * Follows the proof of a node that has a link with the listening one already, in place of its
     * join: the link is to go on here.
     *
     * @param node index of the sender, as in its claim
     * @param token of the link, which both ends have derived when it began
     * @param connection number of this connection; the link had all lower ones before
     * @param have number of the next frame that the sender has not received
     * @param address on which the sender listens now
     */
    record Resume(int node, Digest token, int connection, int have, String address)
            implements Control {
        static final Codec<Resume> CODEC =
                new Codec<>(20, "resume", Resume.class, Resume::write, Resume::read);

        private static void write(Resume m, WireWriter out) {
            out.u8(m.node);
            m.token.write(out);
            out.u32(m.connection);
            out.u32(m.have);
            writeText(m.address, out);
        }

        private static Resume read(WireReader in) {
            return new Resume(in.u8(), Digest.read(in), in.u32(), in.u32(), readText(in));
        }

        @Override
        public Codec<Resume> codec() {
            return CODEC;
        }
    }

    /**
     * The answer to an accepted resume. Both sides send what the other lacks.
     *
     * @param have number of the next frame that the sender has not received
     */
    record Resumed(int have) implements Control {
        static final Codec<Resumed> CODEC =
                new Codec<>(
                        21,
                        "resumed",
                        Resumed.class,
                        (m, out) -> out.u32(m.have),
                        in -> new Resumed(in.u32()));

        @Override
        public Codec<Resumed> codec() {
            return CODEC;
        }
    }

    /** Sent by the root: a node listens at another address from now on. */
    record Moved(NodeId node, String address) implements Control {
        static final Codec<Moved> CODEC =
                new Codec<>(
                        22,
                        "moved",
                        Moved.class,
                        (m, out) -> {
                            out.node(m.node);
                            writeText(m.address, out);
                        },
                        in -> new Moved(in.node(), readText(in)));

        @Override
        public Codec<Moved> codec() {
            return CODEC;
        }
    }

    /**
     * Follows the handshake on a link by TCP: which process the sender is, for nodes of its host.
     *
     * @param namespace in which the id means this process; empty if it is unknown
     */
    record Process(String namespace, long id) implements Control {
        static final Codec<Process> CODEC =
                new Codec<>(
                        23,
                        "process",
                        Process.class,
                        (m, out) -> {
                            writeText(m.namespace, out);
                            out.i64(m.id);
                        },
                        in -> new Process(readText(in), in.i64()));

        @Override
        public Codec<Process> codec() {
            return CODEC;
        }
    }

    private static void writeOpening(int protocolVersion, Digest nonce, WireWriter out) {
        out.i64(MAGIC);
        out.u16(protocolVersion);
        nonce.write(out);
    }

    private static int readProtocolVersion(WireReader in) {
        if (in.i64() != MAGIC) {
            throw new MalformedMessageException("not the opening of a Muninn agent");
        }
        return in.u16();
    }

    private static void writeText(String text, WireWriter out) {
        out.sized(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String readText(WireReader in) {
        return new String(in.sized(), StandardCharsets.UTF_8);
    }
}
