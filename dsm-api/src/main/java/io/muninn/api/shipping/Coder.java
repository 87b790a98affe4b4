package io.muninn.api.shipping;

import org.jspecify.annotations.Nullable;

/** Writes and reads the values of one type. */
interface Coder {
    /** Largest nesting depth of lists, maps, optionals and records in a value. */
    int DEPTH_MAX = 500;

    /**
     * @param value of the coder's type; null is possible for references only
     * @param depth levels below the argument or result, which is level 0
     * @throws IllegalArgumentException if the value is nested deeper than {@link #DEPTH_MAX}
     */
    void write(@Nullable Object value, ByteSink out, int depth);

    /** Returns a new object equal to the one written. */
    @Nullable Object read(ByteSource in);
}
