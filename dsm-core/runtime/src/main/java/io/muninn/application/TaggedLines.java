package io.muninn.application;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Puts a tag before each line of an output. A line is passed on when it is complete, in one piece,
 * so that the lines of several processes do not mix; a very long one in several pieces.
 *
 * <p><b>Threads.</b> Any.
 */
final class TaggedLines extends OutputStream {
    private static final int PIECE_BYTES = 1 << 16;

    private final OutputStream target;
    private final byte[] tag;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean isBegun; // a piece of the line has been passed on

    TaggedLines(OutputStream target, String tag) {
        this.target = target;
        this.tag = tag.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (line.size() == 0 && !isBegun) {
                line.write(tag, 0, tag.length);
            }
            line.write(bytes[i]);
            if (bytes[i] == '\n') {
                pass();
                isBegun = false;
            } else if (line.size() >= PIECE_BYTES) {
                pass();
                isBegun = true;
            }
        }
    }

    private void pass() throws IOException {
        byte[] piece = line.toByteArray();
        line.reset(); // a piece that cannot be written is lost
        target.write(piece);
    }

    /** Passes on a line that is not complete, as one line. */
    @Override
    public synchronized void close() throws IOException {
        if (line.size() > 0 || isBegun) {
            line.write('\n');
            pass();
            isBegun = false;
        }
        target.flush();
    }
}
