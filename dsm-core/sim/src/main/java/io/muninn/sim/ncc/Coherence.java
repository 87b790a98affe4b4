package io.muninn.sim.ncc;

/**
 * Keeps the caches of the machine coherent. Each method lets the time of its processor pass.
 *
 * <p><b>Threads.</b> The one of the processor that has the turn.
 */
interface Coherence {
    /**
     * An access to words of one line.
     *
     * @param address of the first byte
     * @param words mask of the line's words
     */
    void access(NccProcessor by, long address, int words, boolean isStore);

    /** What an acquire does behind the grant. */
    void acquire(NccProcessor by);

    /** What a release does before others may acquire. */
    void release(NccProcessor by);
}
