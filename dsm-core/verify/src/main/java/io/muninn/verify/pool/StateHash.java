package io.muninn.verify.pool;

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
        high = mix(high ^ word) + low;
        low = mix(low + Long.rotateLeft(word, 32)) ^ high;
    }

    void add(long[] words) {
        Arrays.stream(words).forEach(this::add);
    }

    Value value() {
        return new Value(high, low);
    }

    private static long mix(long bits) {
        long mixed = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
