package io.muninn.report;

import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records the waits of a node's threads in memory of constant size, however long the run is: sums
 * in slots, whose width doubles when they are used up, and single waits within {@link Limits}.
 *
 * <p><b>Threads.</b> One.
 */
public final class WaitRecorder implements Consumer<Wait> {
    private static final int FIRST_SLOT_BITS = 14;
    private static final int NAMES_MAX = 1024;
    private static final int BATCH = 1024;
    private static final int STORES_MAX = 1 << 14;
    private static final String OTHERS = "(others)";
    private static final int REGION_OF_NONE = -1;

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

    /** A line that stores to a page, by the position of its name. */
    private record StoredAt(int region, int page, int line) {}

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
            for (int slot = (int) (begin >> slotBits); (long) slot << slotBits < end; slot++) {
                long from = Math.max(begin, (long) slot << slotBits);
                slots[at][slot] += Math.min(end, slot + 1L << slotBits) - from;
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
    private int slotBits = FIRST_SLOT_BITS; // of a slot's width
    private final KeptWaits noted = new KeptWaits(BATCH);
    private @Nullable Lane[]
            lanes = {}; // by thread, from the unknown one on; null before its first wait
    private final Map<String, Integer> names = new LinkedHashMap<>();
    private final Map<StoredAt, Long> stores = new HashMap<>(); // how often
    private long storesDropped;
    private final KeptWaits longest = new KeptWaits(BATCH);
    private final KeptWaits synchronizations = new KeptWaits(BATCH);
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

    @Override
    public void accept(Wait wait) {
        if (wait.page().isPresent()) {
            atPage(
                    wait.thread(),
                    wait.kind(),
                    wait.page().get(),
                    wait.beginNanos(),
                    wait.endNanos());
        } else {
            inCall(wait.thread(), wait.kind(), wait.about(), wait.beginNanos(), wait.endNanos());
        }
    }

    /** As {@link #accept}, of a stop at a page, without an object. */
    public void atPage(int thread, WaitKind kind, PageId page, long beginNanos, long endNanos) {
        note(thread, kind, page.region(), page.index(), beginNanos, endNanos);
    }

    /** As {@link #accept}, of a call, without an object. */
    public void inCall(int thread, WaitKind kind, String about, long beginNanos, long endNanos) {
        note(thread, kind, REGION_OF_NONE, name(about), beginNanos, endNanos);
    }

    /** A line of the program has stored to a page, and was seen so often. */
    public void storedAt(PageId page, String line, int times) {
        StoredAt key = new StoredAt(page.region(), page.index(), name(line));
        if (stores.size() < STORES_MAX || stores.containsKey(key)) {
            stores.merge(key, (long) times, Long::sum);
        } else {
            storesDropped += times;
        }
    }

    /** Only notes the wait: many are recorded in one go, by code that is in the caches then. */
    private void note(
            int thread, WaitKind kind, int region, int about, long beginNanos, long endNanos) {
        noted.add(thread, kind, region, about, beginNanos, endNanos - beginNanos);
        if (noted.size() == BATCH) {
            recordNoted();
        }
    }

    private void recordNoted() {
        for (int i = 0; i < noted.size(); i++) {
            record(i);
        }
        noted.clear();
    }

    /** Records a wait that was noted. */
    private void record(int index) {
        long relative = noted.beginNanos(index) - originNanos;
        long begin = Math.max(0, relative);
        long end = Math.max(begin, relative + noted.nanos(index));
        WaitKind kind = noted.kind(index);
        while (end > (long) limits.slots << slotBits) {
            slotBits++;
            for (Lane lane : lanes) {
                if (lane != null) {
                    lane.doubleWidth();
                }
            }
        }
        Lane lane = lane(noted.thread(index));
        if (kind.isSynchronization()) {
            keepSynchronization(index, lane, begin, end);
        } else if (end - begin >= leastNanos) {
            longest.add(noted, index, begin, end - begin, lane.pageNanos, lane.otherNanos);
            if (longest.size() >= 2 * limits.longest) {
                dropShortest();
            }
        } else {
            dropped++;
        }
        lane.add(kind, begin, end);
    }

    private Lane lane(int thread) {
        int at = thread - Wait.UNKNOWN;
        if (at >= lanes.length) {
            lanes = Arrays.copyOf(lanes, at + 1);
        }
        if (lanes[at] == null) {
            lanes[at] = new Lane();
        }
        return lanes[at];
    }

    private void keepSynchronization(int index, Lane lane, long begin, long end) {
        if (synchronizations.size() < limits.synchronizations) {
            synchronizations.add(noted, index, begin, end - begin, lane.pageNanos, lane.otherNanos);
        } else {
            completeNanos = Math.min(completeNanos, begin);
            dropped++;
        }
    }

    private int name(String about) {
        Integer known = names.get(about);
        if (known != null) {
            return known;
        }
        String name = names.size() < NAMES_MAX ? about : OTHERS;
        return names.computeIfAbsent(name, _ -> names.size());
    }

    private void dropShortest() {
        int all = longest.size();
        leastNanos = longest.keepLongest(limits.longest);
        dropped += all - longest.size();
    }

    /** Everything so far. */
    public TimeLine timeLine(long nowNanos) {
        recordNoted();
        if (longest.size() > limits.longest) {
            dropShortest();
        }
        List<TimeLine.Lane> sums = new ArrayList<>();
        for (int i = 0; i < lanes.length; i++) {
            if (lanes[i] != null) {
                sums.add(lanes[i].sums(i + Wait.UNKNOWN));
            }
        }
        List<TimeLine.Stores> ofPages = new ArrayList<>();
        stores.forEach((at, times) ->
                ofPages.add(new TimeLine.Stores(at.region(), at.page(), at.line(), times)));
        ofPages.sort(TimeLine.Stores.ORDER);
        List<TimeLine.Kept> inOrder = longest.list();
        inOrder.sort(Comparator.comparingLong(TimeLine.Kept::beginNanos));
        long end = Math.max(0, nowNanos - originNanos);
        return new TimeLine(
                end,
                1L << slotBits,
                sums,
                List.copyOf(names.keySet()),
                inOrder,
                synchronizations.list(),
                Math.min(end, completeNanos),
                dropped,
                ofPages,
                storesDropped);
    }
}
