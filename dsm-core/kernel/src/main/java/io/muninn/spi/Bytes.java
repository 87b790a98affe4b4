package io.muninn.spi;

import java.util.Arrays;

/** An immutable string of bytes: what a program sends by message. Nobody copies it on the way. */
public final class Bytes {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] value;

    /**
     * @param value handed over; the caller does not touch it again
     */
    public Bytes(byte[] value) {
        this.value = value;
    }

    public int length() {
        return value.length;
    }

    /** The bytes themselves; only to be read. */
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
