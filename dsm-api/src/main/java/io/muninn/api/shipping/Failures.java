package io.muninn.api.shipping;

import io.muninn.api.DsmException;
import io.muninn.api.ShippedCallException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the exception of a call: type, message and stack frames, of it, of its causes and of the
 * exceptions that these have suppressed.
 *
 * <pre>
 * u8 1 if there is a {@link Replica}: constructor u32, has a message u8, message text; else 0
 * description: type text, text text (type and message)
 *   u32 frames, each: class text, method text, file text (may be empty), line u32
 *   u8 1 and the description of the cause, if there is one; u8 0
 *   u8 1 and a description for each suppressed exception; u8 0
 * </pre>
 *
 * <p>Every exception can be encoded: an exception thrown by its own methods is replaced by a text.
 */
final class Failures {
    /** Longest text, in characters; the rest of a longer one is left out. */
    static final int TEXT_MAX = 1 << 16;

    /**
     * Largest number of descriptions, causes before suppressed exceptions; further ones are left
     * out.
     */
    static final int DESCRIPTIONS_MAX = 32;

    /** Largest depth of causes and suppressed exceptions below an exception. */
    private static final int DEPTH_MAX = 8;

    private static final int FRAMES_MAX = 200;
    private static final int FRAME_BYTES_MIN = 4 * Integer.BYTES;

    private Failures() {}

    // ---- writing ----

    static void write(Throwable thrown, ByteSink out) {
        boolean isShort = text(thrown).length() <= TEXT_MAX;
        Optional<Replica> replica = isShort ? Replica.of(thrown) : Optional.empty();
        out.u8(replica.isPresent() ? 1 : 0);
        replica.ifPresent(found -> {
            out.u32(found.constructor());
            out.u8(found.message() == null ? 0 : 1);
            out.text(found.message() == null ? "" : found.message());
        });
        new Writer(out).write(thrown, 0);
    }

    private static final class Writer {
        private final ByteSink out;
        private int left = DESCRIPTIONS_MAX;

        Writer(ByteSink out) {
            this.out = out;
        }

        void write(Throwable thrown, int depth) {
            left--;
            String text = text(thrown);
            int more = text.length() - TEXT_MAX;
            out.text(type(thrown));
            out.text(more > 0 ? text.substring(0, TEXT_MAX) + "... and " + more + " more" : text);
            writeFrames(orElse(thrown::getStackTrace, new StackTraceElement[0]));
            Throwable cause = orElse(thrown::getCause, null);
            writeAll(cause == null ? List.of() : List.of(cause), depth + 1);
            writeAll(List.of(thrown.getSuppressed()), depth + 1);
        }

        private void writeAll(List<Throwable> all, int depth) {
            for (Throwable each : all) {
                if (left > 0 && depth <= DEPTH_MAX) {
                    out.u8(1);
                    write(each, depth);
                }
            }
            out.u8(0);
        }

        private void writeFrames(StackTraceElement[] frames) {
            int count = Math.min(frames.length, FRAMES_MAX);
            out.u32(count);
            for (int i = 0; i < count; i++) {
                out.text(frames[i].getClassName());
                out.text(frames[i].getMethodName());
                out.text(frames[i].getFileName() == null ? "" : frames[i].getFileName());
                out.u32(frames[i].getLineNumber());
            }
        }
    }

    private static boolean isDescription(Throwable thrown) {
        return thrown.getClass() == ShippedCallException.class;
    }

    /** The type; of a description of an exception of a third node, the type that it describes. */
    private static String type(Throwable thrown) {
        return isDescription(thrown)
                ? ((ShippedCallException) thrown).type()
                : thrown.getClass().getName();
    }

    private static String text(Throwable thrown) {
        String type = type(thrown);
        try {
            String message = thrown.getMessage();
            if (message == null) {
                return type;
            }
            boolean isWhole = isDescription(thrown) && message.startsWith(type);
            return isWhole ? message : type + ": " + message;
        } catch (Throwable inside) {
            return type + ", whose getMessage threw " + inside.getClass().getName();
        }
    }

