package io.muninn.nativefault;

/**
 * Words of a pool, which all processes of a run share, have values that no node writes: one of
 * these processes has stored to memory that it does not own.
 */
public final class BrokenPoolException extends BrokenMemoryException {
    private static final long serialVersionUID = 1;

    public BrokenPoolException(String message) {
        super(message);
    }
}
