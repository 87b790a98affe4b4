package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * One agent's end of two rings of bytes that it shares with an agent on the same host: it writes
 * one and reads the other.
 *
 * <pre>
 *  end 0: {@link #create}, {@link #descriptors} to the other process, {@link #passed}
 *  end 1: {@link #adopt}
 * </pre>
 *
 * <p><b>Order.</b> The writer stores bytes at {@link #outgoing} and publishes them with {@link
 * #wrote}. The reader finds them at {@link #incoming} and frees them with {@link #read}. Before an
 * end waits for its {@link #fd}, it calls {@link #waitsForMore} or {@link #waitsForRoom}.
 *
 * <p><b>Errors.</b> Positions that no agent writes cause {@link BrokenRingException}: the words of
 * the other process are not trusted.
 *
 * <p><b>Threads.</b> One thread at a time at each end. No call waits.
 */
public final class RingEnd implements AutoCloseable {
    /** Capacity of one ring in bytes; also the longest contiguous range. */
    public static final int BYTES = FaultLibrary.RING_BYTES;

    /** Number of descriptors that the other process needs. */
    public static final int DESCRIPTORS = 3;

    private static final VarHandle INTS = JAVA_INT.varHandle();
    private static final int COPIES = 2; // consecutive mappings of a ring
    private static final int MASK = BYTES - 1;

    private final long address;
    private final MemorySegment header;
    private final MemorySegment incoming;
    private final MemorySegment outgoing;
    private final long in; // offset of the incoming ring's words in the header
    private final long out;
    private final int memoryFd;
    private final int ownFd;
    private final int otherFd;
    private int head; // of the incoming ring
    private int tail; // of the outgoing ring
    private boolean memoryOpen = true;
    private boolean closed;

    private RingEnd(int number, int memoryFd, int ownFd, int otherFd, long address) {
        this.memoryFd = memoryFd;
        this.ownFd = ownFd;
        this.otherFd = otherFd;
        this.address = address;
        int page = FaultLibrary.dsm_page_bytes();
        header = NativeMemory.at(address, page);
        MemorySegment[] rings = new MemorySegment[2];
        for (int i = 0; i < rings.length; i++) {
            long at = address + page + (long) i * COPIES * BYTES;
            rings[i] = NativeMemory.at(at, (long) COPIES * BYTES);
        }
        outgoing = rings[number];
        incoming = rings[1 - number];
        out = (long) number * FaultLibrary.RING_STRIDE;
        in = (1L - number) * FaultLibrary.RING_STRIDE;
        INTS.setVolatile(header, in + FaultLibrary.RING_READER_WAITS, 1);
    }

    /**
     * Creates both rings and returns end 0.
     *
     * @throws NativeCallException if the system is out of memory or descriptors
     */
    public static RingEnd create() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment files = arena.allocate(FaultLibrary.RING_FILES_BYTES, Integer.BYTES);
            NativeCallException.checked(
                    "dsm_ring_create", FaultLibrary.dsm_ring_create(files.address()));
            int memoryFd = files.get(JAVA_INT, 0);
            int[] events = {
                files.get(JAVA_INT, FaultLibrary.RING_FILES_EVENTS),
                files.get(JAVA_INT, FaultLibrary.RING_FILES_EVENTS + Integer.BYTES)
            };
            return map(0, memoryFd, events[0], events[1]);
        }
    }

    /**
     * Maps the rings of another process and returns end 1.
     *
     * @param descriptors those of {@link #descriptors} in the other process, as received; this end
     *     owns them
     * @throws NativeCallException if they are of another kind (EINVAL), or the system is out of
     *     memory; they are then closed
     */
    public static RingEnd adopt(int[] descriptors) {
        int event = FaultLibrary.dsm_ring_adopt(descriptors[1]);
        int ownEvent = FaultLibrary.dsm_ring_adopt(descriptors[2]);
        if (event < 0 || ownEvent < 0) {
            closeAll(descriptors);
        }
        NativeCallException.checked("dsm_ring_adopt", Math.min(event, ownEvent));
        return map(1, descriptors[0], descriptors[2], descriptors[1]);
    }

    private static RingEnd map(int number, int memoryFd, int ownFd, int otherFd) {
        long address = FaultLibrary.dsm_ring_map(memoryFd);
        if (address < 0) {
            closeAll(memoryFd, ownFd, otherFd);
        }
        NativeCallException.checked("dsm_ring_map", address);
        return new RingEnd(number, memoryFd, ownFd, otherFd, address);
    }

    /** The descriptors for the other process: the memory, and the events of end 0 and end 1. */
    public int[] descriptors() {
        return new int[] {memoryFd, ownFd, otherFd};
    }

    /** Closes the memory's descriptor, when the other process has received its descriptors. */
    public void passed() {
        if (memoryOpen) {
            memoryOpen = false;
            closeAll(memoryFd);
        }
    }

    /**
     * The descriptor for an edge-triggered event loop: signals the event for which this end waits.
     */
    public int fd() {
        return ownFd;
    }

    // --- reading -------------------------------------------------------------------------------

    /** The ring that the other end writes, mapped twice in a row: twice {@link #BYTES}. */
    public MemorySegment incoming() {
        return incoming;
    }

    /** Offset of the first unread byte in {@link #incoming}, less than {@link #BYTES}. */
    public int unreadAt() {
        return head & MASK;
    }

    /** Number of unread bytes. */
    public int unread() {
        int bytes = (int) INTS.getVolatile(header, in) - head;
        if (bytes < 0 || bytes > BYTES) {
            throw new BrokenRingException(bytes);
        }
        return bytes;
    }

    /** Returns the first unread bytes to the writer, and wakes it if it waits for room. */
    public void read(int bytes) {
        head += bytes;
        INTS.setVolatile(header, in + FaultLibrary.RING_HEAD, head);
        tellIfItWaits(in + FaultLibrary.RING_WRITER_WAITS);
    }

    /**
     * Announces that this end will wait for more unread bytes.
     *
     * @param unread number of unread bytes that it has seen
     * @return false if there are already more
     */
    public boolean waitsForMore(int unread) {
        INTS.setVolatile(header, in + FaultLibrary.RING_READER_WAITS, 1);
        return unread() == unread;
    }

    // --- writing -------------------------------------------------------------------------------

    /** As {@link #incoming}, for the ring that this end writes. */
    public MemorySegment outgoing() {
        return outgoing;
    }

    /** Offset of the next byte to write in {@link #outgoing}, less than {@link #BYTES}. */
    public int roomAt() {
        return tail & MASK;
    }

    /** Number of bytes that can be written. */
    public int room() {
        int bytes = tail - (int) INTS.getVolatile(header, out + FaultLibrary.RING_HEAD);
        if (bytes < 0 || bytes > BYTES) {
            throw new BrokenRingException(bytes);
        }
        return BYTES - bytes;
    }

    /** Passes the bytes at {@link #roomAt} to the reader, and wakes it if it waits for them. */
    public void wrote(int bytes) {
        tail += bytes;
        INTS.setVolatile(header, out, tail);
        tellIfItWaits(out + FaultLibrary.RING_READER_WAITS);
    }

    /**
     * Announces that this end will wait for room.
     *
     * @return false if there is already some
     */
    public boolean waitsForRoom() {
        INTS.setVolatile(header, out + FaultLibrary.RING_WRITER_WAITS, 1);
        return room() == 0;
    }

    private void tellIfItWaits(long flag) {
        if ((int) INTS.getVolatile(header, flag) != 0
                && (int) INTS.getAndSet(header, flag, 0) != 0) {
            FaultLibrary.dsm_ring_notify(otherFd);
        }
    }

    /** Closes this end. Its memory and its descriptors must not be used afterwards. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            passed();
            FaultLibrary.dsm_ring_unmap(address);
            closeAll(ownFd, otherFd);
        }
    }

    private static void closeAll(int... descriptors) {
        for (int fd : descriptors) {
            FaultLibrary.dsm_ring_close(fd);
        }
    }
}
