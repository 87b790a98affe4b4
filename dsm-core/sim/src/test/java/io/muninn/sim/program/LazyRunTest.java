package io.muninn.sim.program;

import org.junit.jupiter.api.Test;

/** A protocol that carries notices as cargo and delays its acquires keeps its promise. */
class LazyRunTest {
    private static final int SEEDS = 150;

    @Test
    void everyLoad_seesWhatHappenedBefore() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            LazyRun.run(seed);
        }
    }
}
