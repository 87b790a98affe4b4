package io.muninn.apps.gcstorm;

/**
 * Forces collections from one thread while another produces garbage, until stopped. Both are plain
 * threads that never touch shared memory.
 */
final class Collections implements AutoCloseable {
    /** Length of one piece of garbage. */
    private static final int GARBAGE_BYTES = 64 << 10;

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
        }
    }

    private void allocate() {
        while (!isStopped) {
            garbage = new byte[GARBAGE_BYTES];
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
