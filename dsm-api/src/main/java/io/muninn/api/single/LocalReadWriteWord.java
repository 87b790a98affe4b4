package io.muninn.api.single;

import io.muninn.api.service.ReadWriteWord;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A reader-writer lock among the threads of one process: a reader has one share, a writer all of
 * them. Shares are given first in, first out.
 */
final class LocalReadWriteWord implements ReadWriteWord {
    private static final int ALL = Integer.MAX_VALUE;

    private final RunState state;
    private final Semaphore shares = new Semaphore(ALL, true);

    LocalReadWriteWord(RunState state) {
        this.state = state;
    }

    private static int shares(boolean toWrite) {
        return toWrite ? ALL : 1;
    }

    /** False while others wait, because a semaphore would let the caller overtake them. */
    @Override
    public boolean take(boolean toWrite) {
        state.check();
        return !shares.hasQueuedThreads() && shares.tryAcquire(shares(toWrite));
    }

    @Override
    public void acquire(boolean toWrite) {
        state.uninterruptibly(() -> {
            shares.acquire(shares(toWrite));
            return true;
        });
    }

    @Override
    public boolean acquireInterruptibly(boolean toWrite, long limitNanos) throws TimeoutException {
        try {
            if (!state.interruptibly(() -> isAcquired(toWrite, limitNanos))) {
                throw new TimeoutException();
            }
            return true;
        } catch (InterruptedException cause) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean isAcquired(boolean toWrite, long limitNanos) throws InterruptedException {
        if (limitNanos >= 0) {
            return shares.tryAcquire(shares(toWrite), limitNanos, TimeUnit.NANOSECONDS);
        }
        shares.acquire(shares(toWrite));
        return true;
    }

    @Override
    public void freeRead() {
        shares.release();
    }

    @Override
    public void freeWrite(boolean keepsReading) {
        shares.release(keepsReading ? ALL - 1 : ALL);
    }
}
