package io.muninn.apps.fft;

/**
 * The points of one thread. Before the exchange, thread <em>p</em> of <em>P</em> has points
 * <em>p</em>, <em>p + P</em>, <em>p + 2P</em>, …; after it, contiguous points.
 *
 * @param position position of the thread
 * @param positions number of threads of the cluster, a power of two
 * @param length number of points of each thread, at least {@code positions}
 */
record FftShare(int position, int positions, int length) {
    /** The thread's points of the first distribution, within all points. */
    FftSlice interleaved() {
        return new FftSlice(position, positions, length, 0);
    }

    /** The thread's points of the second distribution, within all points. */
    FftSlice contiguous() {
        return new FftSlice(first(), 1, length, first());
    }

    /** The thread's points of the first distribution, in private memory. */
    FftSlice interleavedAlone() {
        return new FftSlice(0, 1, length, 0);
    }

    /** The thread's points of the second distribution, in private memory. */
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

    /** The width of the first butterflies before the exchange, in points of the share. */
    int widestBefore() {
        return length / 2;
    }

    /**
     * The width of the first butterflies after the exchange; 0 for one thread, which has no more
     * passes.
     */
    int widestAfter() {
        return positions / 2;
    }
}
