package io.muninn.agent.memory;

import io.muninn.nativefault.AgentSocket;
import io.muninn.nativefault.FaultEngine;
import io.muninn.transport.net.Refusals;
import java.util.Optional;

/**
 * Accepts the memory of the application, once. All other connections are refused.
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

    /**
     * Accepts a connection.
     *
     * @param isExpected whether the application may hand over its memory now
     * @return the engine of its memory, owned by the caller; empty for strangers, for a second
     *     application, and for one that is too early
     */
    public Optional<FaultEngine> accept(boolean isExpected) {
        Optional<FaultEngine> accepted = socket.accept(token);
        if (accepted.isPresent() && isExpected) {
            return accepted;
        }
        accepted.ifPresent(FaultEngine::close);
        String reason = accepted.isPresent() ? "no memory is expected now" : socket.takeRefusal();
        if (!reason.isEmpty()) {
            refusals.add("the fault socket", reason);
        }
        return Optional.empty();
    }
}
