package io.muninn.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.PageId;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.wire.Codec;
import io.muninn.wire.Codecs;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A network between two connections loses, repeats, reorders and alters frames. */
class NumberedFramesTest {
    private static final int PAGE_BYTES = 4_096;

    /** A message about a page. */
    private record Image(PageId page, Payload image) implements WireMessage {
        static final Codec<Image> CODEC =
                new Codec<>(
                        1,
                        "image",
                        Image.class,
                        (m, out) -> {
                            out.page(m.page);
                            out.payload(m.image);
                        },
                        in -> new Image(in.page(), in.payload()));

        @Override
        public Codec<Image> codec() {
            return CODEC;
        }
    }

    private static final Codecs CODECS = new Codecs(List.of(Image.CODEC));

    private final MemorySegment memory = MemorySegment.ofArray(new byte[PAGE_BYTES]);
    private final AgentEventLoop loop = new AgentEventLoop(NumberedFramesTest::fail);
    private final Connection sender = connection();
    private final Connection receiver = connection();
    private final EmbeddedChannel from = new EmbeddedChannel(sender);
    private final EmbeddedChannel to = new EmbeddedChannel(receiver);
    private final List<PageId> arrived = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();

    private Connection connection() {
        Connection connection =
                new Connection(loop, new ByteBufWriter(_ -> memory), new TransportCounters());
        connection.frameBytesMax(2 * PAGE_BYTES);
        return connection;
    }

    private static void fail(Throwable cause) {
        throw new AssertionError(cause);
    }

    @BeforeEach
    void proveAndFillPage() {
        new Random(3).nextBytes((byte[]) memory.heapBase().orElseThrow());
        receiver.receiver(
                new Link.Receiver() {
                    @Override
                    public void onFrame(ByteBufReader frame) {
                        if (!frame.startsControl()) {
                            arrived.add(((Image) CODECS.decode(frame)).page());
                        }
                    }

                    @Override
                    public String about(ByteBufReader frame) {
                        try {
                            CODECS.decode(frame);
                        } catch (MalformedMessageException malformed) {
                            return " (" + malformed.getMessage() + ")";
                        }
                        return frame.wrongPage().map(page -> " of page " + page).orElse("");
                    }

                    @Override
                    public void onEnd(String reason) {
                        ends.add(reason);
                    }
                });
        sender.writeControl(new Control.Proof(new Digest(1, 2, 3, 4)));
        sender.flush();
        to.writeInbound(from.<ByteBuf>readOutbound());
    }

    @AfterEach
    void close() {
        from.finishAndReleaseAll();
        to.finishAndReleaseAll();
        loop.close();
    }

    private ByteBuf frame(int index) {
        sender.write(new Image(page(index), new Payload.PageImage(page(index))));
        sender.flush();
        return from.readOutbound();
    }

    private static PageId page(int index) {
        return new PageId(0, index);
    }

    private void assertEnded(String reason, int arrivedBefore) {
        assertEquals(List.of(reason), ends);
        assertFalse(receiver.isOpen());
        assertEquals(arrivedBefore, arrived.size());
    }

    @Test
    void framesInOrder_arrive() {
        for (int i = 0; i < 3; i++) {
            to.writeInbound(frame(i));
        }

        assertEquals(List.of(page(0), page(1), page(2)), arrived);
        assertTrue(ends.isEmpty());
    }

    @Test
    void missingFrame_endsTheConnectionAndIsNamed() {
        to.writeInbound(frame(0));
        frame(1).release();
        to.writeInbound(frame(2));

        assertEnded("left out frame 1", 1);
    }

    @Test
    void missingFrames_areNamed() {
        for (int i = 0; i < 5; i++) {
            frame(i).release();
        }
        to.writeInbound(frame(5));

        assertEnded("left out frames 0 to 4", 0);
    }

    @Test
    void repeatedFrame_endsTheConnectionAndIsNamed() {
        ByteBuf first = frame(0);
        ByteBuf again = first.copy();
        to.writeInbound(first);
        to.writeInbound(frame(1));
        to.writeInbound(again);

        assertEnded("repeated frame 0 where 2 was due", 2);
    }

    @Test
    void framesInAnotherOrder_endTheConnection() {
        ByteBuf first = frame(0);
        to.writeInbound(frame(1));
        first.release();

        assertEnded("left out frame 0", 0);
    }

    @Test
    void wrongByteOfAPage_isFoundBeforeItIsAppliedAndNamesThePage() {
        to.writeInbound(frame(6));
        ByteBuf next = frame(7);
        int last = next.writerIndex() - 1;
        next.setByte(last, next.getByte(last) ^ 4);
        to.writeInbound(next);

        assertEnded("sent wrong bytes of page 0/7 in frame 1", 1);
    }

    /** Whichever bit is wrong, nothing is delivered, and nobody waits for what never arrives. */
    @Test
    void anyWrongBit_endsTheConnection() {
        for (int bit = 0; bit < 40 * Byte.SIZE; bit++) {
            try (NumberedFrames other = new NumberedFrames()) {
                ByteBuf frame = other.test.frame(7);
                int at = bit / Byte.SIZE;
                frame.setByte(at, frame.getByte(at) ^ 1 << bit % Byte.SIZE);
                other.test.to.writeInbound(frame);

                assertEquals(List.of(), other.test.arrived);
                assertEquals(1, other.test.ends.size(), "bit " + bit);
                assertTrue(other.test.ends.getFirst().startsWith("sent wrong bytes"));
            }
        }
    }

    /** A fresh pair of connections. */
    private static final class NumberedFrames implements AutoCloseable {
        final NumberedFramesTest test = new NumberedFramesTest();

        NumberedFrames() {
            test.proveAndFillPage();
        }

        @Override
        public void close() {
            test.close();
        }
    }

    @Test
    void withoutChecksums_onlyNumbersAreChecked() {
        sender.checksums(false);
        receiver.checksums(false);
        ByteBuf first = frame(0);
        int last = first.writerIndex() - 1;
        first.setByte(last, first.getByte(last) ^ 4);
        to.writeInbound(first);
        assertEquals(List.of(page(0)), arrived);

        frame(1).release();
        to.writeInbound(frame(2));
        assertEnded("left out frame 1", 1);
    }

    /** What is counted is comparable with the simulator, which has no checksums. */
    @Test
    void countedBytes_areTheSameWithAndWithoutChecksums() {
        Image message = new Image(page(0), new Payload.PageImage(page(0)));
        int with = sender.write(message);
        sender.checksums(false);

        assertEquals(sender.write(message), with);
        assertEquals(4 + 1 + 6 + 5 + PAGE_BYTES, with);
    }
}
