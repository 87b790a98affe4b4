package io.muninn.api;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the run cannot continue: the cluster refused this node, the program failed on another
 * thread or node, or nodes disagree. The message names the cause and the node or thread.
 */
public class DsmException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Names the cause, and the node or thread. */
    public DsmException(String message) {
        super(message);
    }

    /**
     * Names the cause, and the node or thread.
     *
     * @param cause may be null
     */
    @SuppressWarnings("exports") // users of this class do not need the annotations
    public DsmException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
