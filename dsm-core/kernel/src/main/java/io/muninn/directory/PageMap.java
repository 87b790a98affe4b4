package io.muninn.directory;

import io.muninn.model.PageId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A map from pages to values, with lookup by region and index: a tenth of the time of a hash table.
 *
 * <p><b>Shape.</b> Any page. Memory is used for chunks that have contained a page, up to twice the
 * last of them.
 *
 * <p><b>Threads.</b> One.
 *
 * @param <V> type of the values
 */
public final class PageMap<V> {
    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int CHUNK_MIN = 8; // for regions of few pages

    private @Nullable Object[] @Nullable [] @Nullable [] regions = new Object[0][][];

    /** Returns the value of a page; null if there is none. */
    public @Nullable V get(PageId page) {
        if (page.region() >= regions.length) {
            return null;
        }
        @Nullable Object[] @Nullable [] chunks = regions[page.region()];
        int index = page.index() >> CHUNK_BITS;
        if (chunks == null || index >= chunks.length || chunks[index] == null) {
            return null;
        }
        int at = page.index() & (CHUNK - 1);
        return at < chunks[index].length ? value(chunks[index][at]) : null;
    }

    /** Sets the value of a page, replacing any earlier one. */
    public void put(PageId page, V value) {
        chunk(page)[page.index() & (CHUNK - 1)] = value;
    }

    /** Removes and returns the value of a page; null if there is none. */
    public @Nullable V remove(PageId page) {
        V value = get(page);
        if (value != null) {
            chunk(page)[page.index() & (CHUNK - 1)] = null;
        }
        return value;
    }

    private @Nullable Object[] chunk(PageId page) {
        if (page.region() >= regions.length) {
            regions = Arrays.copyOf(regions, Math.max(page.region() + 1, 2 * regions.length));
        }
        @Nullable Object[] @Nullable [] chunks = regions[page.region()];
        int index = page.index() >> CHUNK_BITS;
        if (chunks == null || index >= chunks.length) {
            int enough = chunks == null ? index + 1 : Math.max(index + 1, 2 * chunks.length);
            chunks = chunks == null ? new Object[enough][] : Arrays.copyOf(chunks, enough);
            regions[page.region()] = chunks;
        }
        int needed = (page.index() & (CHUNK - 1)) + 1;
        @Nullable Object[] chunk = chunks[index];
        if (chunk == null) {
            chunk = new Object[CHUNK_MIN];
            chunks[index] = chunk;
        }
        if (chunk.length < needed) {
            int length = Math.max(Integer.highestOneBit(2 * needed - 1), 2 * chunk.length);
            chunk = Arrays.copyOf(chunk, Math.min(CHUNK, length));
            chunks[index] = chunk;
        }
        return chunk;
    }

    @SuppressWarnings("unchecked") // only values of this type are stored
    private @Nullable V value(@Nullable Object stored) {
        return (V) stored;
    }
}
