package io.muninn.model;

/** What local threads may do to a page without a fault. */
public enum PageAccess {
    /** Every load and store faults; the page's content, if there is any, is kept. */
    NONE,
    /** Loads go through, stores fault. */
    READ,
    /** Loads and stores go through. */
    READ_WRITE
}
