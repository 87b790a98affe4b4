package io.muninn.sim.processor;

import java.util.Locale;

/**
 * The processors of each simulated node, and the costs of their use. A thread runs until it faults,
 * waits for an answer or ends; its processor is then given to the thread that has been ready for
 * longest.
 *
 * @param processors number of processors for the threads of a node, its own ones included; at least
 *     1
 * @param switchNanos cost of a switch to another thread
 * @param arrivalNanos how long a message interrupts a thread if every processor runs one; where the
 *     program's threads share processors, the cost of every arrival
 * @param prefetchNanos cost of a prefetch for each page that is not present
 * @param prefetchQueueNanos a node's prefetches are dropped while its wires or its network
 *     interface have messages to carry for longer than this
 * @param switchesAtPages true if a thread that waits for a page gives up its processor; false if it
 *     gives it up for other waits only
 */
public record ProcessorRules(
        int processors,
        long switchNanos,
        long arrivalNanos,
        long prefetchNanos,
        long prefetchQueueNanos,
        boolean switchesAtPages) {
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    /** A processor for each thread, so no thread waits for one; all costs are 0. */
    public static final ProcessorRules ONE_EACH = new ProcessorRules(ANY_NUMBER, 0, 0, 0);

    /** Creates rules by which no prefetch is dropped, and threads also switch at pages. */
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

    /** Returns these rules, by which a thread that waits for a page keeps its processor. */
    public ProcessorRules keptAtPages() {
        return new ProcessorRules(
                processors, switchNanos, arrivalNanos, prefetchNanos, prefetchQueueNanos, false);
    }

    /** Describes the rules. */
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
