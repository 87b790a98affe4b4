package io.muninn.agent.memory;

import io.muninn.nativefault.AgentSocket;
import io.muninn.nativefault.FaultEngine;
import io.muninn.transport.Refusals;
import java.util.Optional;

/**
 * Where the application hands over its memory, once. Everybody else who connects is turned away.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class MemoryHandover {
    private final AgentSocket socket;
    private final byte[] token;
    private final Refusals refusals;

    /**
     * @param name abstract name to listen at
     * @param token what the application presents
     */
    public MemoryHandover(String name, byte[] token, Refusals refusals) {
        this.socket = AgentSocket.listen(name);
        this.token = token;
        this.refusals = refusals;
    }

    /** Readable while {@link #accept} has something to do. */
    public int fd() {
        return socket.fd();
    }

    /**
     * Takes what is there now.
     *
     * @param isExpected whether the application may hand over its memory now
     * @return the engine over its memory, the caller's from here on; empty for strangers, and for a
     *     second application or one that is too early
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
