package io.muninn.bench.paper;

import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.List;

/**
 * A part of a processor's time, as the study of nodes of several processors divides it.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 7.
 */
enum ProcessorPart {
    COMPUTE("compute", "thread compute", ProcessorUse.BUSY),
    CPU_STALL("stall", "CPU stall", ProcessorUse.CACHE_STALL),
    DATA_WAIT("data", "data wait", ProcessorUse.MEMORY_STALL),
    LOCKS("locks", "locks", ProcessorUse.LOCK_STALL),
    BARRIERS(
            "barriers",
            "barriers",
            ProcessorUse.BARRIER_STALL,
            ProcessorUse.OTHER_STALL,
            ProcessorUse.IDLE),
    IO_WAIT("io", "I/O wait", ProcessorUse.SENDING),
    PROTOCOL("protocol", "protocol handlers", ProcessorUse.RUNTIME);

    private final String word;
    private final String label;
    private final List<ProcessorUse> uses;

    ProcessorPart(String word, String label, ProcessorUse... uses) {
        this.word = word;
        this.label = label;
        this.uses = List.of(uses);
    }

    /** Its name in resources. */
    String word() {
        return word;
    }

    /** Its name for readers. */
    String label() {
        return label;
    }

    long nanos(ProcessorTimes times) {
        return uses.stream().mapToLong(times::nanos).sum();
    }

    long nanos(List<ProcessorTimes> threads) {
        return threads.stream().mapToLong(this::nanos).sum();
    }
}
