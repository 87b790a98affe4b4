package io.muninn.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdleTest {
    @ParameterizedTest
    @CsvSource({
        "AUTO, 2, 2, 1, 2, false",
        "AUTO, 2, 2, 1, 3, true",
        "AUTO, 1, 1, 1, 2, true",
        "AUTO, 1, 1, 2, 2, false",
        "AUTO, 4, 1, 1, 8, true",
        "AUTO, 4, 1, 1, 7, false",
        "AUTO, 4, 4, 1, 5, true",
        "AUTO, 5, 3, 1, 7, true",
        "AUTO, 5, 3, 1, 6, false",
        "AUTO, 64, 1, 64, 4096, false",
        "AUTO, 2147483647, 1, 64, 64, false",
        "SPIN, 4, 4, 1, 2, true",
        "BLOCK, 1, 1, 1, 64, false"
    })
    void spins_whenEveryThreadHasACpuOrItIsAskedTo(
            Idle idle, int nodesHere, int served, int threads, int cpus, boolean spins) {
        assertEquals(spins ? Idle.SPIN_NANOS : 0, idle.spinNanos(nodesHere, served, threads, cpus));
    }
}
