package io.muninn.sim.machine;

/**
 * Counts of one processor's caches.
 *
 * @param loads lines that were loaded from, by shared references
 * @param stores lines that were stored to, by shared references
 * @param secondHits accesses that the second level has served, those of the write buffer included
 * @param misses accesses that memory or another cache has served
 */
public record CacheCounts(long loads, long stores, long secondHits, long misses) {
    /** No counts. */
    public static final CacheCounts NONE = new CacheCounts(0, 0, 0, 0);

    public CacheCounts plus(CacheCounts other) {
        return new CacheCounts(
                loads + other.loads,
                stores + other.stores,
                secondHits + other.secondHits,
                misses + other.misses);
    }

    /** The difference from an earlier state of these counts. */
    public CacheCounts since(CacheCounts earlier) {
        return new CacheCounts(
                loads - earlier.loads,
                stores - earlier.stores,
                secondHits - earlier.secondHits,
                misses - earlier.misses);
    }
}
