package io.muninn.client;

import io.muninn.api.DsmLock;
import io.muninn.api.shipping.CallChain;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lock whose token is taken and freed in shared memory while nobody else wants it. */
final class LiveLock implements DsmLock {
    private static final long FOR_EVER = -1;

    private final Supplier<AgentConnection> connections;
    private final ControlMemory control;
    private final String name;
    private final int slot;
    private volatile @Nullable Thread owner; // null while no thread of this node holds the lock
    private int holds; // written by the owner

    /**
     * @param connections gives the calling thread's; throws for a thread that has none
     * @param slot of the lock's word
     */
    LiveLock(Supplier<AgentConnection> connections, ControlMemory control, String name, int slot) {
        this.connections = connections;
        this.control = control;
        this.name = name;
        this.slot = slot;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return owner == Thread.currentThread();
    }

    @Override
    public int holdCount() {
        return isHeldByCurrentThread() ? holds : 0;
    }

    @Override
    public void lock() {
        if (takenAtOnce()) {
            return;
        }
        CallChain.checkWait(name);
        AgentConnection connection = connections.get();
        connection.start(Call.ACQUIRE).text(name).i64(FOR_EVER);
        connection.call();
        entered();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        try {
            acquire(FOR_EVER);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    @Override
    public boolean tryLock() {
        return takenAtOnce();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long limitNanos = unit.toNanos(time);
        if (limitNanos <= 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return tryLock();
        }
        try {
            acquire(limitNanos);
            return true;
        } catch (TimeoutException tooLate) {
            return false;
        }
    }

    @Override
    public void unlock() {
        if (!isHeldByCurrentThread()) {
            Thread holder = owner;
            throw new IllegalMonitorStateException(
                    "lock '"
                            + name
                            + "' is "
                            + (holder == null
                                    ? "not held on this node"
                                    : "held by thread " + holder.getName())
                            + ", and thread "
                            + Thread.currentThread().getName()
                            + " unlocks it");
        }
        holds--;
        if (holds > 0) {
            return;
        }
        owner = null;
        AgentConnection connection = connections.get();
        if (!control.changeLock(slot, ControlMemory.HELD, ControlMemory.FREE)) {
            control.setLock(slot, ControlMemory.ABSENT); // somebody waits: back to the agent
            connection.start(Call.RELEASE).text(name);
            connection.post();
        }
        if (control.takeWatch()) {
            connection.start(Call.RELEASE_NOTICE);
            connection.post();
        }
    }

    private void acquire(long limitNanos) throws TimeoutException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (takenAtOnce()) {
            return;
        }
        CallChain.checkWait(name);
        boolean held = connections.get().acquireInterruptibly(name, limitNanos);
        if (held) {
            entered();
        }
        if (Thread.interrupted()) {
            if (held) {
                unlock();
            }
            throw new InterruptedException();
        }
    }

    private boolean takenAtOnce() {
        if (isHeldByCurrentThread()) {
            if (CallChain.current().holds(name)) {
                return false; // it is the caller's of the shipped call that runs here
            }
            holds++;
            return true;
        }
        connections.get(); // only application threads take locks: only they can give them up
        if (control.changeLock(slot, ControlMemory.FREE, ControlMemory.HELD)) {
            entered();
            return true;
        }
        return false;
    }

    private void entered() {
        owner = Thread.currentThread();
        holds = 1;
    }
}
