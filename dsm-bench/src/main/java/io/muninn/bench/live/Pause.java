package io.muninn.bench.live;

import java.util.concurrent.TimeUnit;

/**
 * Lets everything that is under way end before something is timed: other nodes come to wait in
 * their barrier, and no page is held any more because it was just obtained.
 *
 * <p>It gives way all the time but does not sleep: a processor that was idle, if only for a
 * millisecond, takes several times as long for what comes next as in a loop, and floors are loops.
 */
final class Pause {
    private static final long NANOS = TimeUnit.MICROSECONDS.toNanos(600);

    private Pause() {}

    static void take() {
        long end = System.nanoTime() + NANOS;
        while (System.nanoTime() - end < 0) {
            Thread.yield();
        }
    }
}
