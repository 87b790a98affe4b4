package io.muninn.application;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.service.NodeLocks;
import io.muninn.ipc.ControlMemory;
import io.muninn.model.BarrierId;
import io.muninn.model.MappingId;
import io.muninn.spi.Event;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;

/** The calls of an application with given memory, so that agent and threads share a process. */
public final class TestApplication {
    private final AgentAddress agent;
    private final ControlMemory control;
    private final OptionalInt tellFd;
    private final ThreadLocal<AgentConnection> connections = new ThreadLocal<>();
    private final NodeLocks locks;

    /**
     * @param tellFd notifies the agent of calls in mailboxes; empty if threads have none
     */
    public TestApplication(AgentAddress agent, ControlMemory control, OptionalInt tellFd) {
        this.agent = agent;
        this.control = control;
        this.tellFd = tellFd;
        this.locks =
                new NodeLocks(0, new LiveLocks(this::connection, control, MappingId.FIRST, false));
    }

    /** A thread's work. */
    public interface Body {
        void run() throws Exception;
    }

    /** Runs as application thread {@code thread}, with its own connection. */
    public void as(int thread, Body body) throws Exception {
        try (AgentConnection connection =
                new AgentConnection(agent.socket(), agent.token(), thread)) {
            tellFd.ifPresent(fd -> connection.useMailbox(control, fd));
            connections.set(connection);
            body.run();
        } finally {
            connections.remove();
        }
    }

    /** Only for threads within {@link #as}, the first time. */
    public DsmLock lock(String name) {
        return locks.lock(name);
    }

    /** Only for threads within {@link #as}, the first time. */
    public DsmReadWriteLock readWriteLock(String name) {
        return locks.readWriteLock(name);
    }

    /** Waits at a barrier of all threads. */
    public void await(String barrier, long limitNanos) throws TimeoutException {
        AgentConnection mine = connection();
        mine.callTimed(
                new Event.BarrierReached(
                        mine.id(), new BarrierId(barrier), Event.ALL_PARTIES, limitNanos));
    }

    private AgentConnection connection() {
        AgentConnection mine = connections.get();
        if (mine == null) {
            throw new IllegalStateException("no application thread");
        }
        return mine;
    }
}
