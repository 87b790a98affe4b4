package io.muninn.client;

import io.muninn.api.DsmException;
import io.muninn.api.DsmLock;
import io.muninn.api.shipping.CallChain;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lock whose token is taken and freed in shared memory while nobody else wants it. */
final class LiveLock implements DsmLock {
    private static final long FOR_EVER = -1;

    private final Supplier<AgentConnection> connections;
    private final ControlMemory control;
    private final String name;
    private final int slot;

    /**
     * Null while no thread of this node holds the lock. Written by the owner, between the changes
     * of the lock word, and not volatile: a thread that asks whether it is the owner sees what it
     * wrote last or what another has written since.
     */
    private @Nullable Thread owner;

    /** The application thread that asked last; not volatile, a thread asks again at worst. */
    private @Nullable Thread taker;

    private int holds; // written by the owner
    private volatile boolean lost; // true once a wait for a condition ended with the run
    private final AtomicInteger numbered = new AtomicInteger(); // conditions without a name

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
        if (!isHeldByCurrentThread() && lost) {
            return;
        }
        checkHeld("unlocks it");
        holds--;
        if (holds == 0) {
            free();
        }
    }

    @Override
    public Condition newCondition() {
        return newCondition(ConditionId.numbered(numbered.getAndIncrement()));
    }

    @Override
    public Condition newCondition(String condition) {
        return new LiveCondition(this, new ConditionId(new LockId(name), condition), connections);
    }

    /**
     * @param deed of the calling thread that needs the lock
     */
    void checkHeld(String deed) {
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
                            + " "
                            + deed);
        }
    }

    /**
     * Gives the lock up, however often the calling thread holds it.
     *
     * @return how often
     */
    int giveUp() {
        int before = holds;
        holds = 0;
        free();
        return before;
    }

    /**
     * Takes the lock after {@link #giveUp}; an interrupt is kept for later.
     *
     * @param times what giving it up returned
     */
    void takeAgain(int times) {
        try {
            lock();
        } catch (DsmException gone) {
            markLost();
            throw gone;
        }
        holds = times;
    }

    /** A thread that gave the lock up to wait will not get it back: its unlock must not throw. */
    void markLost() {
        lost = true;
    }

    private void free() {
        owner = null;
        if (!control.changeLock(slot, ControlMemory.HELD, ControlMemory.FREE)) {
            control.setLock(slot, ControlMemory.ABSENT); // somebody waits: back to the agent
            AgentConnection connection = connections.get();
            connection.start(Call.RELEASE).text(name);
            connection.post();
        }
        if (control.takeWatch()) {
            AgentConnection connection = connections.get();
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
        checkApplicationThread();
        if (control.changeLock(slot, ControlMemory.FREE, ControlMemory.HELD)) {
            entered();
            return true;
        }
        return false;
    }

    /** Only application threads take locks: only they can give them up. */
    private void checkApplicationThread() {
        Thread self = Thread.currentThread();
        if (taker != self) {
            connections.get();
            taker = self;
        }
    }

    private void entered() {
        owner = Thread.currentThread();
        holds = 1;
    }
}
