package io.muninn.launch.process;

import java.time.Duration;

/**
 * When the launcher kills the remaining agents. Times are of {@link System#nanoTime} and passed in.
 * A launcher that was itself stopped, most likely with its agents, gives them the rest of their
 * time when it continues.
 */
final class KillTime {
    private boolean isSet;
    private long atNanos;

    /** Sets it to the end of this time, unless it is set to an earlier one. */
    void within(Duration grace, long nowNanos) {
        long candidate = nowNanos + grace.toNanos();
        atNanos = isSet ? Math.min(atNanos, candidate) : candidate;
        isSet = true;
    }

    void clear() {
        isSet = false;
    }

    boolean isSet() {
        return isSet;
    }

    boolean hasCome(long nowNanos) {
        return isSet && nowNanos - atNanos >= 0;
    }

    /** Returns the earlier one of this time, if it is set, and another. */
    long orEarlier(long nanos) {
        return isSet ? Math.min(atNanos, nanos) : nanos;
    }

    /**
     * Postpones the time by a stop of the launcher, in which the agents' time did not run either.
     */
    void postpone(long stoppedNanos) {
        atNanos += stoppedNanos;
    }
}
