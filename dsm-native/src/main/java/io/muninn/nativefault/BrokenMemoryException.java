package io.muninn.nativefault;

/**
 * Words that the application's threads and traps share with the agent have values that neither
 * writes: the application has stored to memory that it does not own, for example through a view
 * that it has enlarged.
 */
public sealed class BrokenMemoryException extends RuntimeException permits BrokenPoolException {
    private static final long serialVersionUID = 1;

    public BrokenMemoryException(String message) {
        super(message);
    }

    /**
     * Checks the result of a call that reads words of the application.
     *
     * @throws BrokenMemoryException if the words have values that the application never writes
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
