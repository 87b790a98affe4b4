package io.muninn.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A received message; see {@link Messages#receive(int, int)}.
 *
 * @param node the sender, 0-based
 * @param tag the tag it was sent with
 * @param content its bytes, read-only, valid as long as the message is reachable
 */
public record Message(int node, int tag, MemorySegment content) {
    /** Length of the content in bytes, 0 to {@link Messages#BYTES_MAX}. */
    public int bytes() {
        return (int) content.byteSize();
    }

    /** The content as 64-bit integers in the machine's byte order. */
    public long[] longs() {
        checkMultiple(Long.BYTES, "longs");
        long[] values = new long[bytes() / Long.BYTES];
        MemorySegment.copy(content, ValueLayout.JAVA_LONG_UNALIGNED, 0, values, 0, values.length);
        return values;
    }

    /** The content as doubles in the machine's byte order. */
    public double[] doubles() {
        checkMultiple(Double.BYTES, "doubles");
        double[] values = new double[bytes() / Double.BYTES];
        MemorySegment.copy(content, ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, values, 0, values.length);
        return values;
    }

    private void checkMultiple(int elementBytes, String what) {
        if (bytes() % elementBytes != 0) {
            throw new DsmException(
                    "message of "
                            + bytes()
                            + " bytes from node "
                            + node
                            + " with tag "
                            + tag
                            + " does not hold "
                            + what);
        }
    }
}
