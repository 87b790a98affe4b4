package io.muninn.coherence.shared;

/** The access for which the threads that stopped at a page wait. */
public enum Wanted {
    NOTHING,
    LOAD,
    STORE;

    /** The result when one more thread waits, for a store or a load. */
    public Wanted join(boolean store) {
        return store || this == STORE ? STORE : LOAD;
    }
}
