package io.muninn.api.service;

import io.muninn.api.shipping.CallChain;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;

/**
 * A re-entrant lock, or one half of a reader-writer lock, of one node: its waits, and what the node
 * tracks of it.
 */
abstract class HeldLock implements Lock {
    private static final long FOR_EVER = -1;

    /** What it is, with its name, for messages. */
    abstract String text();

    /** Its name in chains of shipped calls; equal for the two halves of a reader-writer lock. */
    abstract String chainName();

    /** The number of holds of the calling thread. */
    public abstract int holdCount();

    /** As {@link LockWord#acquire}. */
    abstract void acquireWord();

    /** As {@link LockWord#acquireInterruptibly}. */
    abstract boolean acquireWordInterruptibly(long limitNanos) throws TimeoutException;

    /** Records the first hold of the calling thread. */
    abstract void entered();

    @Override
    public final void lock() {
        if (!tryLock()) {
            CallChain.checkWait(chainName());
            acquireWord();
            entered();
        }
    }

    @Override
    public final void lockInterruptibly() throws InterruptedException {
        try {
            acquire(FOR_EVER);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    @Override
    public final boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long limitNanos = unit.toNanos(time);
        if (limitNanos <= 0) {
            checkInterrupt();
            return tryLock();
        }
        try {
            acquire(limitNanos);
            return true;
        } catch (TimeoutException tooLate) {
            return false;
        }
    }

    private void acquire(long limitNanos) throws TimeoutException, InterruptedException {
        checkInterrupt();
        if (tryLock()) {
            return;
        }
        CallChain.checkWait(chainName());
        boolean isHeld = acquireWordInterruptibly(limitNanos);
        if (isHeld) {
            entered();
        }
        if (Thread.interrupted()) {
            if (isHeld) {
                unlock();
            }
            throw new InterruptedException();
        }
    }

    private static void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
