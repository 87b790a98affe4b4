package io.muninn.api.single;

import io.muninn.api.spi.LockCondition;
import io.muninn.model.ConditionId;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** A condition of a lock among the threads of one process. */
final class LocalCondition extends LockCondition {
    private final LocalLock lock;
    private final Condition condition;
    private final RunState state;

    /**
     * @param condition of the same lock
     */
    LocalCondition(LocalLock lock, Condition condition, ConditionId id, RunState state) {
        super(id);
        this.lock = lock;
        this.condition = condition;
        this.state = state;
    }

    @Override
    protected boolean awaitSignal(long limitNanos) throws InterruptedException {
        lock.checkHeld("awaits " + this);
        return state.interruptibly(() -> awaitHere(limitNanos));
    }

    private boolean awaitHere(long limitNanos) throws InterruptedException {
        if (limitNanos >= 0) {
            return condition.await(limitNanos, TimeUnit.NANOSECONDS);
        }
        condition.await();
        return true;
    }

    /** An interrupt wakes the thread, as the end of the run does, and is kept for later. */
    @Override
    public void awaitUninterruptibly() {
        lock.checkHeld("awaits " + this);
        boolean isInterrupted = Thread.interrupted();
        try {
            state.interruptibly(() -> awaitHere(FOR_EVER));
        } catch (InterruptedException later) {
            isInterrupted = true;
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    protected void send(boolean toAll) {
        lock.checkHeld("signals " + this);
        state.check();
        if (toAll) {
            condition.signalAll();
        } else {
            condition.signal();
        }
    }

    @Override
    protected long nanoTime() {
        return System.nanoTime();
    }
}
