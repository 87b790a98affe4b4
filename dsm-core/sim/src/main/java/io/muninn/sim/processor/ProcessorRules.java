package io.muninn.sim.processor;

import java.util.Locale;

/**
 * The processors of each pretended node, and what their use costs. A thread runs until it stops at
 * a page, waits for an answer or ends; its processor then goes to the thread that has been ready
 * for longest.
 *
 * @param processors for the threads of a node, its own ones included; at least 1
 * @param switchNanos when a processor runs another thread than before
 * @param arrivalNanos of a message that arrives while every processor runs a thread: one of them is
 *     interrupted
 * @param prefetchNanos of a thread that asks for pages that it will need, for each that is not here
 * @param prefetchQueueNanos how long the busiest wire may have messages to carry: while it has
 *     more, prefetches are dropped
 * @param switchesAtPages true if another thread runs while one waits for a page; false if that one
 *     keeps its processor, so that another runs only while it waits for others
 */
public record ProcessorRules(
        int processors,
        long switchNanos,
        long arrivalNanos,
        long prefetchNanos,
        long prefetchQueueNanos,
        boolean switchesAtPages) {
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    /** A processor for each thread, so none ever waits for one; nothing costs time. */
    public static final ProcessorRules ONE_EACH = new ProcessorRules(ANY_NUMBER, 0, 0, 0);

    /** No prefetch is dropped, and threads switch at pages, too. */
    public ProcessorRules(int processors, long switchNanos, long arrivalNanos, long prefetchNanos) {
        this(processors, switchNanos, arrivalNanos, prefetchNanos, Long.MAX_VALUE, true);
    }

    /**
     * @throws IllegalArgumentException if there is no processor, or a cost or a time is negative
     */
    public ProcessorRules {
        if (processors < 1) {
            throw new IllegalArgumentException(processors + " processors: a node has at least 1");
        }
        if (switchNanos < 0 || arrivalNanos < 0 || prefetchNanos < 0 || prefetchQueueNanos < 0) {
            throw new IllegalArgumentException(
                    costs(switchNanos, arrivalNanos, prefetchNanos) + ": costs are at least 0");
        }
    }

    /** False if each thread has a processor, however many threads there are. */
    public boolean isLimited() {
        return processors != ANY_NUMBER;
    }

    /** The same, but that a thread that stops at a page keeps its processor. */
    public ProcessorRules keptAtPages() {
        return new ProcessorRules(
                processors, switchNanos, arrivalNanos, prefetchNanos, prefetchQueueNanos, false);
    }

    /** For a person. */
    public String text() {
        String number = isLimited() ? processors + " processors" : "a processor for each thread";
        String kept = switchesAtPages ? "" : ", kept at pages";
        return number + ", " + costs(switchNanos, arrivalNanos, prefetchNanos) + kept;
    }

    private static String costs(long switchNanos, long arrivalNanos, long prefetchNanos) {
        return String.format(
                Locale.ROOT,
                "switch %d ns, arrival %d ns, prefetch %d ns",
                switchNanos,
                arrivalNanos,
                prefetchNanos);
    }
}
