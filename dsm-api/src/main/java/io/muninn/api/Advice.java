package io.muninn.api;

/**
 * Whether a node pushes, at barriers, the pages of a {@link Protocol#HYBRID} variable to which it
 * has stored to the nodes that have requested them.
 *
 * <p>Source: Keleher and Tseng, "Enhancing Software DSM for Compiler-Parallelized Applications",
 * section 3.1.3.
 */
public enum Advice {
    /** Pushes a page to the nodes that have repeatedly requested it. The default. */
    AUTOMATIC,
    /**
     * Pushes a page to every node that has requested it, or is known to have stored to it since
     * this advice.
     */
    FLUSH,
    /** Pushes nothing. */
    INVALIDATE
}
