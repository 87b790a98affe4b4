package io.muninn.kernel.port;

import io.muninn.wire.Payload;
import java.lang.foreign.MemorySegment;

/** Turns a payload's name into bytes. */
public interface PayloadSource {
    /**
     * The current bytes of a payload.
     *
     * @return a view valid until the next effect; the empty segment for a page of zeros
     */
    MemorySegment bytes(Payload payload);
}
