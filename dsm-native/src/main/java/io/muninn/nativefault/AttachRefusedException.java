package io.muninn.nativefault;

/** The agent refused this application, or a pool does not fit; the text is the reason. */
public final class AttachRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    AttachRefusedException(String message) {
        super(message);
    }
}
