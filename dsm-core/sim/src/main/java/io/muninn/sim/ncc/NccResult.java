package io.muninn.sim.ncc;

import io.muninn.api.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a run on the machine.
 *
 * @param verdict of the root
 * @param cycles of the parallel part: the latest end of a processor
 * @param processors counts of each
 */
public record NccResult(Verdict verdict, long cycles, List<Processor> processors) {
    /**
     * The counts of a processor.
     *
     * @param cycles until its end
     * @param spent its cycles by purpose
     * @param misses of its cache
     * @param faults of its pages
     */
    public record Processor(long cycles, Map<Spent, Long> spent, long misses, long faults) {
        public Processor {
            spent = Map.copyOf(spent);
        }

        Processor(long cycles, long[] spent, long misses, long faults) {
            this(cycles, named(spent), misses, faults);
        }

        private static Map<Spent, Long> named(long[] values) {
            Map<Spent, Long> named = new EnumMap<>(Spent.class);
            for (Spent each : Spent.values()) {
                named.put(each, values[each.ordinal()]);
            }
            return named;
        }
    }

    public NccResult {
        processors = List.copyOf(processors);
    }

    /** Cycles of all processors for one purpose. */
    public long spent(Spent what) {
        return processors.stream().mapToLong(each -> each.spent().get(what)).sum();
    }

    /** Misses of all caches. */
    public long misses() {
        return processors.stream().mapToLong(Processor::misses).sum();
    }

    /** Page faults of all processors. */
    public long faults() {
        return processors.stream().mapToLong(Processor::faults).sum();
    }
}
