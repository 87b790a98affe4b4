package io.muninn.sim;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts for how long threads wait for other threads: for the release of a lock, and for the last
 * arrival at a barrier. What a stall takes beyond that is the cost of messages and handlers.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 7 and appendix A.
 */
final class SyncWaits {
    private final Map<LockId, Long> releasedNanos = new HashMap<>(); // the last release
    private final Map<BarrierId, Map<SimThread, Long>> arrivedNanos = new HashMap<>();

    void onRelease(LockId lock, long nowNanos) {
        releasedNanos.put(lock, nowNanos);
    }

    /** A thread that has waited acquires a lock. */
    void onAcquired(SimThread thread, LockId lock, long stoppedNanos) {
        long released = releasedNanos.getOrDefault(lock, stoppedNanos);
        thread.waitedForOthers(Math.max(0, released - stoppedNanos));
    }

    /**
     * A thread arrives at a barrier.
     *
     * @param parties number of threads at which the barrier completes
     */
    void onArrive(SimThread thread, BarrierId barrier, int parties) {
        long nowNanos = thread.node().simulation().nowNanos();
        Map<SimThread, Long> arrived =
                arrivedNanos.computeIfAbsent(barrier, _ -> new LinkedHashMap<>());
        arrived.put(thread, nowNanos);
        if (arrived.size() >= parties) {
            arrived.forEach((each, since) -> each.waitedForOthers(nowNanos - since));
            arrived.clear();
        }
    }

    /** A thread leaves a barrier that has not completed. */
    void onLeft(SimThread thread, BarrierId barrier) {
        arrivedNanos.getOrDefault(barrier, Map.of()).remove(thread);
    }
}
