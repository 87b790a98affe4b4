package io.muninn.api.single;

import io.muninn.api.DsmException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether the run goes on, and who is waiting: its end ends every wait. A waiting thread enters
 * itself before it looks for the end, and the end is noted before the waiting threads are
 * interrupted, so no thread misses both. The interrupt is part of the wait: a thread that it did
 * not wake takes it back when it leaves, so that the caller's next wait is not cut short by it.
 */
final class RunState {
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    /** Those that the end has interrupted, until they leave; guarded by the monitor. */
    private final Set<Thread> interrupted = new HashSet<>();

    /** Null while the run goes on. */
    private volatile @Nullable DsmException ended;

    /** Something that may wait. May be called again after an interrupt. */
    interface Wait<T> {
        T get() throws InterruptedException;
    }

    /** The run has failed; the first failure counts. */
    void fail(Throwable cause) {
        end(new DsmException("the run has failed on another thread: " + cause, cause));
    }

    /** The run is over; nothing may wait any more. */
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
            throw new DsmException(reason.getMessage(), reason.getCause());
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
            leave(self);
        }
    }

    /** Whoever has left before the run ended is not interrupted: {@link #end} sees it no more. */
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
