package io.muninn.api;

import org.jspecify.annotations.Nullable;

/**
 * The run cannot go on as the program asked: the cluster refused this node, the program on another
 * thread or node failed, or nodes disagree. The text says what and who.
 */
public class DsmException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DsmException(String message) {
        super(message);
    }

    /**
     * @param cause may be null
     */
    @SuppressWarnings("exports") // who compiles against this needs no annotations
    public DsmException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
