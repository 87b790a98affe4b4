package io.muninn.sim.machine;

/**
 * The caches of each processor.
 *
 * @param firstBytes of the direct-mapped first level; a power of two
 * @param secondBytes of the second level; a power of two, at least {@code firstBytes}
 * @param secondWays associativity of the second level; a power of two
 * @param lineBytes a power of two, at least 8
 * @param bufferLines of the write buffer
 * @param retiresAt number of lines in the write buffer at which the oldest leaves, from 2
 * @param secondHitCycles of a hit in the second level
 */
public record CacheShape(
        int firstBytes,
        int secondBytes,
        int secondWays,
        int lineBytes,
        int bufferLines,
        int retiresAt,
        int secondHitCycles) {
    private static final int LINE_BYTES_MIN = 8;

    /**
     * @throws IllegalArgumentException if a size is no power of two, or sizes do not fit together
     */
    public CacheShape {
        requirePower("a first-level cache", firstBytes);
        requirePower("a second-level cache", secondBytes);
        requirePower("an associativity", secondWays);
        requirePower("a cache line", lineBytes);
        if (lineBytes < LINE_BYTES_MIN || firstBytes < lineBytes) {
            throw new IllegalArgumentException(
                    "a first-level cache of " + firstBytes + " bytes has no line of " + lineBytes);
        }
        if (secondBytes < firstBytes || secondBytes / lineBytes < secondWays) {
            throw new IllegalArgumentException(
                    "a second-level cache of "
                            + secondBytes
                            + " bytes is smaller than the first level of "
                            + firstBytes
                            + ", or than one set");
        }
        if (retiresAt < 2 || bufferLines <= retiresAt || secondHitCycles < 1) {
            throw new IllegalArgumentException(
                    "a write buffer of "
                            + bufferLines
                            + " lines that retires at "
                            + retiresAt
                            + ", and a cache that hits in "
                            + secondHitCycles
                            + " cycles");
        }
    }

    private static void requirePower(String what, int size) {
        if (Integer.bitCount(size) != 1 || size < 1) {
            throw new IllegalArgumentException(what + " of " + size + ": not a power of two");
        }
    }

    int secondSets() {
        return secondBytes / lineBytes / secondWays;
    }

    /** Returns caches of these sizes in bytes. */
    public CacheShape withBytes(int newFirstBytes, int newSecondBytes) {
        return new CacheShape(
                newFirstBytes,
                newSecondBytes,
                secondWays,
                lineBytes,
                bufferLines,
                retiresAt,
                secondHitCycles);
    }
}
