package io.muninn.nativefault;

/**
 * Words that the application's threads and traps share with the agent say what neither writes: the
 * application has stored to memory that is not its own, for example by a view of memory that it
 * made larger.
 */
public final class BrokenMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenMemoryException(String message) {
        super(message);
    }

    /**
     * Passes on the result of a call that reads words of the application.
     *
     * @throws BrokenMemoryException if they are none that it writes
     * @throws NativeCallException if the call failed otherwise
     */
    static int checked(String call, int result) {
        if (result == -Errno.EPROTO || result == -Errno.EFAULT) {
            throw new BrokenMemoryException(
                    "the application's words for the agent are broken (" + call + ")");
        }
        return NativeCallException.checked(call, result);
    }
}
