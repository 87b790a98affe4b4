package io.muninn.sim;

import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Event;
import io.muninn.waits.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The operations of one thread on reader-writer locks. */
public final class SimPermissions {
    private final SimThread thread;
    private final List<Hold> holds = new ArrayList<>();

    SimPermissions(SimThread thread) {
        this.thread = thread;
    }

    /**
     * Acquires a reader-writer lock.
     *
     * @param timeoutNanos longest wait; negative for no limit
     * @return false if the thread waits for the answer to a call
     */
    public boolean acquire(ReadWriteLockId lock, boolean toWrite, long timeoutNanos) {
        if (!take(lock, toWrite)) {
            thread.call(new Event.PermissionCalled(thread.id(), lock, toWrite, timeoutNanos));
            return false;
        }
        Optional<Event.LocalReadCalled> rest = localRead(lock);
        rest.ifPresent(thread::call);
        return rest.isEmpty();
    }

    /**
     * Enters in shared memory; false if that is not possible now, or to write. The thread has
     * acquired the lock after the call of {@link #localRead}, if there is one.
     */
    public boolean take(ReadWriteLockId lock, boolean toWrite) {
        thread.enterCall();
        boolean isTaken = !toWrite && thread.node().locks().enter(lock);
        if (isTaken && localRead(lock).isEmpty()) {
            begin(lock, false);
        }
        return isTaken;
    }

    /** The call by which this thread reads after it has entered; empty if none is needed. */
    public Optional<Event.LocalReadCalled> localRead(ReadWriteLockId lock) {
        return thread.node().locks().localRead(lock, thread);
    }

    /** Ends reading. */
    public void freeRead(ReadWriteLockId lock) {
        end(lock, false);
        thread.enterCall();
        if (thread.node().locks().leave(lock)) {
            thread.post(new Event.ReadersLeft(lock));
        }
    }

    /**
     * Ends writing.
     *
     * @param keepsReading whether the thread reads from now on
     */
    public void freeWrite(ReadWriteLockId lock, boolean keepsReading) {
        end(lock, true);
        if (keepsReading) {
            thread.node().locks().alsoRead(lock);
            begin(lock, false);
        }
        thread.post(new Event.WriteReleased(thread.process(), lock, keepsReading));
    }

    /** Notifies observers that the thread reads or writes from now on. */
    void begin(ReadWriteLockId lock, boolean toWrite) {
        holds.add(hold(lock, toWrite));
        if (thread.isFollowed()) {
            for (Observer observer : thread.simulation().observers(Observers.Call.PERMITTED)) {
                observer.onPermitted(thread, lock, toWrite);
            }
        }
    }

    private static Hold hold(ReadWriteLockId lock, boolean toWrite) {
        return new Hold(toWrite ? Hold.Mode.WRITE : Hold.Mode.READ, lock.name());
    }

    /** The reader-writer locks that the thread holds, in the order of taking. */
    List<Hold> holds() {
        return holds;
    }

    private void end(ReadWriteLockId lock, boolean toWrite) {
        holds.remove(hold(lock, toWrite));
        if (thread.isFollowed()) {
            for (Observer observer : thread.simulation().observers(Observers.Call.UNPERMITTED)) {
                observer.onPermissionEnded(thread, lock, toWrite);
            }
        }
    }
}
