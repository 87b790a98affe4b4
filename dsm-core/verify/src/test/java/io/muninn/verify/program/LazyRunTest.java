package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A protocol that carries notices as cargo and delays its acquires keeps its promise. */
class LazyRunTest {
    private static final int SEEDS = 75;
    private static final int COLLECTIONS_PER_SEED_MIN = 5;

    @Test
    void everyLoad_seesWhatHappenedBefore() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            LazyRun.run(seed);
        }
    }

    @Test
    void everyLoad_seesWhatHappenedBefore_whileNoticesAndDiffsAreCollected() {
        long collections = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            collections += LazyRun.runCollecting(seed);
        }

        assertTrue(collections > COLLECTIONS_PER_SEED_MIN * SEEDS, collections + " collections");
    }

    @Test
    void nodesThatMeetAtLocksOnly_keepLessThanTwiceTheBound() {
        int sections = 4_000;
        long bytesMax = 8 << 10;

        LazyDiffs seen = LazyRun.runLocks(1, sections, bytesMax);

        assertTrue(seen.most() < 2 * bytesMax, seen.most() + " bytes at a time");
        assertTrue(seen.collections() > 10, seen.collections() + " collections");
    }
}
