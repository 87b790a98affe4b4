package io.muninn.bench.live;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets everything that is under way end before something is timed: other nodes come to wait in
 * their barrier, and no page is held any more because it was just obtained.
 */
final class Pause {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Pause() {}

    static void take() {
        long end = System.nanoTime() + NANOS;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
