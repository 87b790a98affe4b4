package io.muninn.nativefault;

import java.util.List;

/** Who has a page of an engine with traps: the agent, or the traps of the application. */
public enum TrapState {
    /** Faults go to the agent, which alone changes the access. */
    AGENT,
    /** Offered by {@link FaultEngine#offer}; threads may load, and none stores. */
    READ,
    /** A trap copies the page. */
    TWINNING,
    /** The twin is complete, and a trap is about to let threads store. */
    LIFTING,
    /** The page has a twin, and threads store. */
    DIRTY,
    /** Threads that touch the page get the signal. */
    POISONED;

    private static final List<TrapState> STATES = List.of(values());

    /** Whether a trap has made the page's twin, and threads store to it or are about to. */
    public boolean isStoredTo() {
        return this == LIFTING || this == DIRTY;
    }

    /** {@code enum dsm_trap_state}. */
    static TrapState of(int code) {
        return STATES.get(code);
    }
}
