package io.muninn.nativefault;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Batch variants of the {@link FaultEngine} methods of the same names: one native call for many
 * pages, which takes less time than a call for each. A batch is filled, passed to one of the
 * methods, read, and cleared.
 *
 * <p><b>Shape.</b> Up to {@link #PAGES_MAX} pages of one size, anywhere in the regions, indexed
 * from 0 in the order in which they were added.
 *
 * <p><b>Errors.</b> As for the engine's methods for one page. The pages before the one that failed
 * have been processed.
 *
 * <p><b>Threads.</b> The agent thread only; one batch at a time.
 */
public final class PageBatch {
    public static final int PAGES_MAX = 256;

    private final FaultEngine engine;
    private final MemorySegment pages =
            Arena.ofAuto().allocate((long) PAGES_MAX * FaultLibrary.BATCH_PAGE_BYTES, Long.BYTES);

    /** The same memory: its indices are {@code int}, which are cheaper to check, and to compile. */
    private final ByteBuffer fields = pages.asByteBuffer().order(ByteOrder.nativeOrder());

    private int count;

    public PageBatch(FaultEngine engine) {
        this.engine = engine;
    }

    public void clear() {
        count = 0;
    }

    /** Number of pages in the batch. */
    public int count() {
        return count;
    }

    public boolean isFull() {
        return count == PAGES_MAX;
    }

    /**
     * Adds a page.
     *
     * @param twin address of its twin, or 0 for none
     * @throws IllegalStateException if the batch is full
     */
    public void add(long offset, long twin) {
        if (isFull()) {
            throw new IllegalStateException("a batch has " + PAGES_MAX + " pages at most");
        }
        int at = at(count);
        fields.putLong(at, offset);
        fields.putLong(at + FaultLibrary.BATCH_PAGE_TWIN, twin);
        count++;
    }

    /**
     * Adds a page with a diff for {@link #apply}.
     *
     * @param diff a native segment, valid until then
     * @throws IllegalArgumentException if the diff is longer than any valid diff
     */
    public void add(long offset, long twin, MemorySegment diff) {
        if (diff.byteSize() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a diff of " + diff.byteSize() + " bytes");
        }
        add(offset, twin);
        int at = at(count - 1);
        fields.putLong(at + FaultLibrary.BATCH_PAGE_DIFF, NativeMemory.address(diff));
        fields.putInt(at + FaultLibrary.BATCH_PAGE_LENGTH, (int) diff.byteSize());
    }

    /** As {@link FaultEngine#freeze}; {@link #state} returns each page's result. */
    public void freeze(int bytes) {
        NativeCallException.checked(
                "dsm_batch_freeze",
                FaultLibrary.dsm_batch_freeze(engine.open(), pages.address(), count, bytes));
    }

    /** The result of {@link #freeze} for a page. */
    public TrapState state(int index) {
        return TrapState.of(result(index));
    }

    /** As {@link FaultEngine#offer}; {@link #isOffered} returns each page's result. */
    public void offer(int bytes) {
        NativeCallException.checked(
                "dsm_batch_offer",
                FaultLibrary.dsm_batch_offer(engine.open(), pages.address(), count, bytes));
    }

    /** The result of {@link #offer} for a page. */
    public boolean isOffered(int index) {
        return result(index) != 0;
    }

    /**
     * As {@link FaultEngine#diff} for each page, with or without keeping its twin. The diffs are
     * stored consecutively: {@link #diffOffset}, {@link #diffBytes} and {@link #granules} describe
     * each.
     *
     * @param out with capacity for {@link FaultEngine#diffBytesMax} bytes per page
     * @return total length of the diffs, in bytes
     * @throws NativeCallException also if {@code out} is shorter (ENOSPC), with nothing changed
     */
    public int diff(int bytes, int granuleBytes, boolean keepTwins, MemorySegment out) {
        return (int)
                NativeCallException.checked(
                        "dsm_batch_diff",
                        FaultLibrary.dsm_batch_diff(
                                engine.open(),
                                pages.address(),
                                count,
                                bytes,
                                granuleBytes,
                                keepTwins ? 1 : 0,
                                NativeMemory.address(out),
                                FaultEngine.capacity(out)));
    }

    /** Offset of a page's diff in the segment passed to {@link #diff}. */
    public long diffOffset(int index) {
        return fields.getLong(at(index) + FaultLibrary.BATCH_PAGE_DIFF);
    }

    /** The length of a page's diff; 0 if nothing differs. */
    public int diffBytes(int index) {
        return fields.getInt(at(index) + FaultLibrary.BATCH_PAGE_LENGTH);
    }

    /** The number of changed granules of a page. */
    public int granules(int index) {
        return result(index);
    }

    /**
     * As {@link FaultEngine#apply}, page by page; {@link #overlap} returns each page's result.
     *
     * @return the number of pages to which diffs were applied; if it is less than {@link #count},
     *     {@link #overlap} of the next page is the negative errno
     */
    public int apply(int bytes, int granuleBytes) {
        int failed =
                FaultLibrary.dsm_batch_apply(
                        engine.open(), pages.address(), count, bytes, granuleBytes);
        int applied = count;
        if (failed < 0) {
            applied = 0;
            while (result(applied) >= 0) {
                applied++;
            }
        }
        return applied;
    }

    /**
     * The number of granules of a page's diff in which page and twin differed before, or a negative
     * errno.
     */
    public int overlap(int index) {
        return result(index);
    }

    private int result(int index) {
        return fields.getInt(at(index) + FaultLibrary.BATCH_PAGE_RESULT);
    }

    private static int at(int index) {
        return index * FaultLibrary.BATCH_PAGE_BYTES;
    }
}
