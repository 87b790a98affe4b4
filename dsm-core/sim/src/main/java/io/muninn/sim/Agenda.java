package io.muninn.sim;

import java.util.PriorityQueue;

/**
 * Virtual time, and a queue of planned actions. Actions of the same time run in the order in which
 * they were planned.
 *
 * <p><b>Threads.</b> One at a time.
 */
final class Agenda {
    /** Longest delay, longer than any run; the end of a longer one could overflow. */
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

    /** Plans an action; one for a time that has passed runs now. */
    void at(long timeNanos, Runnable action) {
        items.add(new Item(Math.max(timeNanos, nowNanos), planned++, action));
    }

    void after(long delayNanos, Runnable action) {
        at(nowNanos + Math.min(delayNanos, DELAY_NANOS_MAX), action);
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    /** Time of the next action; {@link Long#MAX_VALUE} if there is none. */
    long nextNanos() {
        Item next = items.peek();
        return next == null ? Long.MAX_VALUE : next.timeNanos();
    }

    /** Lets time pass until the next action, and runs it. */
    void step() {
        Item next = items.remove();
        nowNanos = next.timeNanos();
        next.action().run();
    }

    /** Lets time pass without an action, at most until the next one. */
    void passTo(long timeNanos) {
        nowNanos = Math.max(nowNanos, Math.min(timeNanos, nextNanos()));
    }
}
