package io.muninn.application;

import io.muninn.api.service.LockWord;
import io.muninn.api.service.ReadWriteWord;
import io.muninn.ipc.Call;
import io.muninn.ipc.ControlMemory;
import io.muninn.link.EventLocks;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Event;
import io.muninn.spi.ViewMark;
import io.muninn.waits.Hold;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Locks whose tokens are taken and freed in shared memory while there is no contention. */
final class LiveLocks extends EventLocks {
    private static final Event RELEASE_NOTICE = new Event.ReleaseNoticed();

    private final Supplier<AgentConnection> connections;
    private final ControlMemory control;
    private final MappingId process;
    private final boolean hasSiblings;

    /**
     * @param connections returns the calling thread's connection; throws if it has none
     * @param process this process in its node
     * @param hasSiblings whether the node has others
     */
    LiveLocks(
            Supplier<AgentConnection> connections,
            ControlMemory control,
            MappingId process,
            boolean hasSiblings) {
        super(connections);
        this.process = process;
        this.hasSiblings = hasSiblings;
        this.connections = connections;
        this.control = control;
    }

    @Override
    public LockWord openLock(LockId lock) {
        AgentConnection connection = connections.get();
        connection.start(Call.OPEN_LOCK).text(lock.name());
        return new ControlWord(lock, Math.toIntExact(connection.call()));
    }

    @Override
    public ReadWriteWord openReadWriteLock(ReadWriteLockId lock) {
        AgentConnection connection = connections.get();
        connection.start(Call.OPEN_READ_WRITE_LOCK).text(lock.name());
        return new ControlReaders(lock, Math.toIntExact(connection.call()));
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

    /** The thread that took or freed a lock last: a look-up costs more than all that is shared. */
    private final class LastTaker {
        /** Not volatile: at worst a thread repeats the look-up. */
        private @Nullable Taker taker; // null before the first

        /**
         * The calling thread's connection. Only application threads have one, and can take and
         * release locks.
         */
        AgentConnection connection() {
            Taker last = taker;
            Thread self = Thread.currentThread();
            if (last == null || last.thread() != self) {
                last = new Taker(self, connections.get());
                taker = last;
            }
            return last.connection();
        }
    }

    /** The word of one lock in the control memory. */
    private final class ControlWord extends Word {
        private final LockId lock;
        private final Event release;
        private final int slot;

        private final LastTaker taker = new LastTaker();

        ControlWord(LockId lock, int slot) {
            super(lock);
            this.lock = lock;
            this.release = new Event.ReleaseCalled(process, lock);
            this.slot = slot;
        }

        @Override
        public boolean take() {
            AgentConnection connection = taker.connection();
            boolean taken = control.changeLock(slot, ControlMemory.FREE, ControlMemory.HELD);
            if (taken) {
                connection.took(slot, Hold.Mode.LOCK);
                if (hasSiblings) {
                    acquireLocally(connection);
                }
            }
            return taken;
        }

        /** Waits until this process has seen what the last holder of the lock had seen. */
        private void acquireLocally(AgentConnection connection) {
            ViewMark mark = control.lockMark(slot);
            if (!control.covers(process, mark)) {
                connection.call(new Event.LocalAcquireCalled(connection.id(), lock, mark.of()));
            }
        }

        @Override
        public void free() {
            AgentConnection connection = taker.connection();
            connection.tellLoads();
            connection.frees(slot, Hold.Mode.LOCK);
            if (hasSiblings) {
                control.lockMark(slot, control.view(process));
            }
            if (!control.changeLock(slot, ControlMemory.HELD, ControlMemory.FREE)) {
                control.setLock(
                        slot,
                        ControlMemory.ABSENT); // there is a waiter: return the token to the agent
                connection.post(release);
            }
            if (control.takeWatch()) {
                connection.post(RELEASE_NOTICE);
            }
            connection.tellIfWatched(); // a lock that is taken without a call will also be freed
        }

        @Override
        protected void onAcquired() {
            connections.get().took(slot, Hold.Mode.LOCK);
        }
    }

    /** The word of one reader-writer lock in the control memory. */
    private final class ControlReaders extends PermissionWord {
        private final ReadWriteLockId lock;
        private final int slot;
        private final LastTaker taker = new LastTaker();

        ControlReaders(ReadWriteLockId lock, int slot) {
            super(lock);
            this.lock = lock;
            this.slot = slot;
        }

        /** A node never keeps the permission to write. */
        @Override
        public boolean take(boolean toWrite) {
            AgentConnection connection = taker.connection();
            if (toWrite || !control.enterRead(slot)) {
                return false;
            }
            connection.took(slot, Hold.Mode.READ);
            if (hasSiblings && !control.covers(process, control.lockMark(slot))) {
                connection.call(new Event.LocalReadCalled(connection.id(), lock));
            }
            return true;
        }

        @Override
        public void freeRead() {
            AgentConnection connection = taker.connection();
            connection.tellLoads();
            connection.frees(slot, Hold.Mode.READ);
            if (control.leaveRead(slot)) {
                connection.post(new Event.ReadersLeft(lock));
            }
            connection.tellIfWatched(); // what enters and leaves without a call goes on, too
        }

        @Override
        public void freeWrite(boolean keepsReading) {
            AgentConnection connection = connections.get();
            connection.tellLoads();
            connection.frees(slot, Hold.Mode.WRITE);
            if (keepsReading) {
                control.alsoRead(slot); // before the agent opens the word
                connection.took(slot, Hold.Mode.READ);
            }
            connection.post(new Event.WriteReleased(process, lock, keepsReading));
        }

        @Override
        protected void onAcquired(boolean toWrite) {
            connections.get().took(slot, toWrite ? Hold.Mode.WRITE : Hold.Mode.READ);
        }
    }
}
