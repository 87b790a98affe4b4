package io.muninn.e2e;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Somebody between two agents who knows their frames: takes one out, or puts one in, and numbers
 * all others anew in both directions. So nobody can see it by numbers and checksums. That needs a
 * link without TLS.
 *
 * <p><b>Threads.</b> One for each direction.
 */
final class Forgery {
    /** What is forged. */
    enum Kind {
        SWALLOW,
        FINISHED
    }

    private static final int OPENING_HEADER_BYTES = 4;
    private static final int HEADER_BYTES = 20;
    private static final int NUMBER = 4;
    private static final int HAVE = 8;
    private static final int CHECK = 12;
    private static final int CHECKSUM = 16;
    private static final int CONTROL = 0; // first byte of a control frame
    private static final int PROOF = 3;
    private static final int FINISHED = 13;
    private static final int NOWHERE = Integer.MAX_VALUE;

    private final Kind kind;
    private final int due;
    private int at = NOWHERE; // number of the frame that was swallowed, or that was put in

    /**
     * @param due how many messages of kernels pass unharmed in the one direction
     */
    Forgery(Kind kind, int due) {
        this.kind = kind;
        this.due = due;
    }

    /** One direction of the connection. */
    final class Direction {
        private final boolean isFaulty;
        private byte[] unread = {};
        private boolean isNumbered;
        private int messages;

        Direction(boolean isFaulty) {
            this.isFaulty = isFaulty;
        }

        /**
         * Carries the next bytes, as far as they are whole frames.
         *
         * @return true once the forgery is done
         */
        boolean carry(byte[] piece, int count, OutputStream out) throws IOException {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            ByteArrayOutputStream joined = new ByteArrayOutputStream();
            joined.write(unread);
            joined.write(piece, 0, count);
            ByteBuffer in = ByteBuffer.wrap(joined.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
            boolean isWhole = true;
            while (isWhole) {
                int header = isNumbered ? HEADER_BYTES : OPENING_HEADER_BYTES;
                isWhole =
                        in.remaining() >= header
                                && in.remaining() >= header + in.getInt(in.position());
                if (isWhole) {
                    byte[] frame = new byte[header + in.getInt(in.position())];
                    in.get(frame);
                    pass(frame, whole);
                }
            }
            unread = new byte[in.remaining()];
            in.get(unread);
            out.write(whole.toByteArray());
            return at != NOWHERE;
        }

        private void pass(byte[] frame, ByteArrayOutputStream out) throws IOException {
            if (!isNumbered) {
                isNumbered = frame[OPENING_HEADER_BYTES] == CONTROL && frame[5] == PROOF;
                out.write(frame);
                return;
            }
            synchronized (Forgery.this) {
                ByteBuffer header = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
                int number = header.getInt(NUMBER);
                boolean isMessage = frame.length > HEADER_BYTES && frame[HEADER_BYTES] != CONTROL;
                messages += isMessage ? 1 : 0;
                if (isFaulty && isMessage && messages > due && at == NOWHERE) {
                    at = number;
                    if (kind == Kind.SWALLOW) {
                        return;
                    }
                    out.write(finished(number, header.getInt(HAVE)));
                }
                header.putInt(NUMBER, isFaulty ? renumbered(number) : number);
                header.putInt(HAVE, isFaulty ? header.getInt(HAVE) : real(header.getInt(HAVE)));
                check(header);
                out.write(frame);
            }
        }
    }

    private int renumbered(int number) {
        boolean isSwallowed = kind == Kind.SWALLOW;
        return isSwallowed ? number - (number > at ? 1 : 0) : number + (number >= at ? 1 : 0);
    }

    /** What has really arrived, if all frames before a number have as their receiver says. */
    private int real(int have) {
        return have > at ? have + (kind == Kind.SWALLOW ? 1 : -1) : have;
    }

    /** The end of a run, as only the root announces it. */
    private static byte[] finished(int number, int have) {
        int length = 3 + Integer.BYTES;
        ByteBuffer frame =
                ByteBuffer.allocate(HEADER_BYTES + length).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(length).putInt(number).putInt(have).putInt(0).putInt(0);
        frame.put((byte) CONTROL).put((byte) FINISHED).put((byte) 0).putInt(0); // no text
        CRC32C crc = new CRC32C();
        crc.update(frame.array(), HEADER_BYTES, length);
        frame.putInt(CHECKSUM, (int) crc.getValue());
        check(frame);
        return frame.array();
    }

    private static void check(ByteBuffer header) {
        int mixed = mixed(header.getInt(0) * 0x9E37_79B1 + header.getInt(NUMBER));
        header.putInt(CHECK, mixed(mixed * 0x9E37_79B1 + header.getInt(HAVE)));
    }

    private static int mixed(int value) {
        int mixed = (value ^ value >>> 16) * 0x85EB_CA6B;
        return mixed ^ mixed >>> 13;
    }
}
