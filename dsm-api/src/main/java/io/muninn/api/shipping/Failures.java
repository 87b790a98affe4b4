package io.muninn.api.shipping;

import io.muninn.api.DsmException;
import io.muninn.api.ShippedCallException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the exception of a call: type, message and stack frames, of it and of its causes.
 *
 * <pre>
 * u32 how many, outermost first; each: type text, has a message u8, message text,
 * u32 frames, each: class text, method text, file text (may be empty), line u32
 * </pre>
 */
final class Failures {
    private static final int CAUSES_MAX = 8;
    private static final int FRAMES_MAX = 200;

    private Failures() {}

    static void write(Throwable thrown, ByteSink out) {
        int count = 0;
        for (Throwable each = thrown; each != null && count < CAUSES_MAX; each = each.getCause()) {
            count++;
        }
        out.u32(count);
        Throwable each = thrown;
        for (int i = 0; i < count && each != null; i++) {
            writeOne(each, out);
            each = each.getCause();
        }
    }

    private static void writeOne(Throwable thrown, ByteSink out) {
        String message = thrown.getMessage();
        out.text(thrown.getClass().getName());
        out.u8(message == null ? 0 : 1);
        out.text(message == null ? "" : message);
        StackTraceElement[] frames = thrown.getStackTrace();
        int count = Math.min(frames.length, FRAMES_MAX);
        out.u32(count);
        for (int i = 0; i < count; i++) {
            out.text(frames[i].getClassName());
            out.text(frames[i].getMethodName());
            out.text(frames[i].getFileName() == null ? "" : frames[i].getFileName());
            out.u32(frames[i].getLineNumber());
        }
    }

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
        int count = in.count(1);
        ShippedCallException outermost = null;
        ShippedCallException last = null;
        Optional<String> message = Optional.empty();
        for (int i = 0; i < count; i++) {
            String type = in.text();
            boolean hasMessage = in.u8() != 0;
            String text = in.text();
            ShippedCallException each =
                    new ShippedCallException(type, hasMessage ? type + ": " + text : type);
            each.setStackTrace(readFrames(in));
            if (last == null) {
                outermost = each;
                message = hasMessage ? Optional.of(text) : Optional.empty();
            } else {
                last.initCause(each);
            }
            last = each;
        }
        if (outermost == null) {
            throw new DsmException("a failure of nothing came from " + where);
        }
        String type = outermost.type();
        ShippedCallException cause = outermost;
        return same(cause, message.orElse(null), loader, declared)
                .orElseGet(() ->
                        new ShippedCallException(type, where + " threw " + type).initCause(cause));
    }

    private static StackTraceElement[] readFrames(ByteSource in) {
        StackTraceElement[] frames = new StackTraceElement[in.count(1)];
        for (int i = 0; i < frames.length; i++) {
            String type = in.text();
            String method = in.text();
            String file = in.text();
            frames[i] = new StackTraceElement(type, method, file.isEmpty() ? null : file, in.u32());
        }
        return frames;
    }

    /**
     * Creates an exception of the original type with that cause, if the method may throw the type
     * and it has a constructor with a message.
     */
    private static Optional<Throwable> same(
            ShippedCallException cause,
            @Nullable String message,
            @Nullable ClassLoader loader,
            List<Class<?>> declared) {
        try {
            Class<?> type = Class.forName(cause.type(), false, loader);
            if (!mayBeThrown(type, declared) || Modifier.isAbstract(type.getModifiers())) {
                return Optional.empty();
            }
            Constructor<?> constructor = type.getConstructor(String.class);
            if (!Modifier.isPublic(type.getModifiers())) {
                constructor.setAccessible(true);
            }
            Throwable made = (Throwable) constructor.newInstance(message);
            return Optional.of(made.initCause(cause));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException unsuitable) {
            return Optional.empty(); // the caller still gets its message and frames
        }
    }

    private static boolean mayBeThrown(Class<?> type, List<Class<?>> declared) {
        return RuntimeException.class.isAssignableFrom(type)
                || Error.class.isAssignableFrom(type)
                || declared.stream().anyMatch(each -> each.isAssignableFrom(type));
    }
}
