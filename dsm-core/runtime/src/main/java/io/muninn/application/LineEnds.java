package io.muninn.application;

import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Records whether the output of a program ends with a complete line, so that messages can start on
 * a new one.
 *
 * <p><b>Threads.</b> Any; writes are made by a {@link PrintStream}, one at a time.
 */
final class LineEnds extends OutputStream {
    private final PrintStream target;
    private volatile int last = '\n';

    LineEnds(PrintStream target) {
        this.target = target;
    }

    /** Installs itself between the program and standard output. */
    static LineEnds ofStandardOutput() {
        PrintStream before = System.out;
        LineEnds lines = new LineEnds(before);
        System.setOut(new PrintStream(lines, true, before.charset()));
        return lines;
    }

    @Override
    public void write(int b) {
        target.write(b);
        last = b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        target.write(bytes, offset, length);
        if (length > 0) {
            last = bytes[offset + length - 1];
        }
    }

    @Override
    public void flush() {
        target.flush();
    }

    /**
     * Ends an incomplete line of the program, if there is one.
     *
     * @param out the stream that writes to this one
     */
    void endLine(PrintStream out) {
        if (last != '\n') {
            out.println();
        }
    }
}
