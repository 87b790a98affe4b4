package io.muninn.nativefault;

/**
 * Receives what traps have done to pages, on the agent thread. Of one page, an entry comes before
 * what followed it.
 */
@FunctionalInterface
public interface DirtiedSink {
    /**
     * A trap has made the page's twin.
     *
     * @param offset offset of the page, in bytes from the start of the regions
     */
    void onDirtied(long offset);

    /**
     * A trap has entered the page in the coherent map, and has mapped a copy of its frame, or is
     * about to. Only pages that were {@linkplain PoolPages#offerAbsent offered} for it are.
     */
    default void onEntered(long offset) {
        throw new IllegalStateException("nobody offered the page at " + offset + " for entering");
    }

    /** The node must check the page at each acquire, until it leaves it. */
    default void onUnsafe(long offset) {
        throw new IllegalStateException("nobody offered the page at " + offset + " for entering");
    }
}
