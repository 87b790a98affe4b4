package io.muninn.agent.memory;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The threads that are stopped at pages: their processes, and for how long, from the agent's
 * reading of the fault to its resume.
 */
public final class FaultTimes {
    /** Receives the times of the threads that are resumed, summed over loads and stores. */
    public interface Listener {
        void onStopped(PageId page, long loadNanos, long storeNanos);

        /** A thread has stopped; called for a listener that wants every stop. */
        default void onStopping(boolean isStore) {}

        /** True to receive every stop, too. */
        default boolean wantsStops() {
            return false;
        }

        /**
         * A thread is resumed.
         *
         * @param thread as it was given to {@link FaultTimes#begin}
         */
        default void onStop(
                int thread, PageId page, boolean isStore, long beginNanos, long endNanos) {}
    }

    private record Stop(int thread, boolean isStore, long beginNanos) {}

    /** Threads of a process stopped at one page: their number and the sum of their start times. */
    private static final class Stopped {
        int loads;
        int stores;
        long loadsBeginNanosSum;
        long storesBeginNanosSum;
        long firstNanos;
        boolean reported;
        int firstThread;
        boolean firstIsStore;
        List<Stop> others = List.of(); // behind the first; for a listener that wants them
    }

    private final List<Map<PageId, Stopped>> stopped = new ArrayList<>(); // by process
    private final Listener listener;
    private long lookedNanos; // the last call of reportOverdue
    private long awakeNanos; // start of the period in which it has been called in time

    FaultTimes(Listener listener) {
        this.listener = listener;
    }

    /**
     * A thread has stopped at a page.
     *
     * @param thread of the node, if it is known; else negative
     */
    void begin(MappingId of, PageId page, FaultKind kind, int thread, long nowNanos) {
        while (stopped.size() <= of.index()) {
            stopped.add(new HashMap<>());
        }
        Stopped at = stopped.get(of.index()).computeIfAbsent(page, _ -> new Stopped());
        boolean isFirst = at.loads + at.stores == 0;
        if (isFirst) {
            at.firstNanos = nowNanos;
            at.firstThread = thread;
            at.firstIsStore = kind.isStore();
        }
        if (kind.isStore()) {
            at.stores++;
            at.storesBeginNanosSum += nowNanos;
        } else {
            at.loads++;
            at.loadsBeginNanosSum += nowNanos;
        }
        if (listener.wantsStops()) {
            if (!isFirst) {
                at.others = at.others.isEmpty() ? new ArrayList<>(1) : at.others;
                at.others.add(new Stop(thread, kind.isStore(), nowNanos));
            }
            listener.onStopping(kind.isStore());
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
        for (Map<PageId, Stopped> ofProcess : stopped) {
            ofProcess.forEach((page, at) -> {
                long waited = nowNanos - at.firstNanos;
                if (!at.reported && Math.min(waited, nowNanos - awakeNanos) > limitNanos) {
                    at.reported = true;
                    report.accept(page);
                }
            });
        }
    }

    /** The page at which a thread has been stopped for the longest time, if any is stopped. */
    Optional<StoppedAt> oldest() {
        return stopped.stream()
                .flatMap(ofProcess -> ofProcess.entrySet().stream())
                .map(each -> new StoppedAt(each.getKey(), each.getValue().firstNanos))
                .min(Comparator.comparingLong(each -> each.beginNanos() - lookedNanos));
    }

    /** The processes with threads stopped at a page, a bit for each. */
    long processes(PageId page) {
        long processes = 0;
        for (int i = 0; i < stopped.size(); i++) {
            processes |= stopped.get(i).containsKey(page) ? 1L << i : 0;
        }
        return processes;
    }

    /** Records that the threads of every process that have stopped at a page are resumed. */
    void end(PageId page) {
        for (Map<PageId, Stopped> ofProcess : stopped) {
            end(ofProcess, page);
        }
    }

    /** As {@link #end(PageId)}, of one process. */
    void end(MappingId of, PageId page) {
        if (of.index() < stopped.size()) {
            end(stopped.get(of.index()), page);
        }
    }

    private void end(Map<PageId, Stopped> ofProcess, PageId page) {
        Stopped at = ofProcess.remove(page);
        if (at != null) {
            long now = System.nanoTime();
            listener.onStopped(
                    page,
                    at.loads * now - at.loadsBeginNanosSum,
                    at.stores * now - at.storesBeginNanosSum);
            if (listener.wantsStops()) {
                listener.onStop(at.firstThread, page, at.firstIsStore, at.firstNanos, now);
            }
            for (Stop stop : at.others) {
                listener.onStop(stop.thread(), page, stop.isStore(), stop.beginNanos(), now);
            }
        }
    }
}
