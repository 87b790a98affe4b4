package io.muninn.api.shipping;

import java.util.Objects;

/**
 * Values of one type as bytes, in the format of arguments of shipped calls.
 *
 * <p><b>Threads.</b> Any.
 *
 * @param <T> the type
 */
public final class ValueCoder<T> {
    private final Class<T> type;
    private final Coder coder;

    private ValueCoder(Class<T> type, Coder coder) {
        this.type = type;
        this.coder = coder;
    }

    /**
     * @throws IllegalArgumentException if values of the type cannot be shipped; the text names it
     */
    public static <T> ValueCoder<T> of(Class<T> type) {
        return new ValueCoder<>(type, new Coders().of(type));
    }

    public Class<T> type() {
        return type;
    }

    /**
     * @throws IllegalArgumentException if the value is nested too deep
     */
    public byte[] write(T value) {
        ByteSink out = new ByteSink();
        coder.write(value, out, 0);
        return out.toBytes();
    }

    /** Returns a new object equal to the one written. */
    @SuppressWarnings("unchecked") // the coder of T reads what it wrote
    public T read(byte[] bytes) {
        T value = (T) coder.read(new ByteSource(bytes));
        return Objects.requireNonNull(value, () -> "a null instead of a " + type.getName());
    }
}
