package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends, in one process: the second has its own mapping, and copies of the descriptors. */
class RingEndTest {
    private final RingEnd one = RingEnd.create();
    private final RingEnd other = RingEnd.adopt(duplicates(one.descriptors()));

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private static int[] duplicates(int[] descriptors) {
        int[] copies = new int[descriptors.length];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = Descriptors.duplicate(descriptors[i]);
        }
        return copies;
    }

    /** How often an end has been told; nobody reads it. */
    private static long told(RingEnd end) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/fdinfo/" + end.fd())).stream()
                .filter(line -> line.startsWith("eventfd-count:"))
                .mapToLong(line -> Long.parseLong(line.substring(14).strip(), 16))
                .findFirst()
                .orElseThrow();
    }

    private static void write(RingEnd end, int from, int bytes) {
        MemorySegment at = end.outgoing().asSlice(end.roomAt(), bytes);
        for (int i = 0; i < bytes; i++) {
            at.set(JAVA_BYTE, i, value(from + i));
        }
        end.wrote(bytes);
    }

    private static void read(RingEnd end, int from, int bytes) {
        MemorySegment at = end.incoming().asSlice(end.unreadAt(), bytes);
        for (int i = 0; i < bytes; i++) {
            assertEquals(value(from + i), at.get(JAVA_BYTE, i));
        }
        end.read(bytes);
    }

    private static byte value(int position) {
        return (byte) (position * 31 + (position >> 8));
    }

    /** Both ways at once, in pieces of any size, often round the rings. */
    @Test
    void bytes_comeInOrderThroughRingsThatWrapAround() {
        Random random = new Random(7);
        RingEnd[] ends = {one, other};
        int[] written = new int[2];
        int[] read = new int[2];
        while (Math.min(read[0], read[1]) < 6 * RingEnd.BYTES) {
            int writer = random.nextInt(2);
            int room = ends[writer].room();
            assertEquals(RingEnd.BYTES - (written[writer] - read[writer]), room);
            int bytes = random.nextInt(Math.min(room, RingEnd.BYTES / 3) + 1);
            write(ends[writer], written[writer], bytes);
            written[writer] += bytes;

            int ring = random.nextInt(2);
            RingEnd reader = ends[1 - ring];
            assertEquals(written[ring] - read[ring], reader.unread());
            bytes = random.nextInt(reader.unread() + 1);
            read(reader, read[ring], bytes);
            read[ring] += bytes;
        }
    }

    @Test
    void reader_isToldOnceOfWhatComesWhileItWaits() throws IOException {
        write(one, 0, 10); // it waits from the beginning
        assertEquals(1, told(other));
        write(one, 10, 10); // it is on its way
        assertEquals(1, told(other));

        read(other, 0, 20);
        write(one, 20, 5);
        assertEquals(1, told(other));
        assertFalse(other.waitsForMore(0)); // it looks again
        read(other, 20, 5);
        assertTrue(other.waitsForMore(0));
        write(one, 25, 5);
        assertEquals(2, told(other));
        assertEquals(0, told(one));
    }

    @Test
    void readerWithHalfAFrame_isToldOfTheRest() throws IOException {
        write(one, 0, 10);
        read(other, 0, 4);
        assertTrue(other.waitsForMore(6));
        write(one, 10, 1);
        assertEquals(2, told(other));
        assertFalse(other.waitsForMore(6));
    }

    @Test
    void writerOfAFullRing_isToldOfRoom() throws IOException {
        write(one, 0, RingEnd.BYTES);
        assertEquals(0, one.room());
        assertTrue(one.waitsForRoom());
        assertEquals(0, told(one));
        read(other, 0, 1);
        assertEquals(1, told(one));
        assertEquals(1, one.room());
        assertFalse(one.waitsForRoom());
        read(other, 1, 1); // it does not wait, but has said that it might
        read(other, 2, 1);
        assertEquals(2, told(one));
    }

    @Test
    void positionsThatNoAgentWrites_areRefused() {
        MemorySegment header = header(one);
        header.set(JAVA_INT, 0, RingEnd.BYTES + 1); // ring 0: tail
        BrokenRingException past = assertThrows(BrokenRingException.class, () -> other.unread());
        assertEquals("1048577 bytes are unread in a ring of 1048576", past.getMessage());
        header.set(JAVA_INT, 0, -1);
        assertThrows(BrokenRingException.class, () -> other.unread());
        header.set(JAVA_INT, FaultLibrary.RING_HEAD, 1); // more read than was written
        assertThrows(BrokenRingException.class, () -> one.room());
    }

    private static MemorySegment header(RingEnd end) {
        int page = FaultLibrary.dsm_page_bytes();
        return NativeMemory.at(end.outgoing().address() - page, page); // of end 0
    }

    /** A memory is 0, an event 1; right would be 011. */
    @ParameterizedTest
    @ValueSource(strings = {"111", "001", "010", "000"})
    void descriptorsThatAreSomethingElse_areRefusedAndClosed(String order) {
        int[] known = {one.descriptors()[0], one.fd()}; // of the memory, and of an event
        int[] wrong = duplicates(order.chars().map(each -> known[each - '0']).toArray());
        NativeCallException refused =
                assertThrows(NativeCallException.class, () -> RingEnd.adopt(wrong));
        assertEquals(Errno.EINVAL, refused.errno());
        for (int fd : wrong) {
            assertFalse(Files.exists(Path.of("/proc/self/fd/" + fd)));
        }
    }

    @Test
    void endThatIsClosed_leavesNothing() {
        RingEnd pair = RingEnd.create();
        int[] descriptors = pair.descriptors();
        pair.close();
        pair.close();
        for (int fd : descriptors) {
            assertFalse(Files.exists(Path.of("/proc/self/fd/" + fd)));
        }
    }
}
