package io.muninn.api;

/** What a caller of {@code segment(from, to, mode)} is going to do with the range. */
public enum Mode {
    /** Loads only: the segment is read-only. */
    READ,
    /** Loads and stores. */
    WRITE
}
