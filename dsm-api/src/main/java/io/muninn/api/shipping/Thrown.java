package io.muninn.api.shipping;

import java.util.List;

/** An exception in encoded form: type, message and frames, of it and of its causes. */
public final class Thrown {
    private Thrown() {}

    public static byte[] write(Throwable thrown) {
        ByteSink out = new ByteSink();
        Failures.write(thrown, out);
        return out.toBytes();
    }

    /**
     * Returns the exception to throw here: of the original type if that is unchecked and has a
     * constructor with a message.
     *
     * @param where for the message if another type is used
     * @param program its class loader loads the exceptions
     */
    public static Throwable read(byte[] bytes, String where, Class<?> program) {
        return Failures.read(new ByteSource(bytes), where, program.getClassLoader(), List.of());
    }
}