    private static <T extends @Nullable Object> T orElse(Supplier<T> ofAnException, T otherwise) {
        try {
            return ofAnException.get();
        } catch (Throwable ofItsOwnMethod) {
            return otherwise;
        }
    }

    // ---- reading ----

    /**
     * Returns the exception to throw to the caller: of the original type if possible, with the
     * original's description as its cause.
     *
     * @param where object and node, for the message if another type is used
     * @param loader loads the types of the interface
     * @param declared the exceptions that the method declares
     */
    static Throwable read(
            ByteSource in, String where, @Nullable ClassLoader loader, List<Class<?>> declared) {
        Optional<Replica> replica = in.u8() == 0 ? Optional.empty() : Optional.of(readReplica(in));
        List<ShippedCallException> suppressed = new ArrayList<>();
        ShippedCallException description = readDescription(in, 0, suppressed);
        Throwable thrown =
                replica.flatMap(each -> same(each, description, loader, declared))
                        .orElseGet(() -> other(description, where));
        suppressed.forEach(thrown::addSuppressed);
        return thrown;
    }

    private static Replica readReplica(ByteSource in) {
        int constructor = in.index(Replica.CONSTRUCTORS);
        boolean hasMessage = in.u8() != 0;
        String message = in.text();
        return new Replica(constructor, hasMessage ? message : null);
    }

    /**
     * @param suppressed receives the descriptions of the exceptions that it has suppressed
     */
    private static ShippedCallException readDescription(
            ByteSource in, int depth, List<ShippedCallException> suppressed) {
        ShippedCallException description = new ShippedCallException(in.text(), in.text());
        description.setStackTrace(readFrames(in));
        readAll(in, depth + 1, 1).forEach(description::initCause);
        suppressed.addAll(readAll(in, depth + 1, DESCRIPTIONS_MAX));
        return description;
    }

    private static List<ShippedCallException> readAll(ByteSource in, int depth, int most) {
        List<ShippedCallException> all = new ArrayList<>();
        while (in.u8() != 0) {
            if (depth > DEPTH_MAX || all.size() == most) {
                throw new DsmException("a failure is malformed: too many causes");
            }
            List<ShippedCallException> suppressed = new ArrayList<>();
            ShippedCallException each = readDescription(in, depth, suppressed);
            suppressed.forEach(each::addSuppressed);
            all.add(each);
        }
        return all;
    }

    private static StackTraceElement[] readFrames(ByteSource in) {
        StackTraceElement[] frames = new StackTraceElement[in.count(FRAME_BYTES_MIN)];
        for (int i = 0; i < frames.length; i++) {
            String type = in.text();
            String method = in.text();
            String file = in.text();
            frames[i] = new StackTraceElement(type, method, file.isEmpty() ? null : file, in.u32());
        }
        return frames;
    }

    /** Creates an exception of the original type, if the method may throw the type. */
    private static Optional<Throwable> same(
            Replica replica,
            ShippedCallException cause,
            @Nullable ClassLoader loader,
            List<Class<?>> declared) {
        try {
            Class<?> type = Class.forName(cause.type(), false, loader);
            return mayBeThrown(type, declared) ? replica.make(type, cause) : Optional.empty();
        } catch (ClassNotFoundException | LinkageError unknownHere) {
            return Optional.empty(); // the caller still gets its text and frames
        }
    }

    private static boolean mayBeThrown(Class<?> type, List<Class<?>> declared) {
        return RuntimeException.class.isAssignableFrom(type)
                || Error.class.isAssignableFrom(type)
                || declared.stream().anyMatch(each -> each.isAssignableFrom(type));
    }

    private static Throwable other(ShippedCallException cause, String where) {
        return new ShippedCallException(cause.type(), where + " threw " + cause.getMessage())
                .initCause(cause);
    }
}
