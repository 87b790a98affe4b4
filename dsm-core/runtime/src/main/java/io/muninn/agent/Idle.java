package io.muninn.agent;

/**
 * How an agent waits for events, and an application thread for its agent: by blocking, or by
 * polling for a short time before it blocks.
 */
public enum Idle {
    /** Blocks at once; every wait costs a wake-up. */
    BLOCK,

    /** Polls for at most {@link #SPIN_NANOS}, and yields the CPU between polls. */
    SPIN,

    /** Polls if every thread of the run on this machine has its own CPU, and blocks if not. */
    AUTO;

    /** Longer than most waits. */
    static final long SPIN_NANOS = 50_000;

    /**
     * Returns how long to poll, in nanoseconds.
     *
     * @param nodesHere nodes of the run on this machine
     * @param served nodes that each agent serves
     * @param threads application threads of each node
     * @param cpus CPUs that this process may use
     * @return 0 to block at once
     */
    long spinNanos(int nodesHere, int served, int threads, int cpus) {
        long agents = Math.ceilDiv(nodesHere, served);
        return switch (this) {
            case BLOCK -> 0;
            case SPIN -> SPIN_NANOS;
            case AUTO -> agents + (long) nodesHere * threads <= cpus ? SPIN_NANOS : 0;
        };
    }
}
