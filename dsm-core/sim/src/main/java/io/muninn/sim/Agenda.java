package io.muninn.sim;

import java.util.PriorityQueue;

/**
 * Virtual time, and what is to happen in it. Things for the same time happen in the order in which
 * they were planned.
 *
 * <p><b>Threads.</b> One at a time.
 */
final class Agenda {
    /** Longer than any run. A longer delay is as good as this one, and could overflow. */
    static final long DELAY_NANOS_MAX = Long.MAX_VALUE / 4;

    private record Item(long timeNanos, long order, Runnable action) implements Comparable<Item> {
        @Override
        public int compareTo(Item other) {
            int byTime = Long.compare(timeNanos, other.timeNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Item> items = new PriorityQueue<>();
    private long nowNanos;
    private long planned;

    long nowNanos() {
        return nowNanos;
    }

    /** Plans something for a time, at the earliest for now. */
    void at(long timeNanos, Runnable action) {
        items.add(new Item(Math.max(timeNanos, nowNanos), planned++, action));
    }

    void after(long delayNanos, Runnable action) {
        at(nowNanos + Math.min(delayNanos, DELAY_NANOS_MAX), action);
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    /** When the next thing happens; {@link Long#MAX_VALUE} if nothing does. */
    long nextNanos() {
        Item next = items.peek();
        return next == null ? Long.MAX_VALUE : next.timeNanos();
    }

    /** Lets time pass to the next thing and does it. */
    void step() {
        Item next = items.remove();
        nowNanos = next.timeNanos();
        next.action().run();
    }

    /** Lets time pass with nothing happening, at most to the next thing. */
    void passTo(long timeNanos) {
        nowNanos = Math.max(nowNanos, Math.min(timeNanos, nextNanos()));
    }
}
