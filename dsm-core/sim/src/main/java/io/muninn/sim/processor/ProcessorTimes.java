package io.muninn.sim.processor;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The time of processors that is charged to a thread, or to several. Exact, in virtual time. The
 * time charged to a thread of the program and its time away add up to the time at which it ended.
 *
 * @param nanos time by use, with every use
 * @param stalls ended stops of the thread, by reason
 * @param latencyNanos time from each stop until the thread was ready again, by reason, regardless
 *     of the processor's use meanwhile
 * @param waitNanos of {@code latencyNanos} the part in which other threads had not let the thread
 *     go on: until a lock was released, or the last thread arrived at a barrier
 * @param switches number of switches to the thread from another one on its processor
 * @param runs number of runs of the thread, each until its next stop
 * @param awayNanos time before the thread's first processor, and while another thread had the
 *     processor on which it ran last
 */
public record ProcessorTimes(
        Map<ProcessorUse, Long> nanos,
        Map<ProcessorUse, Long> stalls,
        Map<ProcessorUse, Long> latencyNanos,
        Map<ProcessorUse, Long> waitNanos,
        long switches,
        long runs,
        long awayNanos) {
    /** No time. */
    public static final ProcessorTimes NONE = new ProcessorSums().times();

    public ProcessorTimes {
        nanos = Collections.unmodifiableMap(new EnumMap<>(nanos));
        stalls = Collections.unmodifiableMap(new EnumMap<>(stalls));
        latencyNanos = Collections.unmodifiableMap(new EnumMap<>(latencyNanos));
        waitNanos = Collections.unmodifiableMap(new EnumMap<>(waitNanos));
    }

    static Map<ProcessorUse, Long> each(ToLongFunction<ProcessorUse> value) {
        Map<ProcessorUse, Long> values = new EnumMap<>(ProcessorUse.class);
        for (ProcessorUse use : ProcessorUse.values()) {
            values.put(use, value.applyAsLong(use));
        }
        return values;
    }

    public long nanos(ProcessorUse use) {
        return nanos.getOrDefault(use, 0L);
    }

    public long stalls(ProcessorUse why) {
        return stalls.getOrDefault(why, 0L);
    }

    public long latencyNanos(ProcessorUse why) {
        return latencyNanos.getOrDefault(why, 0L);
    }

    public long waitNanos(ProcessorUse why) {
        return waitNanos.getOrDefault(why, 0L);
    }

    /** The time of all uses. */
    public long totalNanos() {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Average time of a stall for this reason in which its processor had no other thread; 0 without
     * a stall.
     */
    public long averageStallNanos(ProcessorUse why) {
        return nanos(why) / Math.max(1, stalls(why));
    }

    /** Average such time of stalls at pages and for locks together, as in Table 2. */
    public long averageStallNanos() {
        long stalledNanos = nanos(ProcessorUse.MEMORY_STALL) + nanos(ProcessorUse.LOCK_STALL);
        return stalledNanos
                / Math.max(1, stalls(ProcessorUse.MEMORY_STALL) + stalls(ProcessorUse.LOCK_STALL));
    }

    /** Computation between two stops, on average; 0 without a run. */
    public long averageRunNanos() {
        return nanos(ProcessorUse.BUSY) / Math.max(1, runs);
    }

    public ProcessorTimes plus(ProcessorTimes other) {
        return plus(other, 1);
    }

    /** The difference from an earlier state of these times. */
    public ProcessorTimes since(ProcessorTimes earlier) {
        return plus(earlier, -1);
    }

    private ProcessorTimes plus(ProcessorTimes other, int factor) {
        return new ProcessorTimes(
                each(use -> nanos(use) + factor * other.nanos(use)),
                each(use -> stalls(use) + factor * other.stalls(use)),
                each(use -> latencyNanos(use) + factor * other.latencyNanos(use)),
                each(use -> waitNanos(use) + factor * other.waitNanos(use)),
                switches + factor * other.switches,
                runs + factor * other.runs,
                awayNanos + factor * other.awayNanos);
    }
}
