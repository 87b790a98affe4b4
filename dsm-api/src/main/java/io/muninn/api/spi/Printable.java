package io.muninn.api.spi;

import io.muninn.api.DsmException;
import java.io.PrintWriter;
import java.io.Writer;

/** Makes exceptions of a program printable before they are reported. */
public final class Printable {
    private Printable() {}

    /**
     * Returns the exception if it can be printed. Otherwise, one of its own methods or of a cause
     * throws, which would hide it: returns an exception with its type and frames.
     */
    public static Throwable of(Throwable thrown) {
        try {
            thrown.printStackTrace(new PrintWriter(Writer.nullWriter()));
            return thrown;
        } catch (Throwable inside) {
            DsmException instead =
                    new DsmException(
                            thrown.getClass().getName()
                                    + ", which cannot be printed: a method of it or of a cause"
                                    + " threw "
                                    + inside.getClass().getName());
            instead.setStackTrace(frames(thrown));
            return instead;
        }
    }

    private static StackTraceElement[] frames(Throwable thrown) {
        try {
            return thrown.getStackTrace();
        } catch (Throwable ofItsOwnMethod) {
            return new StackTraceElement[0];
        }
    }
}
