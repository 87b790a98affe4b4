package io.muninn.application;

import io.muninn.api.service.LockLink;
import io.muninn.api.service.LockWord;
import io.muninn.ipc.Call;
import io.muninn.ipc.CallBuffer;
import io.muninn.ipc.ControlMemory;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Locks whose tokens are taken and freed in shared memory while there is no contention. */
final class LiveLocks implements LockLink {
    private static final long FOR_EVER = -1;

    private final Supplier<AgentConnection> connections;
    private final ControlMemory control;

    /**
     * @param connections returns the calling thread's connection; throws if it has none
     */
    LiveLocks(Supplier<AgentConnection> connections, ControlMemory control) {
        this.connections = connections;
        this.control = control;
    }

    @Override
    public LockWord openLock(LockId lock) {
        AgentConnection connection = connections.get();
        connection.start(Call.OPEN_LOCK).text(lock.name());
        return new Word(lock.name(), Math.toIntExact(connection.call()));
    }

    @Override
    public void enterQueue(ConditionId condition) {
        AgentConnection connection = connections.get();
        start(connection, Call.WAIT, condition);
        connection.call();
    }

    @Override
    public boolean awaitSignal(ConditionId condition, long limitNanos, boolean isInterruptible) {
        return connections.get().awaitSignal(condition, limitNanos, isInterruptible);
    }

    @Override
    public void signal(ConditionId condition, boolean toAll) {
        AgentConnection connection = connections.get();
        start(connection, Call.SIGNAL, condition).u8(toAll ? 1 : 0);
        connection.call();
    }

    private static CallBuffer start(AgentConnection connection, int call, ConditionId condition) {
        return connection.start(call).text(condition.lock().name()).text(condition.name());
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    /** An application thread and its connection. */
    private record Taker(Thread thread, AgentConnection connection) {}

    /** The word of one lock in the control memory. */
    private final class Word implements LockWord {
        private final String name;
        private final int slot;

        /**
         * The thread that took or freed it last. Not volatile: at worst a thread repeats the
         * look-up.
         */
        private @Nullable Taker taker;

        Word(String name, int slot) {
            this.name = name;
            this.slot = slot;
        }

        @Override
        public boolean take() {
            AgentConnection connection = connection();
            boolean taken = control.changeLock(slot, ControlMemory.FREE, ControlMemory.HELD);
            if (taken) {
                connection.took(slot);
            }
            return taken;
        }

        /**
         * The calling thread's connection. Only application threads have one, and can take and
         * release locks.
         */
        private AgentConnection connection() {
            Taker last = taker;
            Thread self = Thread.currentThread();
            if (last == null || last.thread() != self) {
                last = new Taker(self, connections.get());
                taker = last;
            }
            return last.connection();
        }

        @Override
        public void free() {
            AgentConnection connection = connection();
            connection.frees(slot);
            if (!control.changeLock(slot, ControlMemory.HELD, ControlMemory.FREE)) {
                control.setLock(
                        slot,
                        ControlMemory.ABSENT); // there is a waiter: return the token to the agent
                connection.start(Call.RELEASE).text(name);
                connection.post();
            }
            if (control.takeWatch()) {
                connection.start(Call.RELEASE_NOTICE);
                connection.post();
            }
            connection.tellIfWatched(); // a lock that is taken without a call will also be freed
        }

        @Override
        public void acquire() {
            AgentConnection connection = connections.get();
            connection.start(Call.ACQUIRE).text(name).i64(FOR_EVER);
            connection.call();
            connection.took(slot);
        }

        @Override
        public boolean acquireInterruptibly(long limitNanos) throws TimeoutException {
            AgentConnection connection = connections.get();
            boolean isHeld = connection.acquireInterruptibly(name, limitNanos);
            if (isHeld) {
                connection.took(slot);
            }
            return isHeld;
        }
    }
}
