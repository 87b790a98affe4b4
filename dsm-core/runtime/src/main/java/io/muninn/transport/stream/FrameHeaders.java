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
 *  0             4             8             12            16             20
 *  +-------------+-------------+-------------+-------------+--------------+--------
 *  | length u32  | number u32  | have u32    | check u32   | checksum u32 | body
 *  +-------------+-------------+-------------+-------------+--------------+--------
 * </pre>
 *
 * <p>The length counts the body. Numbers count frames from 0. All frames of the other direction
 * before number <em>have</em> have arrived at the sender. The check is over these three, so that a
 * wrong length is noticed before anybody waits for so many bytes. The checksum is the CRC-32C of
 * the body, and 0 without checksums. A frame without a body only acknowledges, and shows that its
 * sender runs; its number is that of the next frame.
 *
 * <p><b>Threads.</b> The event loop of the channel.
 */
final class FrameHeaders {
    /** Size of the length field, in bytes. */
    static final int LENGTH_BYTES = Integer.BYTES;

    /** Size of a numbered header, in bytes. */
    static final int NUMBERED_BYTES = 20;

    private static final int NUMBER = 4;
    private static final int HAVE = 8;
    private static final int CHECK = 12;
    private static final int CHECKSUM = 16;

    private final CRC32C crc = new CRC32C();
    private boolean numbered;
    private boolean checksums = true;
    private boolean judgesNumbers = true;
    private int next; // number of the next frame

    /** Numbers all frames from the next one on. */
    void number() {
        numbered = true;
    }

    boolean isNumbered() {
        return numbered;
    }

    /** Leaves it to others whether a number is the right one. */
    void ignoreNumbers() {
        judgesNumbers = false;
    }

    /** The number of the next frame. */
    int next() {
        return next;
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
     * @param have number of the next frame of the other direction
     */
    void write(ByteBuf frame, int start, int have) {
        int body = start + bytes();
        int length = frame.writerIndex() - body;
        frame.setIntLE(start, length);
        if (numbered) {
            frame.setIntLE(start + NUMBER, next);
            frame.setIntLE(start + HAVE, have);
            frame.setIntLE(start + CHECK, check(length, next, have));
            frame.setIntLE(start + CHECKSUM, checksums ? checksum(frame, body, length) : 0);
            next += length == 0 ? 0 : 1;
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
            int number = number(in);
            if (in.getIntLE(at + CHECK) != check(length, number, have(in))) {
                return "sent wrong bytes in the header of frame " + text(next);
            }
            if (judgesNumbers && number - next > 0) {
                return number - next == 1
                        ? "left out frame " + text(next)
                        : "left out frames " + text(next) + " to " + text(number - 1);
            }
            if (judgesNumbers && number != next) {
                return "repeated frame " + text(number) + " where " + text(next) + " was due";
            }
        }
        int least = numbered ? 0 : 1;
        if (length < least || length > frameBytesMax) {
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
        if (numbered && in.getIntLE(at) > 0) {
            next = number(in) + 1;
        }
        return !hasChecksums()
                || in.getIntLE(at + CHECKSUM) == checksum(in, at + NUMBERED_BYTES, in.getIntLE(at));
    }

    /** The number in the header at the reader index, which has one. */
    int number(ByteBuf in) {
        return in.getIntLE(in.readerIndex() + NUMBER);
    }

    /** The index behind so many numbered frames, which begin at an index. */
    static int behind(ByteBuf frames, int start, int count) {
        int at = start;
        for (int i = 0; i < count; i++) {
            at += NUMBERED_BYTES + frames.getIntLE(at);
        }
        return at;
    }

    /** What the header at the reader index acknowledges, which has a number. */
    int have(ByteBuf in) {
        return in.getIntLE(in.readerIndex() + HAVE);
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

    /** Differs for values that differ in a few bits of one of them: each step is a bijection. */
    static int check(int length, int number, int have) {
        int mixed = mixed(length * 0x9E37_79B1 + number);
        return mixed(mixed * 0x9E37_79B1 + have);
    }

    private static int mixed(int value) {
        int mixed = (value ^ value >>> 16) * 0x85EB_CA6B;
        return mixed ^ mixed >>> 13;
    }

    private static String text(int unsigned) {
        return Integer.toUnsignedString(unsigned);
    }
}
