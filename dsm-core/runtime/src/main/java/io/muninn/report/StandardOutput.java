package io.muninn.report;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Standard output of this process, which records the reason of a failed write. A {@link
 * PrintStream} only swallows the exception, and a result that was not written would look like
 * success.
 *
 * <p><b>Threads.</b> Any.
 */
public final class StandardOutput extends OutputStream {
    private static final StandardOutput ONLY =
            new StandardOutput(new FileOutputStream(FileDescriptor.out));

    private final OutputStream descriptor;
    private @Nullable String loss; // null without a loss, or if a loss was taken
    private boolean taken;

    StandardOutput(OutputStream descriptor) {
        this.descriptor = descriptor;
    }

    /** Installs this stream below {@link System#out}. */
    public static void install() {
        PrintStream before = System.out;
        before.flush();
        System.setOut(new PrintStream(new BufferedOutputStream(ONLY), true, before.charset()));
    }

    /** The stream of this process, without a buffer. */
    public static StandardOutput stream() {
        return ONLY;
    }

    /** As {@link #takeLoss} of this process, after {@link System#out} has been flushed. */
    public static Optional<String> lost() {
        System.out.flush();
        return ONLY.takeLoss();
    }

    /**
     * Returns the reason why output was lost, as text for the user; once, so that one part of a
     * process reports it.
     */
    synchronized Optional<String> takeLoss() {
        Optional<String> text =
                Optional.ofNullable(loss).map(why -> "cannot write standard output: " + why);
        taken |= loss != null;
        loss = null;
        return text;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            descriptor.write(bytes, offset, length);
        } catch (IOException cannot) {
            note(cannot);
            throw cannot;
        }
    }

    private synchronized void note(IOException cannot) {
        if (!taken) { // the next flush writes a buffer again
            loss = String.valueOf(cannot.getMessage());
        }
    }
}
