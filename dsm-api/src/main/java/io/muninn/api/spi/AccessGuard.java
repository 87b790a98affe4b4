package io.muninn.api.spi;

import io.muninn.api.Mode;
import java.lang.foreign.MemorySegment;

/**
 * Sees what a program does through its views before it is done. Only a simulation has one: there
 * the memory of a node is plain memory, and this is what faults where a live run's hardware does.
 *
 * <p><b>Shape.</b> Offsets are in bytes from the start of what is guarded: of the view for {@link
 * ViewBinder#bind}, of the region for {@link DsmSession#guard}. A range is at least one byte and
 * lies in the view's memory; a range of several elements is guarded by one call.
 *
 * <p><b>Order.</b> When a call returns, the access follows at once, with nothing of the program and
 * nothing that waits between. An access that the view refuses (out of range, out of alignment,
 * sealed, no memory yet) is not guarded.
 *
 * <p><b>Errors.</b> What a call throws, the program gets in place of the access.
 *
 * <p><b>Threads.</b> The application thread that makes the access, which the call may suspend until
 * the access is allowed.
 */
public interface AccessGuard {
    /**
     * Returns when {@code bytes} bytes from {@code offset} on may be loaded.
     *
     * @param offset of the first byte, from 0
     * @param bytes length of the range, at least 1
     */
    void load(long offset, long bytes);

    /**
     * Returns when {@code bytes} bytes from {@code offset} on may be loaded and stored. Atomic
     * operations are stores, whether they change the element or not.
     *
     * @param offset of the first byte, from 0
     * @param bytes length of the range, at least 1
     */
    void store(long offset, long bytes);

    /**
     * Gives a range to the program, to load and store without further calls. Called by {@code
     * segment(from, to, mode)} of a view, right after {@link #load} or {@link #store} of the range.
     *
     * @param part the range's bytes, at least 1
     * @param offset of its first byte, from 0
     * @param mode READ after {@link #load}, WRITE after {@link #store}; the caller makes the result
     *     read-only for READ
     * @return the same bytes; may be bounded in life, so that a use after the node has lost a page
     *     of the range throws {@link IllegalStateException}
     */
    MemorySegment lend(MemorySegment part, long offset, Mode mode);
}
