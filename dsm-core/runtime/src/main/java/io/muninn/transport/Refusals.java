package io.muninn.transport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Connections that were turned away: each is counted, and few are logged, so that a stranger can
 * neither hide nor fill a log. The first is logged at once, and then at most one a second with how
 * many there were since.
 *
 * <p><b>Threads.</b> {@link #count} any; all else the event loop.
 */
public final class Refusals {
    private static final long LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Consumer<String> log;
    private final LongSupplier nanoTime;
    private final AtomicLong count = new AtomicLong();
    private long unlogged;
    private long nextLogNanos;

    /**
     * @param log takes a line
     */
    public Refusals(Consumer<String> log) {
        this(log, System::nanoTime);
    }

    Refusals(Consumer<String> log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
        nextLogNanos = nanoTime.getAsLong();
    }

    /**
     * Counts one.
     *
     * @param where the socket it came to, as in "the call socket"
     * @param reason as in "it belongs to user 5"
     */
    public void add(String where, String reason) {
        count.incrementAndGet();
        long now = nanoTime.getAsLong();
        if (now - nextLogNanos < 0) {
            unlogged++;
            return;
        }
        String others = unlogged == 0 ? "" : " (and " + unlogged + " more since the last line)";
        log.accept("turned away a connection to " + where + ": " + reason + others);
        unlogged = 0;
        nextLogNanos = now + LOG_INTERVAL_NANOS;
    }

    /** How many there were. */
    public long count() {
        return count.get();
    }
}
