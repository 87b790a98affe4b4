package io.muninn.transport;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Polls for events for a bounded time before the loop blocks. The time adapts: it is halved after
 * each unsuccessful poll, down to a single look, and reset to the bound after the loop has blocked
 * for less than the bound. The thread yields after each look. If another thread took the CPU then,
 * the loop blocks, and polls no more for a time in proportion to what that took: a thread that
 * yields waits longer than one that blocks and is woken.
 *
 * <p>Tasks of other threads and timers that become due while polling wait for the bound at most.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class SpinStrategy implements SelectStrategy {
    /** A yield is much shorter than this if no thread takes the CPU, and much longer otherwise. */
    private static final long TAKEN_NANOS = 10_000;

    /** It does not poll for so many times as long as another thread took the CPU. */
    private static final int REST = 64;

    private final long boundNanos;
    private final LongSupplier clock;
    private final Runnable yield;
    private long budgetNanos;
    private long restUntilNanos; // polls no more before
    private long blockedAtNanos;
    private boolean blocked;

    /**
     * @param boundNanos longest time to poll; 0 for a loop that blocks at once
     * @param clock as {@link System#nanoTime}
     * @param yield as {@link Thread#yield}
     */
    SpinStrategy(long boundNanos, LongSupplier clock, Runnable yield) {
        this.boundNanos = boundNanos;
        this.clock = clock;
        this.yield = yield;
        budgetNanos = boundNanos;
        restUntilNanos = clock.getAsLong();
    }

    @Override
    public int calculateStrategy(IntSupplier ready, boolean hasTasks) throws Exception {
        if (hasTasks) {
            blocked = false;
            return ready.get();
        }
        if (boundNanos == 0) {
            return SELECT;
        }
        long startNanos = clock.getAsLong();
        if (blocked && startNanos - blockedAtNanos < boundNanos) {
            budgetNanos = boundNanos;
        }
        blocked = false;
        if (startNanos - restUntilNanos < 0) {
            return SELECT;
        }
        long nowNanos = startNanos;
        do {
            int events = ready.get();
            if (events > 0) {
                return events;
            }
            long beforeNanos = nowNanos;
            yield.run();
            nowNanos = clock.getAsLong();
            long takenNanos = nowNanos - beforeNanos;
            if (takenNanos > TAKEN_NANOS) {
                restUntilNanos = nowNanos + REST * takenNanos;
                return SELECT;
            }
        } while (nowNanos - startNanos < budgetNanos);
        budgetNanos /= 2;
        blocked = true;
        blockedAtNanos = nowNanos;
        return SELECT;
    }
}
