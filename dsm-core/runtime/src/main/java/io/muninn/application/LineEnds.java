package io.muninn.application;

import io.muninn.report.StandardOutput;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Records whether the output of a program ends with a complete line, so that messages can start on
 * a new one.
 *
 * <p><b>Threads.</b> Any; writes are made by a {@link PrintStream}, one at a time.
 */
final class LineEnds extends OutputStream {
    private final OutputStream target;
    private volatile int last = '\n';

    LineEnds(OutputStream target) {
        this.target = target;
    }

    /**
     * Installs itself between the program and standard output.
     *
     * @param tag begins each line of standard output and standard error; empty for none
     */
    static LineEnds ofStandardOutput(String tag) {
        OutputStream out = StandardOutput.stream();
        if (!tag.isEmpty()) {
            TaggedLines tagged = new TaggedLines(out, tag);
            TaggedLines errors = new TaggedLines(new FileOutputStream(FileDescriptor.err), tag);
            Thread end = Thread.ofPlatform().unstarted(() -> endAll(tagged, errors));
            Runtime.getRuntime().addShutdownHook(end);
            System.setErr(new PrintStream(errors, true, System.err.charset()));
            out = tagged;
        }
        LineEnds lines = new LineEnds(out);
        System.setOut(new PrintStream(lines, true, System.out.charset()));
        return lines;
    }

    private static void endAll(TaggedLines... all) {
        for (TaggedLines lines : all) {
            try {
                lines.close();
            } catch (IOException cannot) {
                return; // standard output has noted it
            }
        }
    }

    @Override
    public void write(int b) throws IOException {
        target.write(b);
        last = b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        target.write(bytes, offset, length);
        if (length > 0) {
            last = bytes[offset + length - 1];
        }
    }

    @Override
    public void flush() throws IOException {
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
