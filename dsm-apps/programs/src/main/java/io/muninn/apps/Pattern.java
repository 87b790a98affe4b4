package io.muninn.apps;

/** Reproducible pseudorandom numbers: inputs of programs and of their oracles. */
public final class Pattern {
    private Pattern() {}

    /** A number from -1 (inclusive) to 1 (exclusive), a function of the arguments only. */
    public static double at(long seed, int row, int column) {
        long bits = mix(seed ^ mix(((long) row << 32) | (column & 0xffffffffL)));
        return (bits >> 11) * 0x1p-52;
    }

    /**
     * A bijective mixing function of 64 bits.
     *
     * <p>Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
     * 2014, the finalizer of SplitMix64.
     */
    public static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
