package io.muninn.verify.check;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage;
import io.muninn.wire.WireMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locks, barriers and conditions at which the threads of one node wait, according to the calls
 * that their agent has received.
 */
final class WaitingCalls {
    private final @Nullable LockId[] locks; // by thread; null if it waits for none
    private final @Nullable BarrierId[] barriers; // the same
    private final @Nullable ConditionId[] conditions; // the same
    private final @Nullable ReadWriteLockId[] permissions; // the same
    private final List<Integer> arrived = new ArrayList<>(); // threads at barriers, oldest first

    WaitingCalls(Simulation.Cluster cluster) {
        int threads = cluster.threads() + cluster.ownThreads();
        locks = new LockId[threads];
        barriers = new BarrierId[threads];
        conditions = new ConditionId[threads];
        permissions = new ReadWriteLockId[threads];
    }

    int threads() {
        return locks.length;
    }

    @Nullable LockId lock(int thread) {
        return thread < locks.length ? locks[thread] : null;
    }

    @Nullable BarrierId barrier(int thread) {
        return thread < barriers.length ? barriers[thread] : null;
    }

    /** False for threads that are not tracked. */
    private boolean knows(WaiterId waiter) {
        return waiter.thread() < locks.length;
    }

    private void wait(WaiterId waiter, LockId lock) {
        if (knows(waiter)) {
            locks[waiter.thread()] = lock;
        }
    }

    /** The condition for whose queue, signal or answer of the manager a thread waits. */
    @Nullable ConditionId condition(int thread) {
        return conditions[thread];
    }

    /** The reader-writer lock for which a thread waits. */
    @Nullable ReadWriteLockId permission(int thread) {
        return thread < permissions.length ? permissions[thread] : null;
    }

    void beforeStep(Event event) {
        switch (event) {
            case Event.PermissionCalled call when knows(call.waiter()) ->
                    permissions[call.waiter().thread()] = call.lock();
            case Event.AcquireCalled(WaiterId waiter, LockId lock, long _) -> wait(waiter, lock);
            case Event.BarrierReached(WaiterId waiter, BarrierId barrier, int _, long _, var _) ->
                    arrive(waiter.thread(), barrier);
            case Event.MessageArrived(_, SyncMessage.BarrierDepart depart, long _) ->
                    depart(depart.barrier(), depart.count());
            case Event.WaitCalled(WaiterId waiter, ConditionId condition) ->
                    conditions[waiter.thread()] = condition;
            case Event.SignalAwaited(WaiterId waiter, ConditionId condition, long _) ->
                    conditions[waiter.thread()] = condition;
            case Event.SignalCalled(WaiterId waiter, ConditionId condition, boolean _) ->
                    conditions[waiter.thread()] = condition;
            default -> {} // does not begin such a wait
        }
    }

    void onOwnMessage(WireMessage message) {
        if (message instanceof SyncMessage.BarrierDepart depart) {
            depart(depart.barrier(), depart.count());
        }
    }

    private void arrive(int thread, BarrierId barrier) {
        barriers[thread] = barrier;
        arrived.add(thread);
    }

    /** The oldest waiters depart; they resume when their acquire is performed. */
    private void depart(BarrierId barrier, int count) {
        List<Integer> departing =
                arrived.stream()
                        .filter(thread -> barrier.equals(barriers[thread]))
                        .limit(count)
                        .toList();
        departing.forEach(thread -> barriers[thread] = null);
        arrived.removeAll(departing);
    }

    void afterStep(List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.ResumeWaiter(WaiterId waiter, _) && knows(waiter)) {
                locks[waiter.thread()] = null;
                barriers[waiter.thread()] = null;
                arrived.remove(Integer.valueOf(waiter.thread()));
                conditions[waiter.thread()] = null;
                permissions[waiter.thread()] = null;
            }
        }
    }
}
