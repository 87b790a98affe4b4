package io.muninn.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.ForeignBytes;
import io.muninn.kernel.NodeKernel;
import io.muninn.model.PageId;
import io.muninn.wire.Codec;
import io.muninn.wire.Codecs;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Frames of other agents, with bytes that no agent sends: they are read or malformed. */
class ForeignFramesTest {
    private static final int NODES = 4;
    private static final int FRAME_BYTES_MAX = 1 << 20;

    private static final Codecs MESSAGES = new Codecs(NodeKernel.codecs());

    @Test
    void messages_areReadOrMalformed() {
        feedMessages(ForeignBytes.FEW);
    }

    @Test
    @Tag("slow")
    void aMillionMessages_areReadOrMalformed() {
        feedMessages(ForeignBytes.MANY);
    }

    /** Control frames are read before the secret is proved, and after. */
    @Test
    void controlFrames_areReadOrMalformed() {
        feedControl(ForeignBytes.FEW);
    }

    @Test
    @Tag("slow")
    void aMillionControlFrames_areReadOrMalformed() {
        feedControl(ForeignBytes.MANY);
    }

    private static void feedMessages(int inputs) {
        ForeignBytes.feed(
                inputs,
                random -> valid(NodeKernel.codecs(), false, random),
                MalformedMessageException.class,
                bytes -> MESSAGES.decode(reader(bytes)));
    }

    private static void feedControl(int inputs) {
        ForeignBytes.feed(
                inputs,
                random -> valid(AnyControl.CODECS, true, random),
                MalformedMessageException.class,
                bytes -> Control.decode(reader(bytes)));
    }

    /** Regions of three pages, as many as there are nodes. */
    private static ByteBufReader reader(byte[] bytes) {
        return new ByteBufReader(Unpooled.wrappedBuffer(bytes))
                .within(NODES, page -> page.region() < NODES && page.index() < 3);
    }

    private static byte[] valid(List<Codec<?>> codecs, boolean isControl, SplittableRandom random) {
        WireMessage message =
                AnyControl.message(codecs.get(random.nextInt(codecs.size())), NODES, random);
        ByteBuf target = Unpooled.buffer();
        ByteBufWriter writer = new ByteBufWriter(_ -> MemorySegment.NULL);
        writer.wrap(target, FRAME_BYTES_MAX);
        if (isControl) {
            writer.u8(Control.MARK);
        }
        Codecs.encode(message, writer);
        byte[] bytes = new byte[target.readableBytes()];
        target.readBytes(bytes);
        return bytes;
    }

    @Test
    void nodesAndPagesThatDoNotExist_areMalformed() {
        byte[] nodes = {3, 4};
        ByteBufReader node = reader(nodes);
        assertEquals(3, node.node().index());
        assertThrows(MalformedMessageException.class, node::node);

        ByteBufReader bits = reader(new byte[] {15, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0});
        assertEquals(15, bits.nodeBits(0));
        assertThrows(MalformedMessageException.class, () -> bits.nodeBits(0));

        ByteBufReader page = reader(new byte[] {1, 0, 2, 0, 0, 0, 1, 0, 3, 0, 0, 0});
        assertEquals(new PageId(1, 2), page.page());
        assertThrows(MalformedMessageException.class, page::page);
    }
}
