package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import com.sun.jna.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Waits for descriptors, as the agent's event loop does. */
final class Descriptors {
    private static final int POLLFD_BYTES = 8;
    private static final short POLLIN = 1;

    static {
        NativeDirectory.faultLibrary();
        Native.register(Descriptors.class, "c");
    }

    private Descriptors() {}

    private static native int poll(long fds, long count, int timeoutMillis);

    /** Returns when one of the descriptors is readable, or the time is up. */
    static void await(int timeoutMillis, int... fds) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate((long) fds.length * POLLFD_BYTES, Integer.BYTES);
            for (int i = 0; i < fds.length; i++) {
                set.set(JAVA_INT, (long) i * POLLFD_BYTES, fds[i]);
                set.set(JAVA_SHORT, (long) i * POLLFD_BYTES + Integer.BYTES, POLLIN);
            }
            poll(set.address(), fds.length, timeoutMillis);
        }
    }
}
