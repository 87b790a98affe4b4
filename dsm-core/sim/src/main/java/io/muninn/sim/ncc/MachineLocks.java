package io.muninn.sim.ncc;

import io.muninn.api.service.LockLink;
import io.muninn.api.service.LockWord;
import io.muninn.api.service.ReadWriteWord;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ReadWriteLockId;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;

/**
 * The locks of the machine: queue locks, each with a word at a home that its name determines. A
 * lock that guards pages lies in the first of them, so whoever acquires or releases it stores to
 * that page first, through the cache. All others are accessed uncached.
 *
 * <p><b>Threads.</b> The processor that has the turn.
 */
final class MachineLocks implements LockLink {
    private final Machine machine;
    private final Map<String, QueueLock> locks = new HashMap<>();

    MachineLocks(Machine machine) {
        this.machine = machine;
    }

    /** The lock of a name, of either kind. */
    QueueLock of(String name) {
        return locks.computeIfAbsent(
                name, _ -> new QueueLock(machine, Math.floorMod(name.hashCode(), machine.nodes())));
    }

    /** Puts a lock into the page that it guards. */
    void placeAt(String name, long address) {
        of(name).place(OptionalLong.of(address));
    }

    @Override
    public LockWord openLock(LockId id) {
        QueueLock lock = of("lock " + id.name());
        return new LockWord() {
            @Override
            public boolean take() {
                return lock.take(true);
            }

            @Override
            public void free() {
                lock.free(true, false);
            }

            @Override
            public void acquire() {
                lock.acquire(true);
            }

            @Override
            public boolean acquireInterruptibly(long limitNanos) {
                lock.acquire(true);
                return true;
            }
        };
    }

    @Override
    public ReadWriteWord openReadWriteLock(ReadWriteLockId id) {
        QueueLock lock = of("read-write " + id.name());
        return new ReadWriteWord() {
            @Override
            public boolean take(boolean toWrite) {
                return lock.take(toWrite);
            }

            @Override
            public void acquire(boolean toWrite) {
                lock.acquire(toWrite);
            }

            @Override
            public boolean acquireInterruptibly(boolean toWrite, long limitNanos)
                    throws TimeoutException {
                lock.acquire(toWrite);
                return true;
            }

            @Override
            public void freeRead() {
                lock.free(false, false);
            }

            @Override
            public void freeWrite(boolean keepsReading) {
                lock.free(true, keepsReading);
            }
        };
    }

    @Override
    public void enterQueue(ConditionId condition) {
        throw noConditions();
    }

    @Override
    public boolean awaitSignal(ConditionId condition, long limitNanos, boolean isInterruptible) {
        throw noConditions();
    }

    @Override
    public void signal(ConditionId condition, boolean toAll) {
        throw noConditions();
    }

    private static UnsupportedOperationException noConditions() {
        return new UnsupportedOperationException("the machine has no conditions of locks");
    }

    /** Cycles of the calling processor. */
    @Override
    public long nanoTime() {
        return machine.current().now();
    }

    @Override
    public long currentTimeMillis() {
        throw new UnsupportedOperationException("the machine has no calendar");
    }
}
