package io.muninn.spi;

import java.util.Arrays;

/**
 * An immutable sequence of bytes, such as the content of a program's message. It is never copied.
 */
public final class Bytes {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] value;

    /**
     * @param value is not copied; the caller must not modify it afterwards
     */
    public Bytes(byte[] value) {
        this.value = value;
    }

    public int length() {
        return value.length;
    }

    /** The bytes themselves; must not be modified. */
    public byte[] array() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return value.length + " bytes";
    }
}
