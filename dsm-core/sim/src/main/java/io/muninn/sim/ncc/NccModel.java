package io.muninn.sim.ncc;

/**
 * The machine, in processor cycles and bytes. A page has 4096 bytes, a word 4.
 *
 * <p>Source: Kontothanassis and Scott, Table 1, for {@link #PAPER}. The paper does not say the
 * associativity of the cache, the two thresholds of unsafe pages, how many stores may be under way,
 * and what computation costs: these are assumptions of ours.
 *
 * @param tlbEntries entries of each TLB
 * @param tlbFill to fill one
 * @param interrupt to interrupt a processor, by a fault or by another processor
 * @param mapChange to modify an entry of the coherent map
 * @param memoryStart of a memory before the first word; each word takes one more
 * @param cacheBytes of each processor; a power of two
 * @param cacheWays associativity; a power of two
 * @param lineBytes of a cache line: a power of two, 4 to 32
 * @param pathBytes that a link carries in a cycle
 * @param hop for a link and its wire
 * @param directory to look up a directory entry in hardware
 * @param purgeLine to purge a line
 * @param mergeLines of the merge buffer
 * @param storesMax stores that a processor may have under way, under write-through and under
 *     hardware release consistency
 * @param noticesMax transitions with notices before a page becomes unsafe
 * @param checksMax clean checks until it is safe again
 * @param work of a unit that a program charges
 * @param quantum for which a processor computes before others run
 */
public record NccModel(
        int tlbEntries,
        int tlbFill,
        int interrupt,
        int mapChange,
        int memoryStart,
        int cacheBytes,
        int cacheWays,
        int lineBytes,
        int pathBytes,
        int hop,
        int directory,
        int purgeLine,
        int mergeLines,
        int storesMax,
        int noticesMax,
        int checksMax,
        int work,
        int quantum) {
    /** Bytes of a page. */
    public static final int PAGE_BYTES = 4096;

    /** Bytes of a word. */
    static final int WORD_BYTES = 4;

    private static final int LINE_BYTES_MAX = 32; // a dirty bit for each word, in a byte

    /** The values of the paper. */
    public static final NccModel PAPER =
            new NccModel(
                    128, 24, 140, 160, 12, 128 << 10, 1, 32, 2, 3, 10, 1, 16, 16, 4, 8, 1, 500);

    /**
     * @throws IllegalArgumentException if a size is no power of two or a cost is negative, naming
     *     it and its value
     */
    public NccModel {
        requirePower("cache bytes", cacheBytes);
        requirePower("cache ways", cacheWays);
        requirePower("line bytes", lineBytes);
        if (lineBytes < WORD_BYTES || lineBytes > LINE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a line has 4 to 32 bytes, because a byte has its dirty bits, not "
                            + lineBytes);
        }
        if (cacheBytes / lineBytes < cacheWays) {
            throw new IllegalArgumentException(
                    "a cache of " + cacheBytes + " bytes has no set of " + cacheWays + " lines");
        }
        requireLeast("TLB entries", tlbEntries, 1);
        requireLeast("path bytes", pathBytes, 1);
        requireLeast("merge lines", mergeLines, 1);
        requireLeast("stores under way", storesMax, 1);
        requireLeast("notices", noticesMax, 0);
        requireLeast("checks", checksMax, 1);
        requireLeast("quantum", quantum, 1);
        int[] costs = {tlbFill, interrupt, mapChange, memoryStart, hop, directory, purgeLine, work};
        for (int cost : costs) {
            requireLeast("cycles", cost, 0);
        }
    }

    private static void requirePower(String what, int size) {
        if (size < 1 || Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException(what + ": " + size + " is no power of two");
        }
    }

    private static void requireLeast(String what, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(what + ": " + value + " is less than " + least);
        }
    }

    /** Words of a line. */
    int lineWords() {
        return lineBytes / WORD_BYTES;
    }

    /** How long a memory is busy with some words. */
    long memory(int words) {
        return (long) memoryStart + words;
    }

    /** Returns this machine with another cache. */
    public NccModel withCache(int bytes, int ways) {
        return new NccModel(
                tlbEntries,
                tlbFill,
                interrupt,
                mapChange,
                memoryStart,
                bytes,
                ways,
                lineBytes,
                pathBytes,
                hop,
                directory,
                purgeLine,
                mergeLines,
                storesMax,
                noticesMax,
                checksMax,
                work,
                quantum);
    }

    /** Returns this machine with other thresholds of unsafe pages. */
    public NccModel withThresholds(int notices, int checks) {
        return new NccModel(
                tlbEntries,
                tlbFill,
                interrupt,
                mapChange,
                memoryStart,
                cacheBytes,
                cacheWays,
                lineBytes,
                pathBytes,
                hop,
                directory,
                purgeLine,
                mergeLines,
                storesMax,
                notices,
                checks,
                work,
                quantum);
    }
}
