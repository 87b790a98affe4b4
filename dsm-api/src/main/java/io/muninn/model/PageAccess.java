package io.muninn.model;

/** The accesses that local threads may make to a page without a fault. */
public enum PageAccess {
    /** Every load and store faults. The page keeps its content, if it has any. */
    NONE,
    /** Loads succeed, stores fault. */
    READ,
    /** Loads and stores succeed. */
    READ_WRITE
}
