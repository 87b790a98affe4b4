package io.muninn.api.single;

import io.muninn.api.DsmException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of the run and the set of waiting threads; the end of the run ends every wait. A
 * waiting thread registers before it checks for the end, and the end is recorded before the
 * registered threads are interrupted, so no thread misses both. The interrupt belongs to the wait:
 * a thread that it did not wake clears it when it leaves, so that it does not end the caller's next
 * wait.
 */
final class RunState {
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    /**
     * Threads that the end of the run has interrupted, until they leave; guarded by the monitor.
     */
    private final Set<Thread> interrupted = new HashSet<>();

    /** Null until the run has ended. */
    private volatile @Nullable DsmException ended;

    /** An operation that may wait. It may be called again after an interrupt. */
    interface Wait<T> {
        T get() throws InterruptedException;
    }

    /** Ends the run with a failure; only the first counts. */
    void fail(Throwable cause) {
        end(new DsmException("the run has failed on another thread: " + cause, cause));
    }

    /** Ends the run; every later wait throws. */
    void close() {
        end(new DsmException("the run has ended"));
    }

    private synchronized void end(DsmException reason) {
        if (ended == null) {
            ended = reason;
        }
        for (Thread thread : waiting) {
            thread.interrupt();
            interrupted.add(thread);
        }
    }

    /**
     * @throws DsmException if the run has failed or is over
     */
    void check() {
        DsmException reason = ended;
        if (reason != null) {
            throw new DsmException(String.valueOf(reason.getMessage()), reason.getCause());
        }
    }

    /** Waits. An interrupt by another thread ends the wait. */
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
            leave(self);
        }
    }

    /**
     * Unregisters a thread. {@link #end} does not interrupt threads that have left before the run
     * ended.
     */
    private void leave(Thread self) {
        waiting.remove(self);
        if (ended != null) {
            takeBack(self);
        }
    }

    private synchronized void takeBack(Thread self) {
        if (interrupted.remove(self)) {
            Thread.interrupted();
        }
    }

    /** Waits. An interrupt by another thread stays pending. */
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
