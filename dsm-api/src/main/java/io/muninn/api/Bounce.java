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
 * Carries the elements of a variable to and from channels by way of the heap: the system sees heap
 * memory only, and shared memory is touched by loads and stores of the calling thread. So no system
 * call meets a page that is elsewhere, whatever traps the accesses.
 */
final class Bounce {
    /** What one system call carries at most. */
    private static final int BUFFER_BYTES = 64 * 1024;

    /**
     * Copied at once: a page, so that no more than two must be here at the same time, and a thread
     * that waits for many still meets the JVM's polls between them.
     */
    private static final int STEP_BYTES = 4096;

    private final SharedVariable variable;
    private long offset;
    private long bytesLeft;

    /** The {@code bytes} bytes of {@code variable} from {@code offset} on, which are checked. */
    Bounce(SharedVariable variable, long offset, long bytes) {
        this.variable = variable;
        this.offset = offset;
        this.bytesLeft = bytes;
    }

    /** One write of a channel, at its position or at ours. */
    private interface Writer {
        int write(ByteBuffer source, long done) throws IOException;
    }

    /** One read of a channel, at its position or at ours. */
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

    /** Fills the buffer from the variable as far as either goes. */
    private void load(ByteBuffer target) {
        while (bytesLeft > 0 && target.hasRemaining()) {
            int count = step(target);
            variable.loadBytes(offset, target, count);
            advance(target, count);
        }
    }

    /** Empties the buffer into the variable. */
    private void store(ByteBuffer source) {
        while (bytesLeft > 0 && source.hasRemaining()) {
            int count = step(source);
            variable.storeBytes(offset, source, count);
            advance(source, count);
        }
    }

    private int step(ByteBuffer buffer) {
        return (int) Math.min(Math.min(STEP_BYTES, buffer.remaining()), bytesLeft);
    }

    private void advance(ByteBuffer buffer, int count) {
        buffer.position(buffer.position() + count);
        offset += count;
        bytesLeft -= count;
    }

    /** A channel that may carry nothing would be asked again and again. */
    private static void checkBlocking(Object channel) {
        if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }
}
