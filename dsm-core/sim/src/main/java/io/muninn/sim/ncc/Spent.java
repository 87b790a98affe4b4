package io.muninn.sim.ncc;

/**
 * What the cycles of a processor are for.
 *
 * <p>Source: Kontothanassis and Scott, Figure 3; computation is what remains.
 */
public enum Spent {
    /** Computation, and accesses that hit. */
    COMPUTATION,
    /** Waits for lines, words and room for stores. */
    MISSES,
    /** Faults, the coherent map, notices, flushes and purges. */
    COHERENCE,
    /** Interrupts by other processors. */
    INTERRUPTS,
    /** Waits for locks and at barriers. */
    SYNCHRONIZATION
}
