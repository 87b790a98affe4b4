package io.muninn.bench.live;

import java.util.concurrent.TimeUnit;

/**
 * Waits of the root before something is timed. It gives way all the time but does not sleep: a
 * processor that was idle, if only for a millisecond, takes several times as long for what comes
 * next as in a loop, and floors are loops.
 *
 * <p>No wait is longer than it must be. Where the machine is shared, caches hold other things after
 * half a millisecond, also of a processor that was not idle: the first step of an agent then takes
 * twenty to sixty microseconds where it takes eighteen after a tenth of that.
 */
final class Pause {
    private static final long QUIET_NANOS = TimeUnit.MICROSECONDS.toNanos(60);
    private static final long HELD_NANOS = TimeUnit.MICROSECONDS.toNanos(600);

    private Pause() {}

    /** Until other nodes have come to wait in their barrier. */
    static void untilQuiet() {
        giveWay(QUIET_NANOS);
    }

    /** Until, besides, no page is held any more because it was just obtained. */
    static void untilNothingIsHeld() {
        giveWay(HELD_NANOS);
    }

    private static void giveWay(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.yield();
        }
    }
}
