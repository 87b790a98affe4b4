package io.muninn.api.single;

import io.muninn.api.service.LockLink;
import io.muninn.api.service.LockWord;
import io.muninn.api.service.ReadWriteWord;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ReadWriteLockId;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Locks among the threads of one process. */
final class LocalLocks implements LockLink {
    private final RunState state;

    /** Threads that no signal has reached, in order of arrival; guarded by the monitor. */
    private final Map<ConditionId, SequencedSet<Thread>> queues = new HashMap<>();

    LocalLocks(RunState state) {
        this.state = state;
    }

    private record Word(RunState state, Semaphore token) implements LockWord {
        @Override
        public boolean take() {
            state.check();
            return token.tryAcquire();
        }

        @Override
        public void free() {
            token.release();
        }

        @Override
        public void acquire() {
            state.uninterruptibly(() -> {
                token.acquire();
                return true;
            });
        }

        @Override
        public boolean acquireInterruptibly(long limitNanos) throws TimeoutException {
            try {
                if (!state.interruptibly(() -> isAcquired(limitNanos))) {
                    throw new TimeoutException();
                }
                return true;
            } catch (InterruptedException cause) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        private boolean isAcquired(long limitNanos) throws InterruptedException {
            if (limitNanos >= 0) {
                return token.tryAcquire(limitNanos, TimeUnit.NANOSECONDS);
            }
            token.acquire();
            return true;
        }
    }

    @Override
    public LockWord openLock(LockId lock) {
        return new Word(state, new Semaphore(1));
    }

    @Override
    public ReadWriteWord openReadWriteLock(ReadWriteLockId lock) {
        return new LocalReadWriteWord(state);
    }

    @Override
    public synchronized void enterQueue(ConditionId condition) {
        queues.computeIfAbsent(condition, _ -> new LinkedHashSet<>()).add(Thread.currentThread());
    }

    @Override
    public boolean awaitSignal(ConditionId condition, long limitNanos, boolean isInterruptible) {
        long deadline = nanoTime() + limitNanos;
        RunState.Wait<Boolean> wait = () -> awaitSignal(condition, limitNanos < 0, deadline);
        boolean isQueued;
        try {
            if (isInterruptible) {
                state.interruptibly(wait);
            } else {
                state.uninterruptibly(wait);
            }
        } catch (InterruptedException cause) {
            Thread.currentThread().interrupt();
        } finally {
            isQueued = leaveQueue(condition);
        }
        return !isQueued;
    }

    private boolean awaitSignal(ConditionId condition, boolean isEndless, long deadline)
            throws InterruptedException {
        while (isQueued(condition)) {
            long restNanos = deadline - nanoTime();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (isEndless) {
                LockSupport.park(this);
            } else if (restNanos > 0) {
                LockSupport.parkNanos(this, restNanos);
            } else {
                return false;
            }
        }
        return true;
    }

    private synchronized boolean isQueued(ConditionId condition) {
        return queue(condition).contains(Thread.currentThread());
    }

    /**
     * Removes the calling thread from the queue. False if it was not in it: a signal has arrived.
     */
    private synchronized boolean leaveQueue(ConditionId condition) {
        return queue(condition).remove(Thread.currentThread());
    }

    private SequencedSet<Thread> queue(ConditionId condition) {
        return queues.getOrDefault(condition, new LinkedHashSet<>());
    }

    @Override
    public synchronized void signal(ConditionId condition, boolean toAll) {
        state.check();
        SequencedSet<Thread> queue = queue(condition);
        do {
            if (queue.isEmpty()) {
                return;
            }
            LockSupport.unpark(queue.removeFirst());
        } while (toAll);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }
}
