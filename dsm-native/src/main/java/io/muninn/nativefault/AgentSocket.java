package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Where the application of a node attaches to its agent: an abstract Unix socket, which leaves no
 * file behind.
 *
 * <p><b>Threads.</b> The agent thread only; no call waits.
 */
public final class AgentSocket implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment token = arena.allocate(FaultLibrary.TOKEN_BYTES);
    private final MemorySegment engine = arena.allocate(JAVA_LONG);
    private final MemorySegment verdict = arena.allocate(FaultLibrary.VERDICT_BYTES, Long.BYTES);
    private String lastRefusal = "";
    private long handle;

    private AgentSocket(long handle) {
        this.handle = handle;
    }

    /**
     * Listens.
     *
     * @param abstractName 1 to 100 bytes, without the leading zero byte
     * @throws NativeCallException if the name is taken (EADDRINUSE) or the system is out of sockets
     */
    public static AgentSocket listen(String abstractName) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            NativeCallException.checked(
                    "dsm_listener_open",
                    FaultLibrary.dsm_listener_open(
                            NativeMemory.name(arena, abstractName).address(), handle.address()));
            return new AgentSocket(handle.get(JAVA_LONG, 0));
        }
    }

    /** For an event loop: readable, level-triggered, while {@link #accept} has something to do. */
    public int fd() {
        return FaultLibrary.dsm_listener_fd(open());
    }

    /**
     * Takes an application that has presented itself. A stranger, a wrong token, another version or
     * another user is told so and closed; that is never an exception.
     *
     * @param expected 32 bytes
     * @return empty if nobody acceptable is there now; the caller owns the engine
     */
    public Optional<FaultEngine> accept(byte[] expected) {
        NativeMemory.checkToken(expected);
        MemorySegment.copy(expected, 0, token, JAVA_BYTE, 0, expected.length);
        int found =
                FaultLibrary.dsm_listener_accept(
                        open(), token.address(), engine.address(), verdict.address());
        if (verdict.get(JAVA_INT, FaultLibrary.VERDICT_STATUS) != 0) {
            lastRefusal = verdict.getString(FaultLibrary.VERDICT_TEXT);
        }
        return found == 1
                ? Optional.of(new FaultEngine(engine.get(JAVA_LONG, 0)))
                : Optional.empty();
    }

    /** Why {@link #accept} refused somebody since the last call of this; empty if it did not. */
    public String takeRefusal() {
        String refusal = lastRefusal;
        lastRefusal = "";
        return refusal;
    }

    /** Ends the socket, not the engines it gave. */
    @Override
    public void close() {
        if (handle != 0) {
            FaultLibrary.dsm_listener_close(handle);
            handle = 0;
            arena.close();
        }
    }

    private long open() {
        if (handle == 0) {
            throw new IllegalStateException("the agent's socket is closed");
        }
        return handle;
    }
}
