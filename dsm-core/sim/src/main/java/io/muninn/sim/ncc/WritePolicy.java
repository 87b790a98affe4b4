package io.muninn.sim.ncc;

import java.util.Locale;

/**
 * What a cache does with stores to shared pages. Hardware-coherent caches always write back.
 *
 * <p>Source: Kontothanassis and Scott, section 4.2.
 */
public enum WritePolicy {
    /** A line remembers its dirty words until it is evicted or flushed. */
    WRITE_BACK,
    /** Each store goes to memory at once. */
    WRITE_THROUGH,
    /** Each store goes to a small buffer, which merges stores to the same line. */
    MERGE_BUFFER;

    /** The name in commands and tables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
