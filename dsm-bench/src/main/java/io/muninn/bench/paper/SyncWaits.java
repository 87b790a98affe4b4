package io.muninn.bench.paper;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.sim.SimThread;
import io.muninn.spi.Event;
import io.muninn.spi.WaiterId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums the part of synchronization that is waiting for other threads: at a barrier until the last
 * thread has arrived, for a lock until its holder has released it. The rest is the cost of the
 * protocol.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 7 and appendix A.
 */
final class SyncWaits {
    /** A thread's request of a lock. */
    private record Request(NodeId node, LockId lock, WaiterId waiter) {}

    private final Map<BarrierId, List<Long>> arrivals = new HashMap<>();
    private final Map<Request, Long> requests = new HashMap<>();
    private final Map<LockId, Long> releases = new HashMap<>();
    private long acquires;
    private long lockNanos;
    private long barrierNanos;

    /** Forgets the sums, but not who waits. */
    void restart() {
        acquires = 0;
        lockNanos = 0;
        barrierNanos = 0;
    }

    void arrived(BarrierId barrier, int parties, long nowNanos) {
        List<Long> before = arrivals.computeIfAbsent(barrier, _ -> new ArrayList<>());
        before.add(nowNanos);
        if (before.size() == parties) {
            barrierNanos += before.stream().mapToLong(arrival -> nowNanos - arrival).sum();
            before.clear();
        }
    }

    void requested(NodeId node, Event.AcquireCalled call, long nowNanos) {
        requests.put(new Request(node, call.lock(), call.waiter()), nowNanos);
    }

    void acquired(SimThread thread, LockId lock) {
        acquires++;
        Long requested = requests.remove(new Request(thread.node().id(), lock, thread.id()));
        Long released = releases.get(lock);
        if (requested != null && released != null) {
            lockNanos += Math.max(0, released - requested);
        }
    }

    void released(LockId lock, long nowNanos) {
        releases.put(lock, nowNanos);
    }

    long acquires() {
        return acquires;
    }

    /** Of all threads. */
    long lockNanos() {
        return lockNanos;
    }

    /** Of all threads. */
    long barrierNanos() {
        return barrierNanos;
    }
}
