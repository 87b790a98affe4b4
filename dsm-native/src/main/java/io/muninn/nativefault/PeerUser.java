package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The user of the process at the other end of a Unix socket. Abstract addresses have no owner and
 * no permissions, so every local socket makes this check before it reads a byte.
 *
 * <p><b>Threads.</b> Any.
 */
public final class PeerUser {
    private static final long UNKNOWN = -1;

    private PeerUser() {}

    /**
     * Compares the other end's user, as it was when it connected or began to listen, with this
     * process's effective user.
     *
     * @param fd a connected Unix socket
     * @return empty if they are the same; otherwise the reason to refuse the other end
     */
    public static Optional<String> refusal(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment user = arena.allocate(JAVA_LONG);
            if (FaultLibrary.dsm_peer_check(fd, user.address()) == 0) {
                return Optional.empty();
            }
            long other = user.get(JAVA_LONG, 0);
            return Optional.of(
                    other == UNKNOWN
                            ? "the system does not say which user it belongs to"
                            : "it belongs to user " + other + ", which is another one");
        }
    }
}
