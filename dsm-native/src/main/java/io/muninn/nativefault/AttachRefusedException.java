package io.muninn.nativefault;

/** The agent refused this application; the text is the agent's reason. */
public final class AttachRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    AttachRefusedException(String message) {
        super(message);
    }
}
