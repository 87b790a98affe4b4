package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The agent's listening socket, to which the node's processes attach: an abstract Unix socket,
 * which leaves no file behind.
 *
 * <p><b>Threads.</b> The agent thread only. No call blocks.
 */
public final class AgentSocket implements AutoCloseable {
    private static final int FIRST = 1;
    private static final int FURTHER = 2;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment token = arena.allocate(FaultLibrary.TOKEN_BYTES);
    private final MemorySegment engine = arena.allocate(JAVA_LONG);
    private final MemorySegment verdict = arena.allocate(FaultLibrary.VERDICT_BYTES, Long.BYTES);
    private Optional<FaultEngine> node = Optional.empty(); // of the processes that follow
    private String lastRefusal = "";
    private long handle;

    private AgentSocket(long handle) {
        this.handle = handle;
    }

    /**
     * Opens a listening socket.
     *
     * @param abstractName 1 to 100 bytes, without the leading zero byte
     * @throws NativeCallException if the name is in use (EADDRINUSE) or the system has no more
     *     sockets
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

    /**
     * The descriptor for an event loop: readable, level-triggered, while {@link #accept} has work.
     */
    public int fd() {
        return FaultLibrary.dsm_listener_fd(open());
    }

    /**
     * Accepts a process that has connected. A process that is no application, has a wrong token or
     * another version, or belongs to another user gets the reason and is disconnected; that is
     * never an exception.
     *
     * @param expected the token, 32 bytes
     * @return empty if no acceptable process is waiting. The first process of a node has a new
     *     engine, owned by the caller; the others come after {@link #serve}
     */
    public Optional<TrappedProcess> accept(byte[] expected) {
        NativeMemory.checkToken(expected);
        MemorySegment.copy(expected, 0, token, JAVA_BYTE, 0, expected.length);
        engine.set(JAVA_LONG, 0, node.map(FaultEngine::open).orElse(0L));
        int found =
                FaultLibrary.dsm_listener_accept(
                        open(), token.address(), engine.address(), verdict.address());
        if (verdict.get(JAVA_INT, FaultLibrary.VERDICT_STATUS) != 0) {
            lastRefusal = verdict.getString(FaultLibrary.VERDICT_TEXT);
        }
        return switch (found) {
            case FIRST -> Optional.of(new FaultEngine(engine.get(JAVA_LONG, 0)).first());
            case FURTHER -> Optional.of(node.orElseThrow().addProcess());
            default -> Optional.empty();
        };
    }

    /** Lets the other processes of the node share the memory of the first one. */
    public void serve(FaultEngine ofFirst) {
        node = Optional.of(ofFirst);
    }

    /** Passes memory to every process that is accepted from now on. */
    public void share(AgentMemory memory) {
        FaultLibrary.dsm_listener_share(open(), memory.fd());
    }

    /**
     * Gives the processes that attach from now on, and their engine, a pool, which the caller keeps
     * open longer than the engine. A process whose regions or node do not fit it is refused.
     */
    public void share(PoolSegment pool) {
        FaultLibrary.dsm_listener_use_pool(open(), pool.open());
    }

    /**
     * Returns and clears the reason of the last refusal by {@link #accept}; empty if there was
     * none.
     */
    public String takeRefusal() {
        String refusal = lastRefusal;
        lastRefusal = "";
        return refusal;
    }

    /** Closes the socket, but not the engines that {@link #accept} returned. */
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
