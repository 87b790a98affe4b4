package io.muninn.diff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The granules of a page that differ from its twin.
 *
 * <p><b>Shape.</b> Little-endian runs in order of place: granules skipped since the last run, u16;
 * granules in this run, u16, at least 1; their values. An empty diff has no bytes.
 *
 * @param granules changed granules
 * @param bytes the encoded runs; only to be read
 */
public record Diff(int granules, byte[] bytes) {
    private static final int HEADER_BYTES = 4;
    private static final int RUN_GRANULES_MAX = 0xFFFF;
    private static final Diff EMPTY = new Diff(0, new byte[0]);

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /**
     * Compares a page with its twin.
     *
     * @param twin of the page's length
     * @param granuleBytes 8, 4, 2 or 1
     */
    public static Diff of(MemorySegment page, MemorySegment twin, int granuleBytes) {
        long length = checkedLength(page, twin, granuleBytes);
        long at = differs(page, twin, 0, length);
        if (at == length) {
            return EMPTY;
        }
        Encoder encoder = new Encoder(page, granuleBytes);
        while (at < length) {
            long granule = at / granuleBytes;
            encoder.add((int) granule);
            at = differs(page, twin, (granule + 1) * granuleBytes, length);
        }
        return encoder.end();
    }

    /**
     * Stores a diff's granules into a page.
     *
     * @return 0: without a twin nothing overlaps
     * @throws IllegalArgumentException if the diff is malformed; nothing is stored then
     */
    public static int apply(MemorySegment diff, MemorySegment page, int granuleBytes) {
        check(diff, page.byteSize(), granuleBytes);
        store(diff, page, granuleBytes);
        return 0;
    }

    /**
     * Stores a diff's granules into a page and into its twin.
     *
     * @return granules of the diff that differed between page and twin before: a local store had
     *     changed them, too
     * @throws IllegalArgumentException if the diff is malformed; nothing is stored then
     */
    public static int apply(
            MemorySegment diff, MemorySegment page, MemorySegment twin, int granuleBytes) {
        checkedLength(page, twin, granuleBytes);
        check(diff, page.byteSize(), granuleBytes);
        int overlap = overlap(diff, page, twin, granuleBytes);
        store(diff, page, granuleBytes);
        store(diff, twin, granuleBytes);
        return overlap;
    }

    /** True if every byte is zero. */
    public static boolean isZero(MemorySegment page) {
        long length = page.byteSize();
        long at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            if (page.get(ValueLayout.JAVA_LONG_UNALIGNED, at) != 0) {
                return false;
            }
        }
        for (; at < length; at++) {
            if (page.get(ValueLayout.JAVA_BYTE, at) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The first byte from {@code from} on that differs; {@code length} if none does. */
    private static long differs(MemorySegment page, MemorySegment twin, long from, long length) {
        if (from >= length) {
            return length;
        }
        long found = MemorySegment.mismatch(page, from, length, twin, from, length);
        return found < 0 ? length : from + found;
    }

    private static long checkedLength(MemorySegment page, MemorySegment twin, int granuleBytes) {
        long length = page.byteSize();
        if (twin.byteSize() != length || length % granuleBytes != 0) {
            throw new IllegalArgumentException(
                    "a page of "
                            + length
                            + " bytes, a twin of "
                            + twin.byteSize()
                            + ", granules of "
                            + granuleBytes);
        }
        return length;
    }

    /** Checks every run before a byte is stored. */
    private static void check(MemorySegment diff, long pageBytes, int granuleBytes) {
        long granules = pageBytes / granuleBytes;
        long next = 0;
        long at = 0;
        while (at < diff.byteSize()) {
            if (diff.byteSize() - at < HEADER_BYTES) {
                throw malformed("a run's header is cut off at byte " + at);
            }
            next += u16(diff, at);
            int count = u16(diff, at + 2);
            at += HEADER_BYTES;
            if (count == 0 || count > granules - next) {
                throw malformed(count + " granules from granule " + next + " of " + granules);
            }
            if ((long) count * granuleBytes > diff.byteSize() - at) {
                throw malformed("a run's values are cut off at byte " + at);
            }
            next += count;
            at += (long) count * granuleBytes;
        }
    }

    private static void store(MemorySegment diff, MemorySegment target, int granuleBytes) {
        long next = 0;
        long at = 0;
        while (at < diff.byteSize()) {
            next += u16(diff, at);
            long bytes = (long) u16(diff, at + 2) * granuleBytes;
            at += HEADER_BYTES;
            MemorySegment.copy(diff, at, target, next * granuleBytes, bytes);
            next += bytes / granuleBytes;
            at += bytes;
        }
    }

    private static int overlap(
            MemorySegment diff, MemorySegment page, MemorySegment twin, int granuleBytes) {
        int overlap = 0;
        long next = 0;
        long at = 0;
        while (at < diff.byteSize()) {
            next += u16(diff, at);
            int count = u16(diff, at + 2);
            at += HEADER_BYTES + (long) count * granuleBytes;
            for (int i = 0; i < count; i++, next++) {
                long from = next * granuleBytes;
                long to = from + granuleBytes;
                overlap += MemorySegment.mismatch(page, from, to, twin, from, to) < 0 ? 0 : 1;
            }
        }
        return overlap;
    }

    private static int u16(MemorySegment bytes, long at) {
        return bytes.get(SHORT, at) & 0xFFFF;
    }

    private static IllegalArgumentException malformed(String how) {
        return new IllegalArgumentException("malformed diff: " + how);
    }

    /** Writes runs as changed granules come, in order. */
    private static final class Encoder {
        private final MemorySegment page;
        private final int granuleBytes;
        private MemorySegment out = MemorySegment.ofArray(new byte[256]);
        private int length;
        private int header; // where the open run begins
        private int count; // granules in the open run; 0: none is open
        private int next; // the granule behind the last one
        private int changed;

        Encoder(MemorySegment page, int granuleBytes) {
            this.page = page;
            this.granuleBytes = granuleBytes;
        }

        void add(int granule) {
            if (count == 0 || granule != next || count == RUN_GRANULES_MAX) {
                endRun();
                room(HEADER_BYTES);
                header = length;
                out.set(SHORT, header, (short) (granule - next));
                length += HEADER_BYTES;
            }
            room(granuleBytes);
            MemorySegment.copy(page, (long) granule * granuleBytes, out, length, granuleBytes);
            length += granuleBytes;
            count++;
            changed++;
            next = granule + 1;
        }

        Diff end() {
            endRun();
            return new Diff(changed, out.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
        }

        private void endRun() {
            if (count > 0) {
                out.set(SHORT, header + 2L, (short) count);
            }
            count = 0;
        }

        private void room(int bytes) {
            if (bytes > out.byteSize() - length) {
                byte[] grown = out.toArray(ValueLayout.JAVA_BYTE);
                out = MemorySegment.ofArray(Arrays.copyOf(grown, 2 * grown.length));
            }
        }
    }
}
