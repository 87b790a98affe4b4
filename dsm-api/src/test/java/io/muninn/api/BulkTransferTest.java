package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Elements to and from channels and buffers, over plain memory. */
class BulkTransferTest {
    /** More than one buffer, and no multiple of a buffer or page size. */
    private static final int LENGTH = 40_003;

    private static final int SEED = 7;

    /** Transfers a few bytes at a time, and sometimes none, which channels may do. */
    private static final class Miserly implements ReadableByteChannel, WritableByteChannel {
        private static final int BYTES_MAX = 5_000;

        private final Random random = new Random(SEED);
        private final ReadableByteChannel source;
        private final ByteArrayOutputStream target = new ByteArrayOutputStream();

        Miserly(byte[] bytes) {
            source = Channels.newChannel(new ByteArrayInputStream(bytes));
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            int count = Math.min(random.nextInt(BYTES_MAX), into.remaining());
            int read = count == 0 ? 0 : source.read(into.slice(into.position(), count));
            into.position(into.position() + Math.max(read, 0));
            return read;
        }

        @Override
        public int write(ByteBuffer from) {
            byte[] some = new byte[Math.min(random.nextInt(BYTES_MAX), from.remaining())];
            from.get(some);
            target.writeBytes(some);
            return some.length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static byte[] littleEndian(long... values) {
        ByteBuffer bytes =
                ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(values);
        return bytes.array();
    }

    private static long[] someLongs() {
        return new Random(SEED).longs(LENGTH).toArray();
    }

    private static LongArray filled(long[] values) {
        LongArray view = Bound.named("data", LongArray.of(values.length));
        view.copyFrom(0, values, 0, values.length);
        return view;
    }

    private static long[] all(LongArray view) {
        long[] values = new long[view.length()];
        view.copyTo(0, values, 0, values.length);
        return values;
    }

    @Test
    void channelThatTakesLittle_getsEveryElement() throws IOException {
        long[] values = someLongs();
        Miserly channel = new Miserly(new byte[0]);

        filled(values).writeTo(channel, 3, LENGTH - 7);

        assertArrayEquals(
                littleEndian(Arrays.copyOfRange(values, 3, LENGTH - 4)),
                channel.target.toByteArray());
    }

    @Test
    void channelThatGivesLittle_isReadUntilAllElementsAreThere() throws IOException {
        long[] values = someLongs();
        LongArray view = Bound.named("data", LongArray.of(LENGTH + 9));

        view.readFrom(new Miserly(littleEndian(values)), 4, LENGTH);

        long[] expected = new long[LENGTH + 9];
        System.arraycopy(values, 0, expected, 4, LENGTH);
        assertArrayEquals(expected, all(view));
    }

    @Test
    void channelThatEndsTooSoon_saysHowMuchIsMissingAndStoresWhatItHad() {
        long[] values = someLongs();
        LongArray view = Bound.named("data", LongArray.of(LENGTH));
        byte[] bytes = Arrays.copyOf(littleEndian(values), (LENGTH - 1000) * Long.BYTES);

        String text =
                assertThrows(EOFException.class, () -> view.readFrom(new Miserly(bytes), 0, LENGTH))
                        .getMessage();

        assertEquals(
                "the channel ends 8000 bytes before variable data long["
                        + LENGTH
                        + "] has what it was to read",
                text);
        Arrays.fill(values, LENGTH - 1000, LENGTH, 0);
        assertArrayEquals(values, all(view));
    }

    @Test
    void file_isWrittenAndReadAtPositionsWithoutMovingTheChannel(@TempDir Path folder)
            throws IOException {
        long[] values = someLongs();
        Path path = folder.resolve("elements");
        LongArray back = Bound.named("back", LongArray.of(LENGTH));
        try (FileChannel file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            filled(values).writeTo(file, 100, 0, LENGTH);
            assertEquals(0, file.position());
            back.readFrom(file, 100 + 5 * Long.BYTES, 0, LENGTH - 5);
            assertEquals(0, file.position());
            assertThrows(IllegalArgumentException.class, () -> back.readFrom(file, -1, 0, 1));
            assertThrows(IllegalArgumentException.class, () -> back.writeTo(file, -1, 0, 1));
        }

        long[] shifted = Arrays.copyOf(Arrays.copyOfRange(values, 5, LENGTH), LENGTH);
        assertArrayEquals(shifted, all(back));
        byte[] written = Files.readAllBytes(path);
        assertEquals(100 + LENGTH * Long.BYTES, written.length);
        assertArrayEquals(littleEndian(values), Arrays.copyOfRange(written, 100, written.length));
    }

    @Test
    void buffers_areFilledAndEmptiedFromTheirPositionInTheMachinesOrder() {
        long[] values = someLongs();
        LongArray view = filled(values);
        for (ByteBuffer buffer :
                new ByteBuffer[] {
                    ByteBuffer.allocate(LENGTH * Long.BYTES),
                    ByteBuffer.allocateDirect(LENGTH * Long.BYTES)
                }) {
            LongArray back = Bound.named("back", LongArray.of(LENGTH));
            buffer.position(16);
            view.writeTo(buffer, 7, 1000);
            assertEquals(16 + 8000, buffer.position());
            assertEquals(values[7], buffer.order(ByteOrder.LITTLE_ENDIAN).getLong(16));
            buffer.flip().position(24);
            back.readFrom(buffer, 50, 999);
            assertEquals(0, buffer.remaining());

            long[] expected = new long[LENGTH];
            System.arraycopy(values, 8, expected, 50, 999);
            assertArrayEquals(expected, all(back));
        }
    }

    @Test
    void bufferWithoutRoomOrContent_isRefusedAndNothingMoves() {
        LongArray view = filled(someLongs());
        long[] before = all(view);
        ByteBuffer small = ByteBuffer.allocate(79);

        assertThrows(BufferOverflowException.class, () -> view.writeTo(small, 0, 10));
        assertThrows(BufferUnderflowException.class, () -> view.readFrom(small, 0, 10));
        assertThrows(
                ReadOnlyBufferException.class,
                () -> view.writeTo(ByteBuffer.allocate(80).asReadOnlyBuffer(), 0, 10));

        assertEquals(0, small.position());
        assertArrayEquals(before, all(view));
    }

    @Test
    void everyView_countsItsOwnElements() throws IOException {
        StructLayout body =
                MemoryLayout.structLayout(
                        ValueLayout.JAVA_LONG.withName("a"),
                        ValueLayout.JAVA_INT.withName("b"),
                        MemoryLayout.paddingLayout(4));
        StructArray structs = Bound.named("structs", StructArray.of(body, 10));
        DoubleMatrix grid = Bound.named("grid", DoubleMatrix.of(3, 4));
        structs.setInt(9, 8, 77);
        grid.set(2, 3, 1.5);
        for (SharedVariable view :
                new SharedVariable[] {
                    structs,
                    grid,
                    Bound.named("bytes", ByteArray.of(10)),
                    Bound.named("shorts", ShortArray.of(10)),
                    Bound.named("ints", IntArray.of(10)),
                    Bound.named("floats", FloatArray.of(10)),
                    Bound.named("doubles", DoubleArray.of(10)),
                    Bound.named("cube", DoubleCube.of(1, 2, 5)),
                    LongArray.local(10)
                }) {
            int length = view == grid ? 12 : 10;
            ByteBuffer buffer = ByteBuffer.allocate(1000);
            view.writeTo(buffer, 0, length);
            assertEquals(length * view.elementBytes(), buffer.position(), view::toString);
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> view.writeTo(buffer, 1, length),
                    view::toString);
            view.readFrom(buffer.flip(), 0, length);
        }
        ByteBuffer last = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        structs.writeTo(last, 9, 1);
        assertEquals(77, last.getInt(8));
        grid.writeTo(last.clear(), 11, 1);
        assertEquals(1.5, last.getDouble(0));
    }

