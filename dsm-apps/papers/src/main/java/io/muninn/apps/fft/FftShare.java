package io.muninn.apps.fft;

/**
 * The points of one thread. Before the exchange thread <em>p</em> of <em>P</em> has points
 * <em>p</em>, <em>p + P</em>, <em>p + 2P</em>, …; after it, contiguous ones.
 *
 * @param position of the thread among all
 * @param positions threads of the cluster, a power of two
 * @param length points of each thread, at least {@code positions}
 */
record FftShare(int position, int positions, int length) {
    /** The first distribution, as it lies among all points. */
    FftSlice interleaved() {
        return new FftSlice(position, positions, length, 0);
    }

    /** The second distribution, as it lies among all points. */
    FftSlice contiguous() {
        return new FftSlice(first(), 1, length, first());
    }

    /** The first distribution, in memory of its own. */
    FftSlice interleavedAlone() {
        return new FftSlice(0, 1, length, 0);
    }

    /** The second distribution, in memory of its own. */
    FftSlice contiguousAlone() {
        return new FftSlice(0, 1, length, first());
    }

    /** The first point of the second distribution. */
    int first() {
        return position * length;
    }

    /** One past its last point. */
    int end() {
        return first() + length;
    }

    /** The width of the first butterflies before the exchange, counted in points of the share. */
    int widestBefore() {
        return length / 2;
    }

    /** The width of the first butterflies after the exchange; 0 for one thread: none are left. */
    int widestAfter() {
        return positions / 2;
    }
}
