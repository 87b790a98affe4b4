package io.muninn.model;

/** What local threads may do to a page without a fault. */
public enum PageAccess {
    /** Every load and store faults. The page keeps its content, if it has any. */
    NONE,
    /** Loads succeed, stores fault. */
    READ,
    /** Loads and stores succeed. */
    READ_WRITE
}
