package io.muninn.launch;

/** A run could not be started for a reason outside Muninn; the text is for the user. */
final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartException(String text, Throwable cause) {
        super(text, cause);
    }
}
