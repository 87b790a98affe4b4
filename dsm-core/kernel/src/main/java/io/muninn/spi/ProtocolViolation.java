package io.muninn.spi;

import io.muninn.directory.DirectoryEntry;

/**
 * An event that the state × event table declares impossible: a bug, never an operating condition.
 */
public final class ProtocolViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param entry the page and its state
     * @param event the impossible event
     */
    public ProtocolViolation(DirectoryEntry<?> entry, Object event) {
        super(entry + " event=" + event);
    }

    public ProtocolViolation(String text) {
        super(text);
    }

    /** Throws unless the condition holds. */
    public static void check(boolean condition, DirectoryEntry<?> entry, Object event) {
        if (!condition) {
            throw new ProtocolViolation(entry, event);
        }
    }
}
