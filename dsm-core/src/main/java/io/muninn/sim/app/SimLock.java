package io.muninn.sim.app;

import io.muninn.api.DsmLock;
import io.muninn.api.shipping.CallChain;
import io.muninn.model.LockId;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A lock of one node, whose token is taken and freed in the lock word while nobody wants it. */
final class SimLock implements DsmLock {
    private final SimSession session;
    private final LockId id;
    private @Nullable AppThread owner; // null while no thread of this node holds the lock
    private int holds;

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
                            + " unlocks it");
        }
        holds--;
        if (holds == 0) {
            owner = null;
            self.freeLock(id);
        }
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
