package io.muninn.transport.stream;

import io.netty.buffer.ByteBuf;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The headers of the frames in one direction of a connection. Until its sender has proved the
 * secret, a header is the length alone, so that agents of all versions understand each other's
 * opening. Afterwards:
 *
 * <pre>
 *  0             4             8             12             16
 *  +-------------+-------------+-------------+--------------+--------
 *  | length u32  | number u32  | check u32   | checksum u32 | body      length counts the body
 *  +-------------+-------------+-------------+--------------+--------
 * </pre>
 *
 * <p>Numbers count frames from 0. The check is over length and number, so that a wrong length is
 * noticed before anybody waits for so many bytes. The checksum is the CRC-32C of the body, and 0
 * without checksums.
 *
 * <p><b>Threads.</b> The event loop of the channel.
 */
final class FrameHeaders {
    /** Size of the length field, in bytes. */
    static final int LENGTH_BYTES = Integer.BYTES;

    private static final int NUMBER = 4;
    private static final int CHECK = 8;
    private static final int CHECKSUM = 12;
    private static final int NUMBERED_BYTES = 16;

    private final CRC32C crc = new CRC32C();
    private boolean numbered;
    private boolean checksums = true;
    private int next; // number of the next frame

    /** Numbers all frames from the next one on. */
    void number() {
        numbered = true;
    }

    boolean isNumbered() {
        return numbered;
    }

    /** Whether bodies of numbered frames have checksums; they do unless this is called. */
    void checksums(boolean on) {
        checksums = on;
    }

    boolean hasChecksums() {
        return numbered && checksums;
    }

    /** Size of a header, in bytes. */
    int bytes() {
        return numbered ? NUMBERED_BYTES : LENGTH_BYTES;
    }

    /**
     * Writes the header of a frame whose body ends at the writer index.
     *
     * @param start index of the header, for which there is room
     */
    void write(ByteBuf frame, int start) {
        int body = start + bytes();
        int length = frame.writerIndex() - body;
        frame.setIntLE(start, length);
        if (numbered) {
            frame.setIntLE(start + NUMBER, next);
            frame.setIntLE(start + CHECK, check(length, next));
            frame.setIntLE(start + CHECKSUM, checksums ? checksum(frame, body, length) : 0);
            next++;
        }
    }

    /**
     * Checks the header at the reader index, of which all bytes have arrived.
     *
     * @return what is wrong with it, for the user; null if it is that of the next frame
     */
    @Nullable String error(ByteBuf in, int frameBytesMax) {
        int at = in.readerIndex();
        int length = in.getIntLE(at);
        if (numbered) {
            int number = in.getIntLE(at + NUMBER);
            if (in.getIntLE(at + CHECK) != check(length, number)) {
                return "sent wrong bytes in the header of frame " + text(next);
            }
            if (number - next > 0) {
                return number - next == 1
                        ? "left out frame " + text(next)
                        : "left out frames " + text(next) + " to " + text(number - 1);
            }
            if (number != next) {
                return "repeated frame " + text(number) + " where " + text(next) + " was due";
            }
        }
        if (length < 1 || length > frameBytesMax) {
            return "sent a frame of " + text(length) + " bytes, not 1.." + frameBytesMax;
        }
        return null;
    }

    /**
     * Takes the frame at the reader index, which is complete, by its header.
     *
     * @return false if its body differs from its checksum; the caller names it
     */
    boolean accept(ByteBuf in) {
        int at = in.readerIndex();
        next += numbered ? 1 : 0;
        return !hasChecksums()
                || in.getIntLE(at + CHECKSUM) == checksum(in, at + NUMBERED_BYTES, in.getIntLE(at));
    }

    /** The number of the frame that was taken last. */
    String last() {
        return text(next - 1);
    }

    private int checksum(ByteBuf frame, int index, int length) {
        return checksum(crc, frame, index, length);
    }

    /** The CRC-32C of some bytes of a buffer. */
    static int checksum(CRC32C crc, ByteBuf bytes, int index, int length) {
        crc.reset();
        crc.update(bytes.internalNioBuffer(index, length));
        return (int) crc.getValue();
    }

    /** Differs for lengths and numbers that differ in a few bits: each step is a bijection. */
    private static int check(int length, int number) {
        int mixed = length * 0x9E37_79B1 + number;
        mixed = (mixed ^ mixed >>> 16) * 0x85EB_CA6B;
        return mixed ^ mixed >>> 13;
    }

    private static String text(int unsigned) {
        return Integer.toUnsignedString(unsigned);
    }
}
