package io.muninn.api.spi;

import io.muninn.api.DsmException;
import java.io.PrintWriter;
import java.io.Writer;

/** Exceptions of a program as they are reported: each can be printed. */
public final class Printable {
    private Printable() {}

    /**
     * Returns the exception, or one with its type and frames instead, if its own methods or those
     * of a cause throw when it is printed. They would hide it.
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
