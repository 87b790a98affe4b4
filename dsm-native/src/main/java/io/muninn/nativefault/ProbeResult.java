package io.muninn.nativefault;

/**
 * The result of one step of an {@link EngineProbe}.
 *
 * @param what the step
 * @param code 0: passed; negative: -errno; positive: not tried because an earlier step failed
 * @param nanos duration; for a fault it includes the round trip to the other process
 */
public record ProbeResult(ProbeStep what, int code, long nanos) {
    public boolean hasPassed() {
        return code == 0;
    }

    public boolean hasFailed() {
        return code < 0;
    }

    /** The result as text for the user: {@code ok}, {@code not tried}, or the errno. */
    public String text() {
        return code == 0 ? "ok" : code > 0 ? "not tried" : Errno.name(-code);
    }
}
