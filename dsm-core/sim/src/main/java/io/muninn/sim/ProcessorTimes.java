package io.muninn.sim;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The time of processors that is charged to a thread, or to several. Exact, in virtual time.
 *
 * @param nanos by use; every use is there
 * @param switches to the thread, from another one on its processor
 * @param runs of the thread: from the moment at which it goes on to the next stop
 * @param stalls of the thread: stops at pages, calls that wait, waits for other threads
 * @param stalledNanos from the stop of each stall that is over until the thread was ready again,
 *     whatever the processor did meanwhile
 */
public record ProcessorTimes(
        Map<ProcessorUse, Long> nanos, long switches, long runs, long stalls, long stalledNanos) {
    /** No time. */
    public static final ProcessorTimes NONE = new ProcessorTimes(each(_ -> 0L), 0, 0, 0, 0);

    public ProcessorTimes {
        nanos = Collections.unmodifiableMap(new EnumMap<>(nanos));
    }

    static Map<ProcessorUse, Long> each(ToLongFunction<ProcessorUse> value) {
        return Stream.of(ProcessorUse.values())
                .collect(Collectors.toMap(use -> use, value::applyAsLong));
    }

    public long nanos(ProcessorUse use) {
        return nanos.get(use);
    }

    /** The time of all uses. */
    public long totalNanos() {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    /** From a stop until the thread is ready again, on average; 0 without a stall. */
    public long averageStallNanos() {
        return stalledNanos / Math.max(1, stalls);
    }

    /** Computation between two stops, on average; 0 without a run. */
    public long averageRunNanos() {
        return nanos(ProcessorUse.BUSY) / Math.max(1, runs);
    }

    public ProcessorTimes plus(ProcessorTimes other) {
        return new ProcessorTimes(
                each(use -> nanos(use) + other.nanos(use)),
                switches + other.switches,
                runs + other.runs,
                stalls + other.stalls,
                stalledNanos + other.stalledNanos);
    }
}
