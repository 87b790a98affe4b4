package io.muninn.api;

/** The intended use of a range obtained by {@code segment(from, to, mode)}. */
public enum Mode {
    /** Loads only: the segment is read-only. */
    READ,
    /** Loads and stores. */
    WRITE
}
