package io.muninn.report;

import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Records the waits of a node's threads in memory of constant size, however long the run is: sums
 * in slots, whose width doubles when they are used up, and single waits within {@link Limits}.
 *
 * <p><b>Threads.</b> One.
 */
public final class WaitRecorder implements Consumer<Wait> {
    private static final long FIRST_SLOT_NANOS = 1 << 14;
    private static final int NAMES_MAX = 1024;
    private static final int BATCH = 1024;
    private static final String OTHERS = "(others)";
    private static final int REGION_OF_NONE = -1;
    private static final PageId NO_PAGE = new PageId(0, 0);

    /**
     * What a recorder keeps.
     *
     * @param slots periods into which the run is divided, an even number
     * @param longest single waits
     * @param synchronizations single waits for other threads
     */
    public record Limits(int slots, int longest, int synchronizations) {
        private static final int SLOTS_OF_ALL = 1 << 14;
        private static final int LONGEST_OF_ALL = 1 << 14;
        private static final int SYNCHRONIZATIONS_OF_ALL = 1 << 16;

        /**
         * The limits of one node, so that the report of a run remains small.
         *
         * @param threads of each node
         */
        public static Limits of(int nodes, int threads) {
            int slots = Math.clamp(SLOTS_OF_ALL / (nodes * threads), 128, 1024);
            return new Limits(
                    slots / 2 * 2, LONGEST_OF_ALL / nodes, SYNCHRONIZATIONS_OF_ALL / nodes);
        }
    }

    private final class Lane {
        final long[] nanos = new long[WaitKind.COUNT];
        final long[] counts = new long[WaitKind.COUNT];
        final long[][] slots = new long[WaitKind.COUNT][];
        long endNanos;
        long pageNanos;
        long otherNanos;

        void add(WaitKind kind, long begin, long end) {
            int at = kind.ordinal();
            endNanos = Math.max(endNanos, end);
            nanos[at] += end - begin;
            counts[at]++;
            if (slots[at] == null) {
                slots[at] = new long[limits.slots];
            }
            for (int slot = (int) (begin / slotNanos); slot * slotNanos < end; slot++) {
                long from = Math.max(begin, slot * slotNanos);
                slots[at][slot] += Math.min(end, (slot + 1) * slotNanos) - from;
            }
            if (kind.isPage()) {
                pageNanos += end - begin;
            } else if (!kind.isSynchronization()) {
                otherNanos += end - begin;
            }
        }

        void doubleWidth() {
            for (long[] ofKind : slots) {
                for (int i = 0; ofKind != null && i < ofKind.length; i++) {
                    boolean isOld = i < ofKind.length / 2;
                    ofKind[i] = isOld ? ofKind[2 * i] + ofKind[2 * i + 1] : 0;
                }
            }
        }

        TimeLine.Lane sums(int thread) {
            List<long[]> used = new ArrayList<>();
            for (long[] ofKind : slots) {
                int end = ofKind == null ? 0 : ofKind.length;
                while (end > 0 && ofKind[end - 1] == 0) {
                    end--;
                }
                used.add(ofKind == null ? new long[0] : Arrays.copyOf(ofKind, end));
            }
            return new TimeLine.Lane(thread, endNanos, nanos.clone(), counts.clone(), used);
        }
    }

    private final Limits limits;
    private long originNanos;
    private long slotNanos = FIRST_SLOT_NANOS;
    private final List<Wait> noted = new ArrayList<>(BATCH);
    private final TreeMap<Integer, Lane> lanes = new TreeMap<>();
    private final Map<String, Integer> names = new LinkedHashMap<>();
    private final List<TimeLine.Kept> longest = new ArrayList<>();
    private final List<TimeLine.Kept> synchronizations = new ArrayList<>();
    private long leastNanos; // shorter waits are not kept
    private long dropped;
    private long completeNanos = Long.MAX_VALUE;

