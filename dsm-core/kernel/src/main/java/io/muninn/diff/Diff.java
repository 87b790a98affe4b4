package io.muninn.diff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The granules of a page that differ from its twin, in the encoding that is sent: the same as the
 * native engine's, see {@code diff_encode.h}.
 *
 * <p><b>Shape.</b> Pages and twins have 64 to 65536 bytes, a multiple of 64; granules have 1, 2, 4
 * or 8. Runs are in ascending order, little-endian; an empty diff has no bytes:
 *
 * <pre>
 *  0            2            4
 *  +------------+------------+------------------------------+
 *  | skip   u16 | count  u16 | count * granuleBytes bytes   |
 *  +------------+------------+------------------------------+
 * </pre>
 *
 * <p>{@code skip} counts granules since the end of the previous run, {@code count} is 1 or more.
 * 65536 changed granules of one byte are two runs, of 65535 and of 1.
 *
 * <p><b>Errors.</b> A page, twin or granule of another size causes {@link
 * IllegalArgumentException}, and so does a malformed diff, before anything is stored.
 *
 * <p><b>Threads.</b> Any, while no other thread stores to the page: unlike the native engine, this
 * class does not load or store granules atomically.
 */
public final class Diff {
    private static final int PAGE_BYTES_MAX = 1 << 16;
    private static final int BLOCK_BYTES = 64;
    private static final int HEADER_BYTES = 4;
    private static final int RUN_GRANULES_MAX = 0xFFFF;

    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[PAGE_BYTES_MAX]);
    private static final Diff EMPTY = new Diff(0, new byte[0]);

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int granules;
    private final byte[] bytes;

    private Diff(int granules, byte[] bytes) {
        this.granules = granules;
        this.bytes = bytes;
    }

    /** Number of granules that differ. */
    public int granules() {
        return granules;
    }

    /** The encoded runs. Not a copy; must not be modified. */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Compares a page with its twin. Neither is changed.
     *
     * @param twin twin with the page's length
     * @param granuleBytes 8, 4, 2 or 1
     */
    public static Diff of(MemorySegment page, MemorySegment twin, int granuleBytes) {
        checkShape(page.byteSize(), granuleBytes);
        checkTwin(page, twin);
        long at = nextBlock(page, twin, 0);
        if (at == page.byteSize()) {
            return EMPTY;
        }
        Encoder encoder = new Encoder(page, twin, granuleBytes);
        while (at < page.byteSize()) {
            encoder.addBlock(at);
            at = nextBlock(page, twin, at + BLOCK_BYTES);
        }
        return encoder.end();
    }

    /** Receives the granules of a diff, one by one. */
    @FunctionalInterface
    public interface Granules {
        /**
         * @param index index of the granule in its page
         * @param value its bytes, read little-endian and sign-extended
         */
        void take(int index, long value);
    }

    /** Passes the granules of a diff to a consumer, in ascending order. */
    public static void forEach(
            MemorySegment diff, int pageBytes, int granuleBytes, Granules granules) {
        checkShape(pageBytes, granuleBytes);
        checkRuns(diff, pageBytes / granuleBytes, granuleBytes);
        int index = 0;
        long at = 0;
        while (at < diff.byteSize()) {
            index += u16(diff, at);
            int count = u16(diff, at + 2);
            at += HEADER_BYTES;
            for (int i = 0; i < count; i++) {
                granules.take(index++, value(diff, at, granuleBytes));
                at += granuleBytes;
            }
        }
    }

    /** Reads a granule, little-endian and sign-extended. */
    public static long value(MemorySegment bytes, long at, int granuleBytes) {
        long value = 0;
        for (int i = granuleBytes - 1; i >= 0; i--) {
            value = value << Byte.SIZE | bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF;
        }
        int shift = Long.SIZE - granuleBytes * Byte.SIZE;
        return value << shift >> shift;
    }

    /**
     * Stores the granules of a diff into a page, and no other byte.
     *
     * @return 0: without a twin nothing overlaps
     */
    public static int apply(MemorySegment diff, MemorySegment page, int granuleBytes) {
        checkShape(page.byteSize(), granuleBytes);
        checkRuns(diff, page.byteSize() / granuleBytes, granuleBytes);
        store(diff, page, granuleBytes);
        return 0;
    }

    /**
     * Stores the granules of a diff into a page and into its twin, and no other byte. A difference
     * between page and twin is a local store: there only the twin is stored to, so that the next
     * comparison finds the local store.
     *
     * @param twin twin with the page's length
     * @return granules of the diff in which page and twin differed before
     */
    public static int apply(
            MemorySegment diff, MemorySegment page, MemorySegment twin, int granuleBytes) {
        checkShape(page.byteSize(), granuleBytes);
        checkTwin(page, twin);
        checkRuns(diff, page.byteSize() / granuleBytes, granuleBytes);
        int overlap = storeBehindStores(diff, page, twin, granuleBytes);
        store(diff, twin, granuleBytes);
        return overlap;
    }

    /** True if a page, or a part of one, contains only zeros. */
    public static boolean isZero(MemorySegment page) {
        long length = page.byteSize();
        return length <= PAGE_BYTES_MAX
                && MemorySegment.mismatch(page, 0, length, ZEROS, 0, length) < 0;
    }

    /** The offset of the next differing block from {@code from} on; the length if there is none. */
    private static long nextBlock(MemorySegment page, MemorySegment twin, long from) {
        long length = page.byteSize();
        long found = MemorySegment.mismatch(page, from, length, twin, from, length);
        return found < 0 ? length : (from + found) & -BLOCK_BYTES;
    }

    private static void checkShape(long pageBytes, int granuleBytes) {
        if (pageBytes == 0 || pageBytes > PAGE_BYTES_MAX || pageBytes % BLOCK_BYTES != 0) {
            throw new IllegalArgumentException("a page of " + pageBytes + " bytes");
        }
        if (granuleBytes < 1 || granuleBytes > Long.BYTES || Integer.bitCount(granuleBytes) != 1) {
            throw new IllegalArgumentException("a granule of " + granuleBytes + " bytes");
        }
    }

    private static void checkTwin(MemorySegment page, MemorySegment twin) {
        if (twin.byteSize() != page.byteSize()) {
            throw new IllegalArgumentException(
                    "a page of " + page.byteSize() + " bytes and a twin of " + twin.byteSize());
        }
    }

    /** Checks every run before any byte is stored, so that a malformed diff changes nothing. */
    private static void checkRuns(MemorySegment diff, long granules, int granuleBytes) {
        long next = 0;
        long at = 0;
        while (at < diff.byteSize()) {
            if (diff.byteSize() - at < HEADER_BYTES) {
                throw malformed("the header of a run is cut off at byte " + at);
            }
            next += u16(diff, at);
            int count = u16(diff, at + 2);
            at += HEADER_BYTES;
            if (count == 0 || count > granules - next) {
                throw malformed("a run of " + count + " granules from " + next + " of " + granules);
            }
            if ((long) count * granuleBytes > diff.byteSize() - at) {
                throw malformed("the granules of a run are cut off, from byte " + at);
            }
            next += count;
            at += (long) count * granuleBytes;
        }
    }

    private static IllegalArgumentException malformed(String how) {
        return new IllegalArgumentException("malformed diff: " + how);
    }

    private static void store(MemorySegment diff, MemorySegment target, int granuleBytes) {
        long to = 0;
        long at = 0;
        while (at < diff.byteSize()) {
            to += (long) u16(diff, at) * granuleBytes;
            long runBytes = (long) u16(diff, at + 2) * granuleBytes;
            at += HEADER_BYTES;
            MemorySegment.copy(diff, at, target, to, runBytes);
            to += runBytes;
            at += runBytes;
        }
    }

    /**
     * Stores into the page where it equals its twin. Returns the number of granules of the page
     * that are kept.
     */
    private static int storeBehindStores(
            MemorySegment diff, MemorySegment page, MemorySegment twin, int granuleBytes) {
        int kept = 0;
        long to = 0;
        long at = 0;
        while (at < diff.byteSize()) {
            to += (long) u16(diff, at) * granuleBytes;
            long runBytes = (long) u16(diff, at + 2) * granuleBytes;
            at += HEADER_BYTES;
            kept += storeRun(diff.asSlice(at, runBytes), page, twin, to, granuleBytes);
            to += runBytes;
            at += runBytes;
        }
        return kept;
    }

    private static int storeRun(
            MemorySegment run, MemorySegment page, MemorySegment twin, long to, int granuleBytes) {
        long end = to + run.byteSize();
        int kept = 0;
        long from = to;
        while (from < end) {
            long found = MemorySegment.mismatch(page, from, end, twin, from, end);
            long alike = found < 0 ? end - from : found & -granuleBytes;
            MemorySegment.copy(run, from - to, page, from, alike);
            from += alike;
            if (found >= 0) {
                kept++;
                from += granuleBytes;
            }
        }
        return kept;
    }

    private static int u16(MemorySegment bytes, long at) {
        return Short.toUnsignedInt(bytes.get(SHORT, at));
    }

    /** Collects runs from blocks passed in ascending order. */
    private static final class Encoder {
        private static final int ROOM_BYTES = 256; // most diffs are short

        private final MemorySegment page;
        private final MemorySegment twin;
        private final int granuleBytes;
        private final long lowest; // mask of a word's first granule
        private byte[] out = new byte[ROOM_BYTES];
        private int length;
        private int first; // granule of the open run
        private int count; // granules in the open run; 0: none is open
        private int next; // the granule after the last completed run
        private int changed;

        Encoder(MemorySegment page, MemorySegment twin, int granuleBytes) {
            this.page = page;
            this.twin = twin;
            this.granuleBytes = granuleBytes;
            this.lowest = -1L >>> Long.SIZE - Byte.SIZE * granuleBytes;
        }

        void addBlock(long from) {
            for (long at = from; at < from + BLOCK_BYTES; at += Long.BYTES) {
                long difference = page.get(WORD, at) ^ twin.get(WORD, at);
                if (difference != 0) {
                    addWord(at, difference);
                }
            }
        }

        private void addWord(long at, long difference) {
            for (int i = 0; i < Long.BYTES; i += granuleBytes) {
                if ((difference >>> Byte.SIZE * i & lowest) != 0) {
                    add((int) (at + i) / granuleBytes);
                }
            }
        }

        private void add(int granule) {
            if (granule != first + count || count == RUN_GRANULES_MAX) {
                endRun();
                first = granule;
            }
            count++;
        }

        private void endRun() {
            if (count == 0) {
                return;
            }
            int runBytes = count * granuleBytes;
            int end = length + HEADER_BYTES + runBytes;
            if (end > out.length) {
                out = Arrays.copyOf(out, Math.max(end, 2 * out.length));
            }
            MemorySegment target = MemorySegment.ofArray(out);
            target.set(SHORT, length, (short) (first - next));
            target.set(SHORT, length + 2L, (short) count);
            MemorySegment.copy(
                    page, (long) first * granuleBytes, target, length + HEADER_BYTES, runBytes);
            length = end;
            next = first + count;
            changed += count;
            count = 0;
        }

        Diff end() {
            endRun();
            return new Diff(changed, Arrays.copyOf(out, length));
        }
    }
}
