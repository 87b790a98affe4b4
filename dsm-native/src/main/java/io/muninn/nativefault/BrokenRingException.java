package io.muninn.nativefault;

/**
 * The words of a ring have values that no agent writes: the process at the other end cannot be
 * trusted.
 */
public final class BrokenRingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenRingException(int bytes) {
        super(bytes + " bytes are unread in a ring of " + RingEnd.BYTES);
    }
}