    @Test
    void badRanges_areRefusedInWords() {
        LongArray view = filled(someLongs());
        ByteBuffer buffer = ByteBuffer.allocate(1000);
        Miserly channel = new Miserly(new byte[0]);
        long[][] ranges = {{-1, 1}, {0, -1}, {LENGTH, 1}, {1, Long.MAX_VALUE}, {Long.MIN_VALUE, 1}};

        for (long[] range : ranges) {
            String expected =
                    range[1]
                            + " elements from "
                            + range[0]
                            + " on of variable data, whose length is "
                            + LENGTH;
            assertEquals(
                    expected,
                    assertThrows(
                                    IndexOutOfBoundsException.class,
                                    () -> view.writeTo(channel, range[0], range[1]))
                            .getMessage());
            assertEquals(
                    expected,
                    assertThrows(
                                    IndexOutOfBoundsException.class,
                                    () -> view.readFrom(buffer, range[0], range[1]))
                            .getMessage());
        }
        view.writeTo(buffer, LENGTH, 0);
        assertEquals(0, buffer.position());
    }

    @Test
    void sealedAndUnboundVariables_areRefusedByName() throws IOException {
        LongArray sealed = Bound.sealed("constants", LongArray.of(3));
        ByteBuffer buffer = ByteBuffer.allocate(24);

        assertTrue(
                assertThrows(IllegalStateException.class, () -> sealed.readFrom(buffer, 0, 3))
                        .getMessage()
                        .startsWith("store to variable constants, which is READ_ONLY"));
        assertThrows(IllegalStateException.class, () -> LongArray.of(3).writeTo(buffer, 0, 3));
        sealed.writeTo(buffer, 0, 3);
        assertEquals(24, buffer.position());
    }

    @Test
    void channelThatDoesNotBlock_isRefused() throws IOException {
        LongArray view = LongArray.local(3);
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel sink = pipe.sink();
                Pipe.SourceChannel source = pipe.source()) {
            view.set(1, 5);
            view.writeTo(sink, 0, 3);
            view.readFrom(source, 0, 2);
            assertEquals(5, view.get(1));
            sink.configureBlocking(false);
            source.configureBlocking(false);
            assertThrows(IllegalBlockingModeException.class, () -> view.writeTo(sink, 0, 3));
            assertThrows(IllegalBlockingModeException.class, () -> view.readFrom(source, 0, 3));
        }
    }

    @Test
    void rangeWhoseEndIsNoInt_isRefusedWithItsEnd() {
        LongArray view = Bound.named("data", LongArray.of(10));
        long[] values = new long[4];

        for (Executable copy :
                List.<Executable>of(
                        () -> view.copyTo(5, values, 0, Integer.MAX_VALUE),
                        () -> view.copyFrom(5, values, 0, Integer.MAX_VALUE))) {
            String text = assertThrows(IndexOutOfBoundsException.class, copy).getMessage();
            assertTrue(text.startsWith("elements 5 to 2147483652 of variable "), text);
        }
    }
}
