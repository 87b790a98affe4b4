package io.muninn.transport.loop;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Polls for events for a bounded time before the loop blocks. The time adapts: it is halved after
 * each unsuccessful poll, down to a single poll, and reset to the bound after the loop has blocked
 * for less than the bound. The thread yields after each poll. If another thread took the CPU then,
 * the loop blocks, because there are more threads than CPUs.
 *
 * <p>Tasks of other threads and timers that become due while polling wait for the bound at most.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class SpinStrategy implements SelectStrategy {
    /** A yield is much shorter than this if no thread takes the CPU, and much longer otherwise. */
    private static final long TAKEN_NANOS = 10_000;

    private final long boundNanos;
    private final LongSupplier clock;
    private final Runnable yield;
    private long budgetNanos;
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
        long nowNanos = startNanos;
        do {
            int events = ready.get();
            if (events > 0) {
                return events;
            }
            long beforeNanos = nowNanos;
            yield.run();
            nowNanos = clock.getAsLong();
            if (nowNanos - beforeNanos > TAKEN_NANOS) {
                break;
            }
        } while (nowNanos - startNanos < budgetNanos);
        budgetNanos /= 2;
        blocked = true;
        blockedAtNanos = nowNanos;
        return SELECT;
    }
}
