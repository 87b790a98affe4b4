package io.muninn.api.shipping;

import org.jspecify.annotations.Nullable;

/** Writes and reads the values of one type. */
interface Coder {
    /** Nesting of lists, maps, optionals and records that a value may have at most. */
    int DEPTH_MAX = 500;

    /**
     * @param value of the coder's type; null is possible for references only
     * @param depth levels below the argument or result, which is level 0
     * @throws IllegalArgumentException if the value is nested deeper than {@link #DEPTH_MAX}
     */
    void write(@Nullable Object value, ByteSink out, int depth);

    /** What was written: equal, and newly made. */
    @Nullable Object read(ByteSource in);
}
