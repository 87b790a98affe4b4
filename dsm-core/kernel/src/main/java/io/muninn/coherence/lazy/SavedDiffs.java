package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.IntervalDiff;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The diffs of this node's stores: they remain here, and are sent to who asks. A request for an
 * interval whose diff is still being made waits for it.
 */
final class SavedDiffs {
    /** Bytes of diffs with which a reply is full. */
    static final int MESSAGE_BYTES = 256 << 10;

    private record Saved(VectorTimestamp timestamp, int bytes) {}

    private record Deferred(NodeId asker, DiffRequest request) {}

    private static final class OfPage {
        final TreeMap<Long, Saved> byInterval = new TreeMap<>(); // empty diffs, too
        final List<Deferred> deferred = new ArrayList<>();

        boolean has(long interval) {
            return !byInterval.isEmpty() && byInterval.lastKey() >= interval;
        }
    }

    private final LogicalClock clock;
    private final PageMap<OfPage> pages = new PageMap<>();
    private final TreeMap<Long, VectorTimestamp> timestamps = new TreeMap<>(); // of own intervals

    SavedDiffs(LogicalClock clock) {
        this.clock = clock;
    }

    /** The present interval ends, and pages were stored to in it. */
    void onIntervalEnd() {
        timestamps.put(clock.interval(), clock.timestamp());
    }

    /**
     * A diff was made, of an interval that has ended.
     *
     * @param bytes its length; 0 if page and twin are equal
     */
    void add(PageId page, long interval, int bytes, Effects out) {
        VectorTimestamp timestamp = timestamps.get(interval);
        if (timestamp == null) {
            throw new IllegalStateException("interval " + interval + " has not ended: " + page);
        }
        OfPage of = of(page);
        of.byInterval.put(interval, new Saved(timestamp, bytes));
        of.deferred.removeIf(waiting -> {
            boolean isAnswered = of.has(waiting.request().upTo());
            if (isAnswered) {
                answer(waiting.asker(), waiting.request(), of, out);
            }
            return isAnswered;
        });
    }

    void onDiffRequest(NodeId asker, DiffRequest request, Effects out) {
        OfPage of = of(request.page());
        if (of.has(request.upTo())) {
            answer(asker, request, of, out);
        } else {
            of.deferred.add(new Deferred(asker, request));
        }
    }

    private OfPage of(PageId page) {
        OfPage of = pages.get(page);
        if (of == null) {
            of = new OfPage();
            pages.put(page, of);
        }
        return of;
    }

    private static void answer(NodeId asker, DiffRequest request, OfPage of, Effects out) {
        PageId page = request.page();
        List<IntervalDiff> diffs = new ArrayList<>();
        long through = request.upTo();
        int bytes = 0;
        for (Map.Entry<Long, Saved> each :
                of.byInterval.subMap(request.after(), false, request.upTo(), true).entrySet()) {
            Saved saved = each.getValue();
            if (saved.bytes() > 0) {
                long interval = each.getKey();
                diffs.add(
                        new IntervalDiff(saved.timestamp(), new Payload.SavedDiff(page, interval)));
                bytes += saved.bytes();
                if (bytes >= MESSAGE_BYTES) {
                    through = interval;
                    break;
                }
            }
        }
        out.send(asker, new DiffReply(page, through, diffs));
    }
}
