package io.muninn.sim.app;

import io.muninn.api.DsmException;
import io.muninn.api.DsmLock;
import io.muninn.api.shipping.CallChain;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A lock of one node, whose token is taken and freed in the lock word while nobody wants it. */
final class SimLock implements DsmLock {
    private final SimSession session;
    private final LockId id;
    private @Nullable AppThread owner; // null while no thread of this node holds the lock
    private int holds;
    private int numbered; // conditions without a name
    private boolean isLost; // true once a wait for a condition ended with the run

    SimLock(SimSession session, LockId id) {
        this.session = session;
        this.id = id;
    }

    @Override
    public String name() {
        return id.name();
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return owner == session.current();
    }

    @Override
    public int holdCount() {
        return isHeldByCurrentThread() ? holds : 0;
    }

    @Override
    public void lock() {
        if (!tryLock()) {
            CallChain.checkWait(id.name());
            AppThread self = session.current();
            self.acquire(id);
            entered(self);
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        try {
            acquire(AppThread.FOR_EVER);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    @Override
    public boolean tryLock() {
        AppThread self = session.current();
        if (owner == self) {
            if (CallChain.current().holds(id.name())) {
                return false; // it is the caller's of the shipped call that runs here
            }
            holds++;
            return true;
        }
        if (self.takeLock(id)) {
            entered(self);
            return true;
        }
        return false;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long limitNanos = unit.toNanos(time);
        if (limitNanos <= 0) {
            checkInterrupt();
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
        if (isLost && !isHeldByCurrentThread()) {
            return;
        }
        checkHeld("unlocks it");
        holds--;
        if (holds == 0) {
            owner = null;
            session.current().freeLock(id);
        }
    }

    @Override
    public Condition newCondition() {
        Condition condition = newCondition(ConditionId.numbered(numbered));
        numbered++;
        return condition;
    }

    @Override
    public Condition newCondition(String name) {
        return new SimCondition(session, this, new ConditionId(id, name));
    }

    /**
     * @param deed of the calling thread that needs the lock
     */
    void checkHeld(String deed) {
        AppThread self = session.current();
        AppThread holder = owner;
        if (holder != self) {
            throw new IllegalMonitorStateException(
                    "lock '"
                            + id.name()
                            + "' is "
                            + (holder == null
                                    ? "not held on this node"
                                    : "held by thread " + holder.javaThread().getName())
                            + ", and thread "
                            + self.javaThread().getName()
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
        owner = null;
        session.current().freeLock(id);
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
        isLost = true;
    }

    private void acquire(long limitNanos) throws TimeoutException, InterruptedException {
        checkInterrupt();
        if (tryLock()) {
            return;
        }
        CallChain.checkWait(id.name());
        AppThread self = session.current();
        boolean isHeld = self.acquireInterruptibly(id, limitNanos);
        if (isHeld) {
            entered(self);
        }
        if (Thread.interrupted()) {
            if (isHeld) {
                unlock();
            }
            throw new InterruptedException();
        }
    }

    private static void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private void entered(AppThread self) {
        owner = self;
        holds = 1;
    }
}
