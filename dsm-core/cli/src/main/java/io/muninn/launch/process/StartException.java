package io.muninn.launch.process;

/** A run could not be started for a reason outside Muninn; the text is for the user. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartException(String text, Throwable cause) {
        super(text, cause);
    }
}
