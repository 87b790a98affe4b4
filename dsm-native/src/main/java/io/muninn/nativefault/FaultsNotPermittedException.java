package io.muninn.nativefault;

/**
 * This process cannot open a userfaultfd. The text lists each way that was tried, with its errno
 * and its remedy.
 */
public final class FaultsNotPermittedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    FaultsNotPermittedException(String message) {
        super(message);
    }
}
