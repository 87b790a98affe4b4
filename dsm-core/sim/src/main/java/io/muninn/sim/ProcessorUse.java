package io.muninn.sim;

/**
 * What the time of a processor goes to; at any moment one of these. A processor that runs no thread
 * is stalled if the thread that it ran last stands still, by the reason of that thread.
 *
 * <p>Source: Mowry, Chan and Lo, "Comparative Evaluation of Latency Tolerance Techniques for
 * Software Distributed Shared Memory", figures 1, 2 and 4.
 */
public enum ProcessorUse {
    /** The program computes. */
    BUSY("busyNanos", "busy"),
    /** No thread is ready, and the last one stands at a page. */
    MEMORY_STALL("memoryStallNanos", "memory"),
    /** No thread is ready, and the last one waits for an answer or for another thread. */
    SYNCHRONIZATION_STALL("synchronizationStallNanos", "synchronization"),
    /** The processor takes messages in, or works for an agent that has none of its own. */
    RUNTIME("runtimeNanos", "runtime"),
    /** The program asks for pages that it will need. */
    PREFETCH("prefetchNanos", "prefetch"),
    /** The processor changes from one thread to another. */
    SWITCHING("switchingNanos", "switching"),
    /** No thread is ready, and the last one has ended, has nothing to serve, or never was. */
    IDLE("idleNanos", "idle");

    private final String key;
    private final String word;

    ProcessorUse(String key, String word) {
        this.key = key;
        this.word = word;
    }

    /** Key in reports. */
    public String key() {
        return key;
    }

    /** Heading of a column. */
    public String word() {
        return word;
    }
}
