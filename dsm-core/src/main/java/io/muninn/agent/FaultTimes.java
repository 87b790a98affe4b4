package io.muninn.agent;

import io.muninn.model.PageId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** How long threads are stopped at pages: from the agent's reading of the fault to its resume. */
final class FaultTimes {
    /** Threads stopped at one page: how many, and the sum of their begins. */
    private static final class Stopped {
        int count;
        long beginNanosSum;
        long firstNanos;
        boolean reported;
    }

    private final Map<PageId, Stopped> stopped = new HashMap<>();
    private final LongConsumer total;

    FaultTimes(LongConsumer total) {
        this.total = total;
    }

    void begin(PageId page, long nowNanos) {
        Stopped at = stopped.computeIfAbsent(page, _ -> new Stopped());
        at.firstNanos = at.count == 0 ? nowNanos : at.firstNanos;
        at.count++;
        at.beginNanosSum += nowNanos;
    }

    /** Reports, once for each stop, the pages at which threads have been stopped for too long. */
    void reportOverdue(long nowNanos, long limitNanos, Consumer<PageId> report) {
        stopped.forEach((page, at) -> {
            if (!at.reported && nowNanos - at.firstNanos > limitNanos) {
                at.reported = true;
                report.accept(page);
            }
        });
    }

    void end(PageId page) {
        Stopped at = stopped.remove(page);
        if (at != null) {
            total.accept(at.count * System.nanoTime() - at.beginNanosSum);
        }
    }
}
