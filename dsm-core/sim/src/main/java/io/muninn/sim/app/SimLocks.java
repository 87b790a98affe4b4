package io.muninn.sim.app;

import io.muninn.api.service.LockWord;
import io.muninn.api.service.ReadWriteWord;
import io.muninn.link.EventLocks;
import io.muninn.model.LockId;
import io.muninn.model.ReadWriteLockId;

/** Locks of one simulated node: its kernel has their words. */
final class SimLocks extends EventLocks {
    private final AppCluster cluster;

    SimLocks(AppCluster cluster) {
        super(cluster::current);
        this.cluster = cluster;
    }

    @Override
    public LockWord openLock(LockId lock) {
        return new Word(lock) {
            @Override
            public boolean take() {
                return cluster.current().takeLock(lock);
            }

            @Override
            public void free() {
                cluster.current().freeLock(lock);
            }
        };
    }

    @Override
    public ReadWriteWord openReadWriteLock(ReadWriteLockId lock) {
        return new PermissionWord(lock) {
            @Override
            public boolean take(boolean toWrite) {
                return cluster.current().takePermission(lock, toWrite);
            }

            @Override
            public void freeRead() {
                cluster.current().freeRead(lock);
            }

            @Override
            public void freeWrite(boolean keepsReading) {
                cluster.current().freeWrite(lock, keepsReading);
            }
        };
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
