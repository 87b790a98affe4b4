package io.muninn.apps.gcstorm;

import java.util.concurrent.locks.LockSupport;

/**
 * Forces collections from one thread while another produces garbage, until stopped. Both are plain
 * threads that never touch shared memory.
 */
final class Collections implements AutoCloseable {
    /** Length of one piece of garbage. */
    private static final int GARBAGE_BYTES = 64 << 10;

    /** Between two forced collections, so that the threads that fault get to run at all. */
    private static final long COLLECT_PAUSE_NANOS = 10_000_000;

    private static final long ALLOCATE_PAUSE_NANOS = 100_000;

    private final Thread collector =
            Thread.ofPlatform().name("gcstorm-collect").daemon(true).unstarted(this::collect);
    private final Thread allocator =
            Thread.ofPlatform().name("gcstorm-allocate").daemon(true).unstarted(this::allocate);

    private volatile boolean isStopped;
    private volatile long count;
    private volatile long longestNanos;
    private volatile byte[] garbage = new byte[0];

    private Collections() {}

    static Collections start() {
        Collections collections = new Collections();
        collections.collector.start();
        collections.allocator.start();
        return collections;
    }

    private void collect() {
        while (!isStopped) {
            long start = System.nanoTime();
            System.gc();
            longestNanos = Math.max(longestNanos, System.nanoTime() - start);
            count = count + 1;
            LockSupport.parkNanos(COLLECT_PAUSE_NANOS);
        }
    }

    private void allocate() {
        while (!isStopped) {
            garbage = new byte[GARBAGE_BYTES];
            LockSupport.parkNanos(ALLOCATE_PAUSE_NANOS);
        }
    }

    /** Ends both threads; returns when they have ended. */
    void stop() {
        isStopped = true;
        boolean isInterrupted = false;
        for (Thread thread : new Thread[] {collector, allocator}) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException cause) {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Collections that have been forced and are over. */
    long count() {
        return count;
    }

    /** The longest of them, from call to return: the way to the safepoint is part of it. */
    long longestNanos() {
        return longestNanos;
    }

    @Override
    public void close() {
        isStopped = true;
    }
}
