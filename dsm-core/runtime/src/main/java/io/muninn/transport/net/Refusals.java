package io.muninn.transport.net;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Counts refused connections and logs few of them, so that another process can neither hide nor
 * fill the log. The first is logged at once, then at most one line a second with the number since
 * the last.
 *
 * <p><b>Threads.</b> {@link #count} any thread; everything else the event loop.
 */
public final class Refusals {
    private static final long LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Consumer<String> log;
    private final LongSupplier nanoTime;
    private final AtomicLong count = new AtomicLong();
    private long unlogged;
    private long nextLogNanos;

    /**
     * @param log receives a line
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
     * Counts a refused connection.
     *
     * @param where the socket to which it connected, as in "the call socket"
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

    /** Number of refused connections. */
    public long count() {
        return count.get();
    }
}
