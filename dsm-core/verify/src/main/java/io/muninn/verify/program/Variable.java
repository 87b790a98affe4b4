package io.muninn.verify.program;

import io.muninn.model.PageId;

/**
 * One shared element.
 *
 * @param offset bytes from the start of the page, a multiple of {@code bytes}
 * @param bytes 8, 4, 2 or 1; at least the granule of its region
 */
public record Variable(PageId page, int offset, int bytes) {
    /** Returns a value as the element stores it: cut to its width and sign-extended. */
    public long cut(long value) {
        int shift = Long.SIZE - bytes * Byte.SIZE;
        return value << shift >> shift;
    }

    @Override
    public String toString() {
        return page + "+" + offset + ":" + bytes;
    }
}
