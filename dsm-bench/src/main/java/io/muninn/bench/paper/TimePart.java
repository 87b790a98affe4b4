package io.muninn.bench.paper;

import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.List;

/**
 * A part of what the time of processors went to, as the study of prefetching and multithreading
 * divides it; the lowest of a bar first.
 *
 * <p>Source: Mowry, Chan and Lo, sections 1.1, 3.3 and 4.3.
 */
enum TimePart {
    BUSY("busy", ProcessorUse.BUSY),
    OVERHEAD("DSM overhead", ProcessorUse.RUNTIME),
    MEMORY("memory stall", ProcessorUse.MEMORY_STALL),
    SYNCHRONIZATION(
            "synchronization stall",
            ProcessorUse.LOCK_STALL,
            ProcessorUse.BARRIER_STALL,
            ProcessorUse.OTHER_STALL,
            ProcessorUse.IDLE),
    SWITCHING("multithreading overhead", ProcessorUse.SWITCHING),
    PREFETCH("prefetch overhead", ProcessorUse.PREFETCH);

    private final String label;
    private final List<ProcessorUse> uses;

    TimePart(String label, ProcessorUse... uses) {
        this.label = label;
        this.uses = List.of(uses);
    }

    /** Its name for readers. */
    String label() {
        return label;
    }

    /** The names of parts, in order. */
    static List<String> labels(List<TimePart> parts) {
        return parts.stream().map(TimePart::label).toList();
    }

    long nanos(ProcessorTimes times) {
        return uses.stream().mapToLong(times::nanos).sum();
    }
}
