package io.muninn.nativefault;

import java.util.List;

/**
 * The state of a page of an engine with traps, which determines whether the agent or a trap owns
 * the page.
 */
public enum TrapState {
    /** Faults are sent to the agent; only the agent changes the access. */
    AGENT,
    /** Offered by {@link FaultEngine#offer}; threads may load but not store. */
    READ,
    /** A trap is copying the page. */
    TWINNING,
    /** The twin is complete; a trap is about to permit stores. */
    LIFTING,
    /** The page has a twin; threads may store. */
    DIRTY,
    /** Threads that access the page get the signal. */
    POISONED,
    /** Offered by {@link PoolPages#offerAbsent}; threads have no access. */
    ABSENT,
    /** A trap is entering the page in the coherent map, or is about to let threads load. */
    ENTERING;

    private static final List<TrapState> STATES = List.of(values());

    /** True if a trap has made the page's twin: threads may store, or are about to. */
    public boolean isStoredTo() {
        return this == LIFTING || this == DIRTY;
    }

    /** The state of a value of {@code enum dsm_trap_state}. */
    static TrapState of(int code) {
        return STATES.get(code);
    }
}
