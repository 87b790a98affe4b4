package io.muninn.api.single;

import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Guards the state on which threads of one process wait. The end of the run ends every wait; an
 * interrupt stays pending.
 */
final class LocalMonitor {
    private static final long FOR_EVER = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final RunState state;

    LocalMonitor(RunState state) {
        this.state = state;
    }

    /** Waits until an attempt succeeds; see {@link #await(long, Supplier)}. */
    <T> T await(Supplier<Optional<T>> attempt) {
        return await(FOR_EVER, attempt).orElseThrow();
    }

    /**
     * Waits until an attempt succeeds.
     *
     * @param limitNanos negative for no limit
     * @param attempt runs inside the monitor, now and after each change; empty to continue waiting
     * @return empty if the time ran out
     * @throws io.muninn.api.DsmException if the run has failed or is over
     */
    <T> Optional<T> await(long limitNanos, Supplier<Optional<T>> attempt) {
        long deadline = System.nanoTime() + limitNanos;
        return state.uninterruptibly(() -> {
            lock.lock();
            try {
                Optional<T> result = attempt.get();
                while (result.isEmpty()) {
                    long restNanos = deadline - System.nanoTime();
                    if (limitNanos < 0) {
                        changed.await();
                    } else if (restNanos > 0) {
                        changed.awaitNanos(restNanos);
                    } else {
                        return result;
                    }
                    result = attempt.get();
                }
                return result;
            } finally {
                lock.unlock();
            }
        });
    }

    /** Wakes the waiting threads after a change of the state. */
    void changed() {
        changed.signalAll();
    }
}
