package io.muninn.verify.pool;

import io.muninn.verify.program.SeededRun;
import java.util.Arrays;

/**
 * A hash of 128 bits of a state. Two states of a search of 10^8 have the same one with a
 * probability below 10^-22, so a set of hashes stands for the states.
 */
final class StateHash {
    private long high = 0x9E3779B97F4A7C15L;
    private long low = 0xC2B2AE3D27D4EB4FL;

    record Value(long high, long low) {}

    void add(long word) {
        high = SeededRun.spread(high ^ word) + low;
        low = SeededRun.spread(low + Long.rotateLeft(word, 32)) ^ high;
    }

    void add(long[] words) {
        Arrays.stream(words).forEach(this::add);
    }

    Value value() {
        return new Value(high, low);
    }
}
