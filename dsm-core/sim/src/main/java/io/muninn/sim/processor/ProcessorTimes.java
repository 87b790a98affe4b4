package io.muninn.sim.processor;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The time of processors that is charged to a thread, or to several. Exact, in virtual time. What
 * is charged to a thread of the program and its time away make, together, the time at which it
 * ended.
 *
 * @param nanos by use; every use is there
 * @param stalls by reason: stops of the thread that are over
 * @param latencyNanos by reason: from the stop of each stall until the thread was ready again,
 *     whatever the processor did meanwhile
 * @param switches to the thread, from another one on its processor
 * @param runs of the thread: from the moment at which it goes on to the next stop
 * @param awayNanos before the thread had a processor first, and while another thread had taken the
 *     one that it ran on last
 */
public record ProcessorTimes(
        Map<ProcessorUse, Long> nanos,
        Map<ProcessorUse, Long> stalls,
        Map<ProcessorUse, Long> latencyNanos,
        long switches,
        long runs,
        long awayNanos) {
    /** No time. */
    public static final ProcessorTimes NONE = new ProcessorSums().times();

    public ProcessorTimes {
        nanos = Collections.unmodifiableMap(new EnumMap<>(nanos));
        stalls = Collections.unmodifiableMap(new EnumMap<>(stalls));
        latencyNanos = Collections.unmodifiableMap(new EnumMap<>(latencyNanos));
    }

    static Map<ProcessorUse, Long> each(ToLongFunction<ProcessorUse> value) {
        Map<ProcessorUse, Long> values = new EnumMap<>(ProcessorUse.class);
        for (ProcessorUse use : ProcessorUse.values()) {
            values.put(use, value.applyAsLong(use));
        }
        return values;
    }

    public long nanos(ProcessorUse use) {
        return nanos.get(use);
    }

    public long stalls(ProcessorUse why) {
        return stalls.get(why);
    }

    public long latencyNanos(ProcessorUse why) {
        return latencyNanos.get(why);
    }

    /** The time of all uses. */
    public long totalNanos() {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Of a stall for this reason what its processor had no other thread for; 0 without one. */
    public long averageStallNanos(ProcessorUse why) {
        return nanos(why) / Math.max(1, stalls(why));
    }

    /** The same of stalls at pages and for locks together, as in Table 2. */
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

    /** What came after other times, which are the same ones earlier. */
    public ProcessorTimes since(ProcessorTimes earlier) {
        return plus(earlier, -1);
    }

    private ProcessorTimes plus(ProcessorTimes other, int factor) {
        return new ProcessorTimes(
                each(use -> nanos(use) + factor * other.nanos(use)),
                each(use -> stalls(use) + factor * other.stalls(use)),
                each(use -> latencyNanos(use) + factor * other.latencyNanos(use)),
                switches + factor * other.switches,
                runs + factor * other.runs,
                awayNanos + factor * other.awayNanos);
    }
}
