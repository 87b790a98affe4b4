package io.muninn.apps.gcstorm;

import java.util.concurrent.locks.LockSupport;

/**
 * Forces garbage collections from one thread while another allocates garbage, until stopped.
 * Neither thread accesses shared memory.
 */
final class Collections implements AutoCloseable {
    /** Size of a garbage array in bytes. */
    private static final int GARBAGE_BYTES = 64 << 10;

    /** Pause between two forced collections, so that the faulting threads make progress. */
    private static final long COLLECT_PAUSE_NANOS = 10_000_000;

    private static final long ALLOCATE_PAUSE_NANOS = 100_000;

    private final Thread collector =
            Thread.ofPlatform().name("gcstorm-collect").daemon(true).unstarted(this::collect);
    private final Thread allocator =
            Thread.ofPlatform().name("gcstorm-allocate").daemon(true).unstarted(this::allocate);

    private volatile boolean isStopped;
    private volatile long count;
    private volatile long longestNanos;

    @SuppressWarnings("unused") // so that the array is allocated
    private volatile byte[] garbage = new byte[0];

    private Collections() {}

    static Collections start() {
        Collections collections = new Collections();
        collections.collector.start();
        collections.allocator.start();
        return collections;
    }

    private void collect() {
        for (long collected = 1; !isStopped; collected++) {
            long start = System.nanoTime();
            System.gc();
            longestNanos = Math.max(longestNanos, System.nanoTime() - start);
            count = collected;
            LockSupport.parkNanos(COLLECT_PAUSE_NANOS);
        }
    }

    private void allocate() {
        while (!isStopped) {
            garbage = new byte[GARBAGE_BYTES];
            LockSupport.parkNanos(ALLOCATE_PAUSE_NANOS);
        }
    }

    /** Stops both threads and waits for their end. */
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

    /** Number of completed forced collections. */
    long count() {
        return count;
    }

    /** The longest forced collection from call to return, including the time to the safepoint. */
    long longestNanos() {
        return longestNanos;
    }

    @Override
    public void close() {
        isStopped = true;
    }
}
