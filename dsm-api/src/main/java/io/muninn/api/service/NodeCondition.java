package io.muninn.api.service;

import io.muninn.api.DsmException;
import io.muninn.api.shipping.CallChain;
import io.muninn.model.ConditionId;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** A condition of a lock; its queue is in the kernel. */
final class NodeCondition implements Condition {
    private static final long FOR_EVER = -1;

    private final LockLink link;
    private final NodeLock lock;
    private final ConditionId id;

    NodeCondition(LockLink link, NodeLock lock, ConditionId id) {
        this.link = link;
        this.lock = lock;
        this.id = id;
    }

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
        long begin = link.nanoTime();
        boolean isSignalled = awaitSignal(Math.max(0, limitNanos));
        long waitedNanos = link.nanoTime() - begin;
        long restNanos = limitNanos < 0 ? limitNanos : limitNanos - waitedNanos;
        return isSignalled ? restNanos : Math.min(0, restNanos);
    }

    @Override
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        long untilMillis = deadline.getTime();
        long nowMillis = link.currentTimeMillis();
        boolean isPast = untilMillis <= nowMillis; // then the difference might overflow
        return await(isPast ? 0 : untilMillis - nowMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void awaitUninterruptibly() {
        checkMayWait();
        awaitSignal(FOR_EVER, false);
    }

    @Override
    public void signal() {
        signal(false);
    }

    @Override
    public void signalAll() {
        signal(true);
    }

    private void signal(boolean toAll) {
        lock.checkHeld("signals " + this);
        lock.beforeRelease();
        link.signal(id, toAll);
    }

    /**
     * Waits for a signal, with the lock released. An interrupt ends the wait.
     *
     * @param limitNanos {@link #FOR_EVER}, or the longest time to wait from now on; 0 only releases
     *     and acquires the lock
     * @return false if the time ran out
     * @throws InterruptedException if interrupted before or while waiting; the lock is held
     */
    private boolean awaitSignal(long limitNanos) throws InterruptedException {
        checkMayWait();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean isSignalled = limitNanos == 0 ? letOthersIn() : awaitSignal(limitNanos, true);
        if (!isSignalled && Thread.interrupted()) {
            throw new InterruptedException();
        }
        return isSignalled;
    }

    private void checkMayWait() {
        lock.checkHeld("awaits " + this);
        CallChain.checkWait(lock.name()); // a lock of a caller cannot be released here
    }

    private boolean letOthersIn() {
        lock.takeAgain(lock.giveUp());
        return false;
    }

    private boolean awaitSignal(long limitNanos, boolean isInterruptible) {
        long deadline = link.nanoTime() + limitNanos;
        link.enterQueue(id);
        int holds = lock.giveUp();
        boolean isSignalled;
        try {
            long restNanos = limitNanos < 0 ? FOR_EVER : Math.max(0, deadline - link.nanoTime());
            isSignalled = link.awaitSignal(id, restNanos, isInterruptible);
        } catch (DsmException lost) {
            lock.markLost();
            throw lost;
        }
        lock.takeAgain(holds);
        return isSignalled;
    }

    @Override
    public String toString() {
        return "condition '" + id.name() + "' of lock '" + id.lock() + "'";
    }
}
