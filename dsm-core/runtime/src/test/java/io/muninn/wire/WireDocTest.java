package io.muninn.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Reduction;
import io.muninn.directory.Copyset;
import io.muninn.kernel.NodeKernel;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.Contributions;
import io.muninn.sync.SyncMessage;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.stream.TransportBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Writes {@code docs/WIRE.md} from the codecs and compares. With {@code -Drewrite=true} it rewrites
 * the file instead; the change is then read in review.
 */
class WireDocTest {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "WIRE.md");

    private static final MemorySegment PAYLOAD = MemorySegment.ofArray(new byte[] {1, 2, 3});
    private static final PageId PAGE = new PageId(2, 7);

    @Test
    void document_isWhatTheCodecsWrite() throws IOException {
        String expected = document();
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(DOCUMENT, expected);
        }

        String found = Files.exists(DOCUMENT) ? Files.readString(DOCUMENT) : "";

        assertEquals(expected, found, "docs/WIRE.md is stale; run this test with -Drewrite=true");
    }

    private static String document() {
        return String.join(
                "\n", head(), frames(), types(), kernelMessages(), controlMessages(), notHere());
    }

    private static String head() {
        return """
        # What agents say to each other

        The layout of every message between agents. Written by `WireDocTest` from the codecs; do not
        edit. After a change of a codec:

            mvn -q -pl dsm-core/runtime -am test -Dtest=WireDocTest -Drewrite=true \\
                -Dsurefire.failIfNoSpecifiedTests=false

        Each pair of nodes of different agents has one stream connection
        (`io.muninn.transport.Cluster`), a socket. All numbers are little-endian, nothing is aligned
        or padded. The fields of a message are its record's components, in their order. A message
        that its codec does not read to its last byte is malformed, and its sender is lost.
        """;
    }

    private static String frames() {
        return """
        ## Frames

             0             4
            +-------------+------
            | length  u32 | body       a frame of the handshake, up to the proof of its sender
            +-------------+------
             0             4             8             12            16             20
            +-------------+-------------+-------------+-------------+--------------+------
            | length  u32 | number  u32 | have    u32 | check   u32 | checksum u32 | body    all later
            +-------------+-------------+-------------+-------------+--------------+------   frames

             0         1
            +---------+------------
            | code u8 | fields         the body of a message of the kernel
            +---------+------------
             0         1         2
            +---------+---------+------------
            | 0    u8 | code u8 | fields       the body of a control message of the transport
            +---------+---------+------------

        `length` counts the body: at least 1, at most %d, and at most %d until the sender has shown
        the cluster secret. `number` counts the frames of one direction from 0: a gap or a
        repetition ends the connection. `check` is over the three numbers before it (`FrameHeaders`),
        `checksum` is the CRC-32C of the body, 0 with `--checksums off`. A frame with another
        checksum ends the connection before anything of it is used. Code 0 is no message's, so it
        marks control frames.

        By TCP, all frames of the other direction before number `have` have arrived; by a Unix
        socket it is 0. The numbers go on when a link has another connection, on which both sides
        say which frame they lack (`resume`, `resumed`): frames from there on are sent again, with
        the bytes that they had. In the handshake of such a connection they count from 0, as
        always. A numbered frame without a body has the number of the next frame; it acknowledges,
        and shows that its sender runs.

        The examples are bodies behind their length; so are all counts of bytes that a run reports.

        | example | bytes |
        | --- | --- |
        | `heartbeat` | `%s` |
        | `fetch-request` for page 7 of region 2, asked by node 1 | `%s` |
        | `lock-request` for lock `a` by node 1, no cargo | `%s` |
        """
                .formatted(
                        ClusterConfig.FRAME_BYTES_MAX,
                        TransportBytes.STRANGER_FRAME_BYTES_MAX,
                        TransportBytes.heartbeatFrame(),
                        TransportBytes.frame(fetchRequest()),
                        TransportBytes.frame(
                                new SyncMessage.LockRequest(
                                        new LockId("a"), NodeId.of(1), Cargo.NONE)));
    }

    private static WireMessage fetchRequest() {
        ByteWriter fields = new ByteWriter(_ -> PAYLOAD);
        fields.page(PAGE);
        fields.node(NodeId.of(1));
        fields.u32(0);
        return codecNamed("fetch-request").decoder().apply(new ByteReader(fields.toArray()));
    }

    private static Codec<?> codecNamed(String name) {
        return NodeKernel.codecs().stream()
                .filter(codec -> codec.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String types() {
        StringBuilder table =
                new StringBuilder(
                        """
                        ## Types of fields

                        | type | layout | example | bytes |
                        | --- | --- | --- | --- |
                        """);
        row(table, "u8, u16, u32, i64", "1, 2, 4, 8 bytes", "u32 258", to -> to.u32(258));
        row(
                table,
                "varint",
                "seven bits a byte, lowest first, bit 7 set if another follows",
                "300",
                to -> to.varint(300));
        row(table, "flag", "u8, 0 or 1", "true", to -> to.flag(true));
        row(table, "node", "u8, its index", "node 1", to -> to.node(NodeId.of(1)));
        row(table, "page", "region u16, index u32", "page 7 of region 2", to -> to.page(PAGE));
        row(
                table,
                "copyset",
                "i64, bit i for node i",
                "nodes 0 and 3",
                to -> to.i64(Copyset.of(NodeId.ROOT).with(NodeId.of(3)).bits()));
        row(table, "text", "length u16, UTF-8", "grid", to -> to.text("grid"));
        row(
                table,
                "long text, bytes",
                "length u32, UTF-8 or bytes",
                "5, 6",
                to -> to.sized(new byte[] {5, 6}));
        row(table, "digest", "32 bytes", "", _ -> {});
        row(table, "payload, none", "kind u8 = 0", "", to -> to.payload(Payload.NONE));
        row(
                table,
                "payload, a page of zeros",
                "kind u8 = 1",
                "",
                to -> to.payload(new Payload.Received(MemorySegment.NULL, true)));
        row(
                table,
                "payload, bytes",
                "kind u8 = 2, length u32 (1 or more), bytes",
                "1, 2, 3",
                to -> to.payload(new Payload.PageImage(PAGE)));
        row(
                table,
                "payload, bytes with their CRC-32C, of other agents",
                "kind u8 = 3, length u32, checksum u32, bytes",
                "1, 2, 3",
                to -> TransportBytes.checked(to).payload(new Payload.PageImage(PAGE)));
        row(
                table,
                "cargo",
                "count u8, then each: protocol code u8, or 252 for the two processes of a letter, or 254 for a timestamp, or 255 for"
                        + " contributions or a result, bytes",
                "9 for protocol 4",
                to -> Cargo.NONE.with(4, new Bytes(new byte[] {9})).encode(to));
        row(
                table,
                "timestamp",
                "nodes u8, then a varint for each",
                "interval 300 of node 1, of 2 nodes",
                to -> VectorTimestamp.zero(2).with(NodeId.of(1), 300).encode(to));
        row(
                table,
                "contributions, on an arrival",
                "count u32, then each: thread u32, or -1 for all of the node together; bytes of a"
                        + " contribution",
                "one of thread 1",
                to -> to.bytes(contributions().array()));
        row(
                table,
                "contribution",
                "operator u8, 0 for a program's; element u8; flags u8, 1 for an array, 2 for a"
                        + " reproducible one; name text; elements",
                "int 5 to a sum",
                to -> to.bytes(contribution().array()));
        row(
                table,
                "result, on a departure",
                "count u32, then each: bytes of a value; one, or all contributions of a program's"
                        + " operator",
                "9",
                to -> {
                    to.u32(1);
                    to.sized(new byte[] {9});
                });
        table.append(
                """

                `u16 × (…)` is a count and so many of what stands in the parentheses. A payload is a page's
                image, of the length of its region's pages, or a diff: runs as `FaultEngine.diff` draws them.
                """);
        return table.toString();
    }

    private static Bytes contribution() {
        return new Bytes(Reduction.ofInt(Reduction.Operator.SUM).encode(5, 1));
    }

    private static Bytes contributions() {
        TreeMap<Integer, Bytes> threads = new TreeMap<>();
        threads.put(1, contribution());
        return Contributions.ofArrival(threads, false);
    }

    private static void row(
            StringBuilder table,
            String type,
            String layout,
            String example,
            Consumer<WireWriter> write) {
        String bytes = TransportBytes.bytes(PAYLOAD, write);
        table.append("| ").append(type).append(" | ").append(layout).append(" | ").append(example);
        table.append(" | ").append(bytes.isEmpty() ? "" : "`" + bytes + "`").append(" |\n");
    }

    private static String kernelMessages() {
        StringBuilder text = new StringBuilder("## Messages of the kernel\n");
        Map<Class<?>, List<Codec<?>>> byOwner = new LinkedHashMap<>();
        for (Codec<?> codec : NodeKernel.codecs()) {
            byOwner.computeIfAbsent(codec.type().getDeclaringClass(), _ -> new ArrayList<>())
                    .add(codec);
        }
        byOwner.forEach((owner, codecs) -> {
            text.append("\n### `").append(owner.getSimpleName()).append("`\n\n");
            text.append(table(codecs));
        });
        return text.toString();
    }

    private static String controlMessages() {
        return """
        ## Control messages

        Handshake, membership, heartbeats and ends; `Control` says what each is for, and
        `AcceptingHandshake` draws the handshake. `hello` and `challenge` never change their layout.
        The digest of a proof is an HMAC-SHA256 over: `muninn accepted` or `muninn dialled` in ASCII, by
        the side that proves; the nonce of the dialling side and that of the listening side, each as
        four 64-bit words, big-endian; the two bytes of the claim. The listening side proves first.

        By a Unix socket, the key of the HMAC is the secret, and nonces are random. By TCP, nonces are
        the shares of CPace (draft-irtf-cfrg-cpace, CPACE-X25519-SHA512) and the key is its result:
        PRS is the secret, CI the two bytes of the claim, sid the 32 bytes that the TLS session
        exports for the label `EXPORTER-muninn-agents` (none without TLS); the dialling side is the
        initiator, and there is no associated data. Between hosts TLS 1.3 begins before `hello`.

        The token of a link by TCP, which `resume` shows, is the digest of its first handshake for
        `muninn link` in place of the side that proves.

        """
                + table(TransportBytes.controlCodecs());
    }

    private static String table(List<Codec<?>> codecs) {
        StringBuilder table = new StringBuilder("| code | message | record | fields |\n");
        table.append("| --- | --- | --- | --- |\n");
        for (Codec<?> codec : codecs) {
            table.append(
                    "| 0x%02X | %s | `%s` | %s |\n"
                            .formatted(
                                    codec.code(),
                                    codec.name(),
                                    codec.type().getSimpleName(),
                                    MessageLayout.of(codec)));
        }
        return table.toString();
    }

    private static String notHere() {
        return """
        ## Not on this wire

        An application talks to its own agent only, inside one node: calls and answers are listed in
        `io.muninn.ipc.Call` and `Answer`, commands of the fault engine in `dsm_fault.h`. Both are
        internal to a version and no contract.
        """;
    }
}
