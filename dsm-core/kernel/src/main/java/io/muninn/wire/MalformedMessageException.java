package io.muninn.wire;

/** Bytes that no codec wrote. The connection they came from is closed. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }
}
