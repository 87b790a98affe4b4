package io.muninn.nativefault;

/** A native call failed with an errno that its caller cannot handle. */
public sealed class NativeCallException extends RuntimeException permits MappingLimitException {
    private static final long serialVersionUID = 1;

    private final String call;
    private final int errno;

    /**
     * @param call the C function, for the message
     * @param errno positive, as in {@code errno.h}
     */
    public NativeCallException(String call, int errno) {
        super(call + " failed: " + Errno.name(errno));
        this.call = call;
        this.errno = errno;
    }

    /** The C function that failed. */
    public String call() {
        return call;
    }

    /** Positive, as in {@code errno.h}. */
    public int errno() {
        return errno;
    }

    /** Returns the result, or throws if it is a {@code -errno}. */
    static int checked(String call, int result) {
        if (result < 0) {
            throw new NativeCallException(call, -result);
        }
        return result;
    }

    /** Returns the result, or throws if it is a {@code -errno}. */
    static long checked(String call, long result) {
        if (result < 0) {
            throw new NativeCallException(call, (int) -result);
        }
        return result;
    }
}
