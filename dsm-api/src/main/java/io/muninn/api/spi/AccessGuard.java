package io.muninn.api.spi;

import io.muninn.api.Mode;
import java.lang.foreign.MemorySegment;

/**
 * Is called before each access that a program makes through its views. Simulations use guards:
 * there a node's memory is plain memory, and the guard raises the faults that the hardware raises
 * in a live run. So do runs that look for races, whose guards record loads.
 *
 * <p><b>Shape.</b> Offsets are in bytes: from the start of the view for {@link ViewBinder#bind},
 * from the start of the region for {@link DsmSession#guard}. A range is at least one byte and lies
 * within the view's memory. One call guards a range of several elements.
 *
 * <p><b>Order.</b> When a call returns, the access follows at once: no code of the program and no
 * wait lies between. An access that the view refuses (out of range, misaligned, sealed, not yet
 * bound) is not guarded.
 *
 * <p><b>Errors.</b> An exception of a call is thrown to the program in place of the access.
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
     * As {@link #load}, for a range that {@link #lend} lends next: the program may load less.
     *
     * @param offset of the first byte, from 0
     * @param bytes length of the range, at least 1
     */
    default void mayLoad(long offset, long bytes) {
        load(offset, bytes);
    }

    /**
     * Returns when {@code bytes} bytes from {@code offset} on may be loaded and stored. Atomic
     * operations are stores, whether they change the element or not.
     *
     * @param offset of the first byte, from 0
     * @param bytes length of the range, at least 1
     */
    void store(long offset, long bytes);

    /**
     * Lends a range to the program, which then loads and stores without further calls. Called by
     * {@code segment(from, to, mode)} of a view, right after {@link #mayLoad} or {@link #store} of
     * the range.
     *
     * @param part the range's bytes, at least 1
     * @param offset of its first byte, from 0
     * @param mode READ after {@link #mayLoad}, WRITE after {@link #store}; the caller makes the
     *     result read-only for READ
     * @return the same bytes; its lifetime may be bounded, so that a use after the node has lost a
     *     page of the range throws {@link IllegalStateException}
     */
    MemorySegment lend(MemorySegment part, long offset, Mode mode);
}
