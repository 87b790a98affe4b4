package io.muninn.sim.processor;

import java.util.List;

/**
 * The use of a processor's time; exactly one at any moment. A processor that runs no thread is
 * stalled if the thread that it ran last has stopped, for the reason of that thread.
 *
 * <p>Source: Mowry, Chan and Lo, "Comparative Evaluation of Latency Tolerance Techniques for
 * Software Distributed Shared Memory", figures 1, 2 and 4, and Table 2.
 */
public enum ProcessorUse {
    /** The program computes. */
    BUSY("busy", "busy"),
    /** No thread is ready, and the last one waits for a page. */
    MEMORY_STALL("memoryStall", "pages"),
    /** No thread is ready, and the last one waits for a lock. */
    LOCK_STALL("lockStall", "locks"),
    /** No thread is ready, and the last one waits at a barrier of the program. */
    BARRIER_STALL("barrierStall", "barriers"),
    /** No thread is ready, and the last one waits for another answer or for another thread. */
    OTHER_STALL("otherStall", "others"),
    /** The processor receives messages, or works for an agent without a processor of its own. */
    RUNTIME("runtime", "runtime"),
    /** The program prefetches pages. */
    PREFETCH("prefetch", "prefetch"),
    /** The processor changes from one thread to another. */
    SWITCHING("switching", "switching"),
    /** No thread is ready, and the last one has ended, waits for work, or does not exist. */
    IDLE("idle", "idle"),
    /** The thread computes, and waits for its caches or for memory. */
    CACHE_STALL("cacheStall", "caches"),
    /** The processor initiates messages, or waits for room in the queue of its interface. */
    SENDING("sending", "sending");

    /** The reasons for which a thread stops. */
    public static final List<ProcessorUse> STALLS =
            List.of(MEMORY_STALL, LOCK_STALL, BARRIER_STALL, OTHER_STALL);

    private final String key;
    private final String word;

    ProcessorUse(String key, String word) {
        this.key = key;
        this.word = word;
    }

    /** True for a use that only nodes with a model of their hardware have. */
    public boolean isOfHardware() {
        return this == CACHE_STALL || this == SENDING;
    }

    /** First part of its keys in reports. */
    public String key() {
        return key;
    }

    /** Heading of a column. */
    public String word() {
        return word;
    }
}
