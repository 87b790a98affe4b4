package io.muninn.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VarintTest {
    private static byte[] written(long value) {
        ByteWriter writer = new ByteWriter(payload -> MemorySegment.NULL);
        writer.varint(value);
        return writer.toArray();
    }

    private static long read(long max, int... bytes) {
        byte[] frame = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            frame[i] = (byte) bytes[i];
        }
        return new ByteReader(frame).varint(max);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "127, 1",
        "128, 2",
        "16383, 2",
        "16384, 3",
        "2147483647, 5",
        "9223372036854775807, 9"
    })
    void value_takesAsFewBytesAsItCanAndComesBack(long value, int length) {
        byte[] frame = written(value);

        assertEquals(length, frame.length);
        assertEquals(value, new ByteReader(frame).varint(value));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void negativeValue_isNotWritten(long value) {
        assertThrows(IllegalArgumentException.class, () -> written(value));
    }

    @Test
    void whatNoWriterWrites_isMalformed() {
        assertThrows(MalformedMessageException.class, () -> read(299, 0xAC, 0x02)); // 300
        assertThrows(MalformedMessageException.class, () -> read(9, 0x80, 0x00)); // 0, too long
        assertThrows(MalformedMessageException.class, () -> read(9, 0x80)); // cut short
        assertThrows(
                MalformedMessageException.class,
                () ->
                        read(
                                Long.MAX_VALUE,
                                0x80,
                                0x80,
                                0x80,
                                0x80,
                                0x80,
                                0x80,
                                0x80,
                                0x80,
                                0x80,
                                0x01));
    }
}
