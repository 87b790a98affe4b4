package io.muninn.nativefault;

/**
 * What one step of an {@link EngineProbe} gave.
 *
 * @param what was tried
 * @param code 0: it passed; below: -errno; above: not tried, since one before it failed
 * @param nanos how long it took; a fault's include the way to the other process and back
 */
public record ProbeResult(ProbeStep what, int code, long nanos) {
    public boolean hasPassed() {
        return code == 0;
    }

    public boolean hasFailed() {
        return code < 0;
    }

    /** For people: {@code ok}, {@code not tried}, or the errno. */
    public String text() {
        return code == 0 ? "ok" : code > 0 ? "not tried" : Errno.name(-code);
    }
}
