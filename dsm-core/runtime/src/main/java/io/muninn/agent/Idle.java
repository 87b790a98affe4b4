package io.muninn.agent;

/**
 * What an agent without events, and an application thread that waits for its agent, do: block, or
 * look again and again for a short time before they block.
 */
public enum Idle {
    /** Gives the CPU away at once; who wakes it pays for that. */
    BLOCK,

    /** Looks for {@link #SPIN_NANOS} at most, and yields to whoever wants the CPU. */
    SPIN,

    /** Spins if every thread of the run on this machine has a CPU to itself, and blocks if not. */
    AUTO;

    /** Longer than what is looked for usually takes; an event that takes longer costs a wake-up. */
    static final long SPIN_NANOS = 50_000;

    /**
     * How long to look.
     *
     * @param nodesHere nodes of the run on this machine
     * @param threads application threads of each
     * @param cpus that this process may run on
     * @return 0 for not at all
     */
    long spinNanos(int nodesHere, int threads, int cpus) {
        return switch (this) {
            case BLOCK -> 0;
            case SPIN -> SPIN_NANOS;
            case AUTO -> (long) nodesHere * (1 + threads) <= cpus ? SPIN_NANOS : 0;
        };
    }
}
