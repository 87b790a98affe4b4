package io.muninn.agent.memory;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The threads that are stopped at pages: their processes, and for how long, from the agent's
 * reading of the fault to its resume.
 */
final class FaultTimes {
    /** Receives the times of the threads that are resumed, summed over loads and stores. */
    public interface Listener {
        void onStopped(PageId page, long loadNanos, long storeNanos);
    }

    /** Threads stopped at one page: their number, the sum of their start times, their processes. */
    private static final class Stopped {
        int loads;
        int stores;
        long loadsBeginNanosSum;
        long storesBeginNanosSum;
        long firstNanos;
        long processes; // a bit for each
        boolean reported;
    }

    private final Map<PageId, Stopped> stopped = new HashMap<>();
    private final Listener listener;
    private long lookedNanos; // the last call of reportOverdue
    private long awakeNanos; // start of the period in which it has been called in time

    FaultTimes(Listener listener) {
        this.listener = listener;
    }

    void begin(MappingId of, PageId page, FaultKind kind, long nowNanos) {
        Stopped at = stopped.computeIfAbsent(page, _ -> new Stopped());
        at.processes |= 1L << of.index();
        at.firstNanos = at.loads + at.stores == 0 ? nowNanos : at.firstNanos;
        if (kind.isStore()) {
            at.stores++;
            at.storesBeginNanosSum += nowNanos;
        } else {
            at.loads++;
            at.loadsBeginNanosSum += nowNanos;
        }
    }

    /**
     * Reports, once for each stop, the pages at which threads have been stopped for too long. It is
     * called five times per limit. If more than half the limit has elapsed since the last call,
     * this process itself was stopped, and the limit starts again.
     */
    void reportOverdue(long nowNanos, long limitNanos, Consumer<PageId> report) {
        if (nowNanos - lookedNanos > limitNanos / 2) {
            awakeNanos = nowNanos;
        }
        lookedNanos = nowNanos;
        stopped.forEach((page, at) -> {
            long waited = nowNanos - at.firstNanos;
            if (!at.reported && Math.min(waited, nowNanos - awakeNanos) > limitNanos) {
                at.reported = true;
                report.accept(page);
            }
        });
    }

    /** The processes with threads stopped at a page, a bit for each. */
    long processes(PageId page) {
        Stopped at = stopped.get(page);
        return at == null ? 0 : at.processes;
    }

    void end(PageId page) {
        Stopped at = stopped.remove(page);
        if (at != null) {
            long now = System.nanoTime();
            listener.onStopped(
                    page,
                    at.loads * now - at.loadsBeginNanosSum,
                    at.stores * now - at.storesBeginNanosSum);
        }
    }
}
