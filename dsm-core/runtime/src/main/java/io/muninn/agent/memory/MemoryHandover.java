package io.muninn.agent.memory;

import io.muninn.model.MappingId;
import io.muninn.nativefault.AgentMemory;
import io.muninn.nativefault.AgentSocket;
import io.muninn.nativefault.TrappedProcess;
import io.muninn.transport.net.Refusals;
import java.util.Optional;

/**
 * Accepts the memory of a node's first process, once, and then its other processes. All other
 * connections are refused.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class MemoryHandover {
    private final AgentSocket socket;
    private final byte[] token;
    private final Refusals refusals;

    /**
     * @param name abstract name to listen at
     * @param token presented by the application
     */
    public MemoryHandover(String name, byte[] token, Refusals refusals) {
        this.socket = AgentSocket.listen(name);
        this.token = token;
        this.refusals = refusals;
    }

    /** Readable while a connection waits for {@link #accept}. */
    public int fd() {
        return socket.fd();
    }

    /** Gives every process that is accepted from now on, and its engine, the run's pool. */
    public void share(HostPool pool) {
        socket.share(pool.segment());
    }

    /** Passes memory of the agent to every process that is accepted from now on. */
    public void share(AgentMemory memory) {
        socket.share(memory);
    }

    /**
     * Accepts a connection.
     *
     * @param isExpected whether the first process may hand over its memory now
     * @return a process that has attached; the caller owns the engine of the first. Empty for
     *     strangers, for a second application, and for one that is too early
     */
    public Optional<TrappedProcess> accept(boolean isExpected) {
        Optional<TrappedProcess> accepted = socket.accept(token);
        boolean isFirst = accepted.isPresent() && accepted.get().mapping().equals(MappingId.FIRST);
        if (accepted.isPresent() && (isExpected || !isFirst)) {
            if (isFirst) {
                socket.serve(accepted.get().engine());
            }
            return accepted;
        }
        accepted.ifPresent(stranger -> stranger.engine().close());
        String reason = accepted.isPresent() ? "no memory is expected now" : socket.takeRefusal();
        if (!reason.isEmpty()) {
            refusals.add("the fault socket", reason);
        }
        return Optional.empty();
    }
}
