package io.muninn.wire;

/** Bytes that are not the encoding of a message. The connection that delivered them is closed. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }
}
