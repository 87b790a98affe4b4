package io.muninn.api;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Copies the elements of a variable to and from channels through a buffer on the heap. System calls
 * access only the buffer; the calling thread accesses shared memory with plain loads and stores. So
 * no system call faults on a page of another node, whichever engine traps the accesses.
 */
final class Bounce {
    /** Largest number of bytes per system call. */
    private static final int BUFFER_BYTES = 64 * 1024;

    private final SharedVariable variable;
    private long offset;
    private long bytesLeft;

    /**
     * Covers {@code bytes} bytes of {@code variable} from {@code offset} on, a range already
     * checked.
     */
    Bounce(SharedVariable variable, long offset, long bytes) {
        this.variable = variable;
        this.offset = offset;
        this.bytesLeft = bytes;
    }

    /** One write to a channel, at the channel's position or at an explicit one. */
    private interface Writer {
        int write(ByteBuffer source, long done) throws IOException;
    }

    /** One read from a channel, at the channel's position or at an explicit one. */
    private interface Reader {
        int read(ByteBuffer target, long done) throws IOException;
    }

    void writeTo(WritableByteChannel target) throws IOException {
        checkBlocking(target);
        write((source, _) -> target.write(source));
    }

    void writeTo(FileChannel target, long position) throws IOException {
        write((source, done) -> target.write(source, position + done));
    }

    void writeTo(ByteBuffer target) {
        load(target);
    }

    void readFrom(ReadableByteChannel source) throws IOException {
        checkBlocking(source);
        read((target, _) -> source.read(target));
    }

    void readFrom(FileChannel source, long position) throws IOException {
        read((target, done) -> source.read(target, position + done));
    }

    void readFrom(ByteBuffer source) {
        store(source);
    }

    private void write(Writer channel) throws IOException {
        ByteBuffer buffer = buffer();
        long done = 0;
        while (bytesLeft > 0) {
            load(buffer.clear());
            buffer.flip();
            while (buffer.hasRemaining()) {
                done += channel.write(buffer, done);
            }
        }
    }

    private void read(Reader channel) throws IOException {
        ByteBuffer buffer = buffer();
        long done = 0;
        while (bytesLeft > 0) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), bytesLeft));
            while (buffer.hasRemaining()) {
                int count = channel.read(buffer, done);
                if (count < 0) {
                    store(buffer.flip());
                    throw new EOFException(
                            "the channel ends "
                                    + bytesLeft
                                    + " bytes before variable "
                                    + variable
                                    + " has what it was to read");
                }
                done += count;
            }
            store(buffer.flip());
        }
    }

    private ByteBuffer buffer() {
        return ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, bytesLeft));
    }

    /** Copies from the variable to the buffer until the buffer is full or the range ends. */
    private void load(ByteBuffer target) {
        while (bytesLeft > 0 && target.hasRemaining()) {
            int count = step(target);
            BulkAccess.load(variable, offset, target, count);
            advance(target, count);
        }
    }

    /** Copies the remaining bytes of the buffer to the variable. */
    private void store(ByteBuffer source) {
        while (bytesLeft > 0 && source.hasRemaining()) {
            int count = step(source);
            BulkAccess.store(source, variable, offset, count);
            advance(source, count);
        }
    }

    private int step(ByteBuffer buffer) {
        return (int) Math.min(Math.min(BulkAccess.STEP_BYTES, buffer.remaining()), bytesLeft);
    }

    private void advance(ByteBuffer buffer, int count) {
        buffer.position(buffer.position() + count);
        offset += count;
        bytesLeft -= count;
    }

    /** Refuses a non-blocking channel: the loop would spin while it transfers nothing. */
    private static void checkBlocking(Object channel) {
        if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }
}
