package io.muninn.api;

import java.util.Locale;

/**
 * The body of a parallel loop threw an exception, which is the cause. The cause was encoded and
 * decoded like the exception of a shipped call, also on the same node: {@link ShippedCallException}
 * has the rules. If several bodies threw, it is the exception at the lowest index; the others are
 * suppressed. The message contains type and message of the original exception, and of its lowest
 * cause.
 */
public final class LoopException extends DsmException {
    private static final long serialVersionUID = 1L;

    /** Largest number of causes that are followed; a chain of causes may be a circle. */
    private static final int DEPTH_MAX = 16;

    private final String loop;
    private final int node;
    private final int index;

    /**
     * @param loop name of the loop
     * @param node on which the body threw
     * @param thread of that node
     * @param domain of the loop
     * @param index position of the index that the body was called with, or the first of the part
     */
    public LoopException(
            String loop, int node, int thread, Domain domain, int index, Throwable cause) {
        super(
                String.format(
                        Locale.ROOT,
                        "loop '%s' failed at index %s, on node %d, thread %d: %s",
                        loop,
                        domain.index(index),
                        node,
                        thread,
                        text(cause)),
                cause);
        this.loop = loop;
        this.node = node;
        this.index = index;
    }

    /**
     * Type and message of the original exception, and of the lowest of its causes. If the exception
     * was replaced by a description, both are read from the description. The methods of other
     * exceptions may throw.
     */
    private static String text(Throwable cause) {
        String text =
                cause instanceof ShippedCallException
                                && cause.getCause() instanceof ShippedCallException description
                        ? String.valueOf(description.getMessage())
                        : String.valueOf(cause);
        Throwable lowest = cause;
        for (int depth = 0;
                depth < DEPTH_MAX && lowest.getCause() instanceof ShippedCallException next;
                depth++) {
            lowest = next;
        }
        String lower = lowest == cause ? text : String.valueOf(lowest.getMessage());
        return text.contains(lower) ? text : text + ", caused by " + lower;
    }

    /** The loop's name, which is the name of its field. */
    public String loop() {
        return loop;
    }

    /** The node on which the body threw. */
    public int node() {
        return node;
    }

    /**
     * The index that the body was called with; for a body of parts, the first index of its part. In
     * a domain of several ranges, the position of the index.
     */
    public int index() {
        return index;
    }
}
