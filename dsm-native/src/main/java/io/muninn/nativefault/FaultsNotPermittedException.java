package io.muninn.nativefault;

/** No way to a userfaultfd works here; the text lists each with its errno and its remedy. */
public final class FaultsNotPermittedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    FaultsNotPermittedException(String message) {
        super(message);
    }
}
