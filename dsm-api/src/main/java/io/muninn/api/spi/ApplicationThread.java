package io.muninn.api.spi;

import java.time.Duration;

/**
 * A handle to an application thread that {@link DsmSession#start} has started.
 *
 * <p><b>Threads.</b> Application thread 0.
 */
public interface ApplicationThread {
    /** Returns when the thread has ended. */
    void join() throws InterruptedException;

    /**
     * Returns when the thread has ended or the time has elapsed.
     *
     * @param limitNanos at least 1, by the clock of {@link DsmSession#nowNanos}
     */
    void join(long limitNanos) throws InterruptedException;

    /**
     * Starts a platform thread named {@code muninn-app-N}; the JVM does not wait for it.
     *
     * @param thread its number, N
     */
    static ApplicationThread ofPlatform(int thread, Runnable body) {
        Thread started = Thread.ofPlatform().name("muninn-app-" + thread).daemon(true).start(body);
        return new ApplicationThread() {
            @Override
            public void join() throws InterruptedException {
                started.join();
            }

            @Override
            public void join(long limitNanos) throws InterruptedException {
                started.join(Duration.ofNanos(limitNanos));
            }
        };
    }
}
