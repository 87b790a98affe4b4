package io.muninn.nativefault;

import java.util.Locale;

/**
 * The system calls that every node needs regardless of its engine, and that a filter of system
 * calls may deny.
 */
public enum SystemCall {
    MEMFD_CREATE,
    EVENTFD2,
    TIMERFD_CREATE,
    EPOLL_CREATE1,
    SOCKET,
    SOCKETPAIR;

    /** Its name in the system's manual. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Makes the call, and closes the opened descriptors.
     *
     * @return 0, or the errno
     */
    public int attempt() {
        return -FaultLibrary.dsm_system_call(ordinal());
    }

    /** The symbol and the number of an errno, as in {@code EPERM (1)}. */
    public static String errnoText(int errno) {
        return Errno.name(errno);
    }

    /** True if a process or the system has too many files open for the call. */
    public static boolean lacksFiles(int errno) {
        return errno == Errno.EMFILE || errno == Errno.ENFILE;
    }
}
