package io.muninn.nativefault;

/** The errno values that this package handles; the numbers are the same on x86-64 and aarch64. */
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int E2BIG = 7;
    static final int EACCES = 13;
    static final int EFAULT = 14;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int EPIPE = 32;
    static final int ENOSYS = 38;
    static final int ENOMSG = 42;
    static final int EPROTO = 71;
    static final int EBADMSG = 74;

    private Errno() {}

    /** The symbol and the number, as in {@code EPERM (1)}. */
    static String name(int errno) {
        return symbol(errno) + " (" + errno + ")";
    }

    private static String symbol(int errno) {
        return switch (errno) {
            case EPERM -> "EPERM";
            case ENOENT -> "ENOENT";
            case 3 -> "ESRCH";
            case 4 -> "EINTR";
            case 5 -> "EIO";
            case E2BIG -> "E2BIG";
            case 9 -> "EBADF";
            case 11 -> "EAGAIN";
            case 12 -> "ENOMEM";
            case EACCES -> "EACCES";
            case 14 -> "EFAULT";
            case 16 -> "EBUSY";
            case 17 -> "EEXIST";
            case EINVAL -> "EINVAL";
            case ENFILE -> "ENFILE";
            case EMFILE -> "EMFILE";
            case 27 -> "EFBIG";
            case 28 -> "ENOSPC";
            case EPIPE -> "EPIPE";
            case ENOSYS -> "ENOSYS";
            case ENOMSG -> "ENOMSG";
            case 71 -> "EPROTO";
            case EBADMSG -> "EBADMSG";
            case 90 -> "EMSGSIZE";
            case 95 -> "EOPNOTSUPP";
            case 98 -> "EADDRINUSE";
            case 104 -> "ECONNRESET";
            case 105 -> "ENOBUFS";
            case 110 -> "ETIMEDOUT";
            case 111 -> "ECONNREFUSED";
            case 114 -> "EALREADY";
            case 133 -> "EHWPOISON";
            default -> "errno";
        };
    }
}
