package io.muninn.transport.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.wire.Codecs;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Payload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameBytesTest {
    private final ByteBuf buffer = Unpooled.directBuffer();
    private final ByteBufWriter writer = new ByteBufWriter(_ -> MemorySegment.NULL);
    private final ByteBufReader reader = new ByteBufReader(buffer);

    FrameBytesTest() {
        writer.wrap(buffer, 1_000);
    }

    @AfterEach
    void release() {
        buffer.release();
    }

    @Test
    void values_areLittleEndianAndComeBack() {
        writer.u8(0xFE);
        writer.u16(0xFEDC);
        writer.u32(0xFEDC_BA98);
        writer.i64(0x0123_4567_89AB_CDEFL);
        writer.text("Muninn æ");
        writer.node(NodeId.of(63));
        writer.page(new PageId(2, 1 << 30));

        assertEquals(0xDC, buffer.getUnsignedByte(1));
        assertEquals(0xEF, buffer.getUnsignedByte(7));
        assertEquals(0xFE, reader.u8());
        assertEquals(0xFEDC, reader.u16());
        assertEquals(0xFEDC_BA98, reader.u32());
        assertEquals(0x0123_4567_89AB_CDEFL, reader.i64());
        assertEquals("Muninn æ", reader.text());
        assertEquals(NodeId.of(63), reader.node());
        assertEquals(new PageId(2, 1 << 30), reader.page());
        assertEquals(0, reader.remaining());
    }

    @Test
    void payloads_takeOneByteWhenEmptyOrZero() {
        writer.payload(Payload.NONE);
        writer.payload(new Payload.PageImage(new PageId(0, 0))); // zeros in the source
        writer.payload(new Payload.Received(MemorySegment.NULL, true));
        assertEquals(3, reader.remaining());

        assertEquals(Payload.NONE, reader.payload());
        assertTrue(((Payload.Received) reader.payload()).zero());
        assertTrue(((Payload.Received) reader.payload()).zero());
    }

    @Test
    void payloadBytes_areAViewAndNotACopy() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[] {5, 6, 7});
        writer.u8(1); // so that the view does not start at the buffer's start
        writer.payload(new Payload.Received(bytes, false));
        reader.u8();

        Payload.Received received = (Payload.Received) reader.payload();

        assertFalse(received.zero());
        assertArrayEquals(new byte[] {5, 6, 7}, received.bytes().toArray(ValueLayout.JAVA_BYTE));
        assertTrue(received.bytes().isReadOnly());
        buffer.setByte(6, 55);
        assertEquals(55, received.bytes().get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(0, reader.remaining());
    }

    @Test
    void bytesThatNobodyWrote_areMalformed() {
        assertMalformed("1 bytes wanted, 0 left");
        assertMalformed("payload kind is 4", 4);
        assertMalformed("payload of 0 bytes", 2, 0, 0, 0, 0);
        assertMalformed("4 bytes wanted, 1 left", 3, 2, 0, 0, 0, 9);
        assertMalformed("2 bytes wanted, 1 left", 2, 2, 0, 0, 0, 9);
        assertMalformed("length is 4294967295", 2, 0xFF, 0xFF, 0xFF, 0xFF);
    }

    private void assertMalformed(String text, int... bytes) {
        buffer.clear();
        for (int value : bytes) {
            buffer.writeByte(value);
        }
        MalformedMessageException malformed =
                assertThrows(MalformedMessageException.class, reader::payload);
        assertEquals(text, malformed.getMessage());
    }

    @Test
    void valuesOutOfRange_areRefusedBeforeTheyTravel() {
        assertThrows(IllegalArgumentException.class, () -> writer.u8(256));
        assertThrows(IllegalArgumentException.class, () -> writer.u8(-1));
        assertThrows(IllegalArgumentException.class, () -> writer.u16(65_536));
        assertThrows(IllegalArgumentException.class, () -> writer.bytes(new byte[1_001]));
        assertEquals(0, reader.remaining());
    }

    @Test
    void everyControlMessage_comesBackEqual() {
        Digest digest = new Digest(1, 2, 3, 4);
        List<Control> controls =
                List.of(
                        new Control.Hello(1, digest),
                        new Control.Challenge(1, digest),
                        new Control.Proof(digest),
                        new Control.Join(3, 4, 0, 5_000, -7, "1.0", "unix:@x", "grid"),
                        new Control.Welcome(NodeId.of(2)),
                        new Control.Refused("no"),
                        new Control.Roster(
                                7,
                                List.of(
                                        new Control.Roster.Place("", 0),
                                        new Control.Roster.Place("a:1", 1))),
                        new Control.Ready(7),
                        new Control.Start(),
                        new Control.Heartbeat(),
                        new Control.Leave("bye"),
                        new Control.Finished(255, "x".repeat(500)),
                        new Control.Lost(NodeId.of(1), "gone"),
                        new Control.Claim(255, 0));
        for (Control control : controls) {
            buffer.clear();
            writer.wrap(buffer, 1_000);
            writer.u8(Control.MARK);
            Codecs.encode(control, writer);

            assertEquals(control, Control.decode(reader));
        }
    }
}
