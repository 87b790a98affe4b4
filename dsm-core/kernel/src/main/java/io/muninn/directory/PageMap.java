package io.muninn.directory;

import io.muninn.model.PageId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values by page, looked up by region and index: a tenth of the time that a hash table takes.
 *
 * <p><b>Shape.</b> Any page; memory is taken for the chunks of pages in which there has been one,
 * up to twice the last of them.
 *
 * <p><b>Threads.</b> One.
 *
 * @param <V> of the values
 */
public final class PageMap<V> {
    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int CHUNK_MIN = 8; // of a region of few pages

    private Object[][][] regions = new Object[0][][];

    /** The value of a page; null if there is none. */
    public @Nullable V get(PageId page) {
        if (page.region() >= regions.length) {
            return null;
        }
        Object[][] chunks = regions[page.region()];
        int index = page.index() >> CHUNK_BITS;
        if (chunks == null || index >= chunks.length || chunks[index] == null) {
            return null;
        }
        int at = page.index() & (CHUNK - 1);
        return at < chunks[index].length ? value(chunks[index][at]) : null;
    }

    /** Replaces what there was. */
    public void put(PageId page, V value) {
        chunk(page)[page.index() & (CHUNK - 1)] = value;
    }

    /** Returns what there was; null if there was none. */
    public @Nullable V remove(PageId page) {
        V value = get(page);
        if (value != null) {
            regions[page.region()][page.index() >> CHUNK_BITS][page.index() & (CHUNK - 1)] = null;
        }
        return value;
    }

    private Object[] chunk(PageId page) {
        if (page.region() >= regions.length) {
            regions = Arrays.copyOf(regions, Math.max(page.region() + 1, 2 * regions.length));
        }
        Object[][] chunks = regions[page.region()];
        int index = page.index() >> CHUNK_BITS;
        if (chunks == null || index >= chunks.length) {
            int enough = chunks == null ? index + 1 : Math.max(index + 1, 2 * chunks.length);
            chunks = chunks == null ? new Object[enough][] : Arrays.copyOf(chunks, enough);
            regions[page.region()] = chunks;
        }
        int needed = (page.index() & (CHUNK - 1)) + 1;
        if (chunks[index] == null) {
            chunks[index] = new Object[CHUNK_MIN];
        }
        if (chunks[index].length < needed) {
            int length = Math.max(Integer.highestOneBit(2 * needed - 1), 2 * chunks[index].length);
            chunks[index] = Arrays.copyOf(chunks[index], Math.min(CHUNK, length));
        }
        return chunks[index];
    }

    @SuppressWarnings("unchecked") // nothing else is put there
    private V value(@Nullable Object stored) {
        return (V) stored;
    }
}
