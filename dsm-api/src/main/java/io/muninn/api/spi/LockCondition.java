package io.muninn.api.spi;

import io.muninn.model.ConditionId;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * What the conditions of all locks have in common: the many ways to wait, in terms of two.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public abstract class LockCondition implements Condition {
    /** Waits without limit. */
    protected static final long FOR_EVER = -1;

    private final ConditionId id;

    protected LockCondition(ConditionId id) {
        this.id = id;
    }

    /** The names by which all nodes know it. */
    protected final ConditionId id() {
        return id;
    }

    /**
     * Waits for a signal; gives the lock up for as long. An interrupt ends the wait.
     *
     * @param limitNanos {@link #FOR_EVER}, or how long to wait from now on; 0 gives the lock up and
     *     takes it again, no more
     * @return false if the time ran out
     * @throws InterruptedException if interrupted before or while waiting; the lock is held
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock
     */
    protected abstract boolean awaitSignal(long limitNanos) throws InterruptedException;

    /**
     * Wakes the oldest waiter, or all of them.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock
     */
    protected abstract void send(boolean toAll);

    /** The clock that limits are told by; of any origin. */
    protected abstract long nanoTime();

    @Override
    public void await() throws InterruptedException {
        awaitSignal(FOR_EVER);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return awaitSignal(Math.max(0, unit.toNanos(time)));
    }

    @Override
    public long awaitNanos(long limitNanos) throws InterruptedException {
        long begin = nanoTime();
        boolean isSignalled = awaitSignal(Math.max(0, limitNanos));
        long waitedNanos = nanoTime() - begin;
        long restNanos = limitNanos < 0 ? limitNanos : limitNanos - waitedNanos;
        return isSignalled ? restNanos : Math.min(0, restNanos);
    }

    @Override
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        long restMillis = deadline.getTime() - System.currentTimeMillis();
        return await(restMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void signal() {
        send(false);
    }

    @Override
    public void signalAll() {
        send(true);
    }

    @Override
    public final String toString() {
        return "condition '" + id.name() + "' of lock '" + id.lock() + "'";
    }
}