    /**
     * @param originNanos the start of the run; what was before it is not recorded
     */
    public WaitRecorder(Limits limits, long originNanos) {
        this.limits = limits;
        this.originNanos = originNanos;
    }

    /** Sets the start of the run, before the first wait. */
    public void start(long nowNanos) {
        originNanos = nowNanos;
    }

    /** Only notes the wait: many are recorded in one go, by code that is in the caches then. */
    @Override
    public void accept(Wait wait) {
        noted.add(wait);
        if (noted.size() == BATCH) {
            recordNoted();
        }
    }

    private void recordNoted() {
        noted.forEach(this::record);
        noted.clear();
    }

    private void record(Wait wait) {
        long begin = Math.max(0, wait.beginNanos() - originNanos);
        long end = Math.max(begin, wait.endNanos() - originNanos);
        while (end > slotNanos * limits.slots) {
            slotNanos *= 2;
            lanes.values().forEach(Lane::doubleWidth);
        }
        Lane lane = lanes.computeIfAbsent(wait.thread(), _ -> new Lane());
        if (wait.kind().isSynchronization()) {
            keepSynchronization(wait, lane, begin, end);
        } else if (end - begin >= leastNanos) {
            longest.add(kept(wait, lane, begin, end));
            if (longest.size() >= 2 * limits.longest) {
                dropShortest();
            }
        } else {
            dropped++;
        }
        lane.add(wait.kind(), begin, end);
    }

    private void keepSynchronization(Wait wait, Lane lane, long begin, long end) {
        if (synchronizations.size() < limits.synchronizations) {
            synchronizations.add(kept(wait, lane, begin, end));
        } else {
            completeNanos = Math.min(completeNanos, begin);
            dropped++;
        }
    }

    private TimeLine.Kept kept(Wait wait, Lane lane, long begin, long end) {
        boolean isPage = wait.page().isPresent();
        PageId page = wait.page().orElse(NO_PAGE);
        return new TimeLine.Kept(
                wait.thread(),
                wait.kind(),
                isPage ? page.region() : REGION_OF_NONE,
                isPage ? page.index() : name(wait.about()),
                begin,
                end - begin,
                lane.pageNanos,
                lane.otherNanos);
    }

    private int name(String about) {
        String name = names.size() < NAMES_MAX || names.containsKey(about) ? about : OTHERS;
        return names.computeIfAbsent(name, _ -> names.size());
    }

    /** Drops the shorter waits; of those as long as the shortest that are kept, the later ones. */
    private void dropShortest() {
        long[] lengths = new long[longest.size()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = longest.get(i).nanos();
        }
        Arrays.sort(lengths);
        leastNanos = lengths[lengths.length - limits.longest];
        List<TimeLine.Kept> all = List.copyOf(longest);
        longest.clear();
        int longer = 0;
        for (long length : lengths) {
            longer += length > leastNanos ? 1 : 0;
        }
        int left = limits.longest - longer; // of those that are just as long
        for (TimeLine.Kept wait : all) {
            if (wait.nanos() > leastNanos || wait.nanos() == leastNanos && left-- > 0) {
                longest.add(wait);
            }
        }
        dropped += all.size() - longest.size();
    }

    /** Everything so far. */
    public TimeLine timeLine(long nowNanos) {
        recordNoted();
        if (longest.size() > limits.longest) {
            dropShortest();
        }
        List<TimeLine.Lane> sums = new ArrayList<>();
        lanes.forEach((thread, lane) -> sums.add(lane.sums(thread)));
        List<TimeLine.Kept> inOrder = new ArrayList<>(longest);
        inOrder.sort(Comparator.comparingLong(TimeLine.Kept::beginNanos));
        long end = Math.max(0, nowNanos - originNanos);
        return new TimeLine(
                end,
                slotNanos,
                sums,
                List.copyOf(names.keySet()),
                inOrder,
                synchronizations,
                Math.min(end, completeNanos),
                dropped);
    }
}
