package io.muninn.sim.app;

import io.muninn.api.service.LockLink;
import io.muninn.api.service.LockWord;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import java.util.concurrent.TimeoutException;

/** Locks of one simulated node: its kernel has their words. */
record SimLocks(AppCluster cluster) implements LockLink {
    private record Word(AppCluster cluster, LockId lock) implements LockWord {
        @Override
        public boolean take() {
            return cluster.current().takeLock(lock);
        }

        @Override
        public void free() {
            cluster.current().freeLock(lock);
        }

        @Override
        public void acquire() {
            cluster.current().acquire(lock);
        }

        @Override
        public boolean acquireInterruptibly(long limitNanos) throws TimeoutException {
            return cluster.current().acquireInterruptibly(lock, limitNanos);
        }
    }

    @Override
    public LockWord openLock(LockId lock) {
        return new Word(cluster, lock);
    }

    @Override
    public void enterQueue(ConditionId condition) {
        cluster.current().enterQueue(condition);
    }

    @Override
    public boolean awaitSignal(ConditionId condition, long limitNanos, boolean isInterruptible) {
        return cluster.current().awaitSignal(condition, limitNanos, isInterruptible);
    }

    @Override
    public void signal(ConditionId condition, boolean toAll) {
        cluster.current().signal(condition, toAll);
    }

    @Override
    public long nanoTime() {
        return cluster.current().nanoTime();
    }

    /** Unsupported: simulated machines have no calendar. */
    @Override
    public long currentTimeMillis() {
        throw new UnsupportedOperationException("a simulated program has no calendar");
    }
}
