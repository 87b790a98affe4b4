package io.muninn.transport;

import io.muninn.nativefault.BrokenRingException;
import io.muninn.nativefault.RingEnd;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The byte stream between two agents of one host, through shared rings: the bytes that a socket
 * would carry, in the same order, without a system call while the other end is active.
 *
 * <p>Bytes that do not fit the ring wait here until the reader has made room. Bytes stay in the
 * ring while the reader handles them; unread bytes are passed again together with new ones.
 *
 * <p><b>Threads.</b> The event loop of the channel.
 */
final class SharedStream {
    /** Receives the bytes. */
    interface Reader {
        /** Consumes as many bytes as it can; they are valid during the call. */
        void onBytes(ByteBuf unread);

        /** The other end has corrupted the rings; nothing more can be read or written. */
        void onBroken(String reason);
    }

    /** Number of polls before other channels are served. */
    private static final int LOOKS_MAX = 4;

    private final AgentEventLoop loop;
    private final RingEnd end;
    private final Reader reader;
    private final ByteBuf incoming;
    private final ByteBuf outgoing;
    private final Cancellable watch;
    private final Queue<ByteBuf> unsent = new ArrayDeque<>();
    private long unsentBytes;
    private @Nullable Runnable whenSent; // null if there is no callback
    private boolean reading;
    private boolean closed;

    /**
     * Starts to read; bytes already in the ring are read by a task on the loop.
     *
     * @param end owned by this stream
     */
    SharedStream(AgentEventLoop loop, RingEnd end, Reader reader) {
        this.loop = loop;
        this.end = end;
        this.reader = reader;
        incoming = wrapped(end.incoming());
        outgoing = wrapped(end.outgoing());
        watch = loop.registerEdges(end.fd(), this::onTold);
        loop.execute(this::onTold);
    }

    private static ByteBuf wrapped(MemorySegment ring) {
        return Unpooled.wrappedBuffer(ring.asByteBuffer());
    }

    /** Sends bytes and takes the caller's reference. */
    void send(ByteBuf bytes) {
        unsent.add(bytes);
        unsentBytes += bytes.readableBytes();
        push();
    }

    /** Number of bytes that wait for room in the ring. */
    long unsentBytes() {
        return unsentBytes;
    }

    /** Calls back once, when all bytes sent so far are in the ring. */
    void whenSent(Runnable callback) {
        whenSent = callback;
        push();
    }

    private void onTold() {
        push();
        read();
    }

    private void push() {
        if (closed) {
            return;
        }
        try {
            while (!unsent.isEmpty()) {
                int room = end.room();
                if (room > 0) {
                    write(unsent.element(), room);
                } else if (end.waitsForRoom()) {
                    return;
                }
            }
        } catch (BrokenRingException broken) {
            reader.onBroken(String.valueOf(broken.getMessage()));
            return;
        }
        Runnable callback = whenSent;
        if (callback != null) {
            whenSent = null;
            callback.run();
        }
    }

    private void write(ByteBuf first, int room) {
        int bytes = Math.min(first.readableBytes(), room);
        outgoing.setBytes(end.roomAt(), first, bytes);
        end.wrote(bytes);
        unsentBytes -= bytes;
        if (!first.isReadable()) {
            unsent.remove().release();
        }
    }

    private void read() {
        for (int look = 0; look < LOOKS_MAX; look++) {
            if (readOnce()) {
                return;
            }
        }
        loop.execute(this::read);
    }

    /**
     * Reads the available bytes: all of them if the other end has ended its output.
     *
     * @return true if this end will be notified of more
     */
    boolean readOnce() {
        if (closed || reading) {
            return true;
        }
        reading = true;
        try {
            int unread = end.unread();
            int at = end.unreadAt();
            incoming.setIndex(at, at + unread);
            if (unread > 0) {
                reader.onBytes(incoming);
            }
            int left = incoming.readableBytes();
            if (left < unread) {
                end.read(unread - left);
            }
            return end.waitsForMore(left);
        } catch (BrokenRingException broken) {
            reader.onBroken(String.valueOf(broken.getMessage()));
            return true;
        } finally {
            reading = false;
            if (closed) {
                end.close();
            }
        }
    }

    /** Closes the stream now; bytes that are not in the ring are lost. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        watch.cancel();
        unsent.forEach(ByteBuf::release);
        unsent.clear();
        if (!reading) { // otherwise the reader still uses its frame
            end.close();
        }
    }
}
