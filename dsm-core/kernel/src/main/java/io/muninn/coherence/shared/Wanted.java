package io.muninn.coherence.shared;

/** What threads that stopped at a page wait for. */
public enum Wanted {
    NOTHING,
    LOAD,
    STORE;

    /** One thread more waits, for a store or a load. */
    public Wanted join(boolean store) {
        return store || this == STORE ? STORE : LOAD;
    }
}
