package io.muninn.bench.live;

import java.util.concurrent.TimeUnit;

/**
 * Waits of the root before a timed operation. The root yields in a loop and does not sleep. After
 * an idle millisecond a processor takes several times as long for the next operation as in a loop,
 * and floors are measured in loops.
 *
 * <p>Waits are as short as possible. On a shared machine the caches are overwritten within half a
 * millisecond, even of a processor that is not idle: the first step of an agent then takes 20 to 60
 * microseconds, compared with 18 after a tenth of that time.
 */
final class Pause {
    private static final long QUIET_NANOS = TimeUnit.MICROSECONDS.toNanos(60);
    private static final long HELD_NANOS = TimeUnit.MICROSECONDS.toNanos(600);

    private Pause() {}

    /** Waits until the other nodes wait in their barrier. */
    static void untilQuiet() {
        giveWay(QUIET_NANOS);
    }

    /** Also waits until no page is held any longer because it has just arrived. */
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
