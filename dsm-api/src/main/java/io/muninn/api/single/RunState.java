package io.muninn.api.single;

import io.muninn.api.DsmException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether the run has failed, and who is waiting: a failure ends every wait. A waiting thread
 * enters itself before it looks for a failure, and a failure is set before the waiting threads are
 * interrupted, so no thread misses both.
 */
final class RunState {
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    /** Null until the run has failed. */
    private volatile @Nullable Throwable failure;

    /** Something that may wait. May be called again after an interrupt. */
    interface Wait<T> {
        T get() throws InterruptedException;
    }

    /** The first failure counts. */
    void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        for (Thread thread : waiting) {
            thread.interrupt();
        }
    }

    /**
     * @throws DsmException if the run has failed
     */
    void check() {
        Throwable cause = failure;
        if (cause != null) {
            throw new DsmException("the run has failed on another thread: " + cause, cause);
        }
    }

    /** Waits; an interrupt from outside ends the wait. */
    <T> T interruptibly(Wait<T> wait) throws InterruptedException {
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            check();
            return wait.get();
        } catch (InterruptedException cause) {
            check();
            throw cause;
        } finally {
            waiting.remove(self);
        }
    }

    /** Waits; an interrupt from outside is kept for later. */
    <T> T uninterruptibly(Wait<T> wait) {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return interruptibly(wait);
                } catch (InterruptedException cause) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
