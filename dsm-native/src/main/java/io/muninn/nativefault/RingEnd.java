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
 * <p><b>Order.</b> The writer puts bytes at {@link #outgoing} and says so by {@link #wrote}; the
 * reader finds them at {@link #incoming} and says {@link #read}. Before an end waits for its {@link
 * #fd}, it says for what: by {@link #waitsForMore}, {@link #waitsForRoom}.
 *
 * <p><b>Errors.</b> Positions that no agent writes are a {@link BrokenRingException}: what the
 * other process says is not believed.
 *
 * <p><b>Threads.</b> One at a time, at each end. No call waits.
 */
public final class RingEnd implements AutoCloseable {
    /** What one ring holds, in bytes; also the longest run of bytes without a gap. */
    public static final int BYTES = FaultLibrary.RING_BYTES;

    /** How many descriptors the other process needs. */
    public static final int DESCRIPTORS = 3;

    private static final VarHandle INTS = JAVA_INT.varHandle();
    private static final int COPIES = 2; // of a ring, one behind the other
    private static final int MASK = BYTES - 1;

    private final long address;
    private final MemorySegment header;
    private final MemorySegment incoming;
    private final MemorySegment outgoing;
    private final long in; // where the header has the words of the ring that is read
    private final long out;
    private final int memoryFd;
    private final int ownFd;
    private final int otherFd;
    private int head; // of the ring that is read
    private int tail; // of the ring that is written
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
     * Makes both rings, and is end 0 of them.
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
     * Is end 1 of rings that another process has made.
     *
     * @param descriptors as {@link #descriptors} gave them there, received; owned from here on
     * @throws NativeCallException if they are something else (EINVAL), or the system is out of
     *     memory; they are closed then
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

    /** What the other process has to be given: the memory, and the events of end 0 and end 1. */
    public int[] descriptors() {
        return new int[] {memoryFd, ownFd, otherFd};
    }

    /** The other process has its descriptors, or has taken its end: the memory needs no name. */
    public void passed() {
        if (memoryOpen) {
            memoryOpen = false;
            closeAll(memoryFd);
        }
    }

    /** For an event loop that watches edges: told of what this end waits for. */
    public int fd() {
        return ownFd;
    }

    // --- reading -------------------------------------------------------------------------------

    /** Twice {@link #BYTES}: the ring that the other end writes, and the same behind it. */
    public MemorySegment incoming() {
        return incoming;
    }

    /** Where the first unread byte is in {@link #incoming}, below {@link #BYTES}. */
    public int unreadAt() {
        return head & MASK;
    }

    /** How many bytes are unread. */
    public int unread() {
        int bytes = (int) INTS.getVolatile(header, in) - head;
        if (bytes < 0 || bytes > BYTES) {
            throw new BrokenRingException(bytes);
        }
        return bytes;
    }

    /** Leaves the first unread bytes to the writer, and tells it if it waits for room. */
    public void read(int bytes) {
        head += bytes;
        INTS.setVolatile(header, in + FaultLibrary.RING_HEAD, head);
        tellIfItWaits(in + FaultLibrary.RING_WRITER_WAITS);
    }

    /**
     * This end is about to wait until more is unread.
     *
     * @param unread what it knows of
     * @return false if there is more already
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

    /** Where the next byte goes in {@link #outgoing}, below {@link #BYTES}. */
    public int roomAt() {
        return tail & MASK;
    }

    /** How many bytes there is room for. */
    public int room() {
        int bytes = tail - (int) INTS.getVolatile(header, out + FaultLibrary.RING_HEAD);
        if (bytes < 0 || bytes > BYTES) {
            throw new BrokenRingException(bytes);
        }
        return BYTES - bytes;
    }

    /** Leaves the bytes at {@link #roomAt} to the reader, and tells it if it waits for them. */
    public void wrote(int bytes) {
        tail += bytes;
        INTS.setVolatile(header, out, tail);
        tellIfItWaits(out + FaultLibrary.RING_READER_WAITS);
    }

    /**
     * This end is about to wait until there is room.
     *
     * @return false if there is some already
     */
    public boolean waitsForRoom() {
        INTS.setVolatile(header, out + FaultLibrary.RING_WRITER_WAITS, 1);
        return room() == 0;
    }

    private void tellIfItWaits(long flag) {
        if ((int) INTS.getVolatile(header, flag) != 0
                && (int) INTS.getAndSet(header, flag, 0) != 0) {
            FaultLibrary.dsm_ring_tell(otherFd);
        }
    }

    /** Ends this end: its memory and its descriptors must not be used any more. */
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
