package io.muninn.nativefault;

/**
 * The words of a ring say what no agent writes: the process at its other end is not to be trusted.
 */
public final class BrokenRingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenRingException(int bytes) {
        super(bytes + " bytes are unread in a ring of " + RingEnd.BYTES);
    }
}
