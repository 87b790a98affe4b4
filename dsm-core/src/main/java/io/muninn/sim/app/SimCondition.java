package io.muninn.sim.app;

import io.muninn.api.DsmException;
import io.muninn.api.spi.LockCondition;
import io.muninn.model.ConditionId;
import java.util.Date;

/** A condition of a lock on a pretended machine. */
final class SimCondition extends LockCondition {
    private final SimSession session;
    private final SimLock lock;

    SimCondition(SimSession session, SimLock lock, ConditionId id) {
        super(id);
        this.session = session;
        this.lock = lock;
    }

    @Override
    protected boolean awaitSignal(long limitNanos) throws InterruptedException {
        lock.checkHeld("awaits " + this);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean isSignalled = limitNanos == 0 ? letOthersIn() : await(limitNanos, true);
        if (!isSignalled && Thread.interrupted()) {
            throw new InterruptedException();
        }
        return isSignalled;
    }

    @Override
    public void awaitUninterruptibly() {
        lock.checkHeld("awaits " + this);
        await(FOR_EVER, false);
    }

    /** Not offered: pretended machines have no calendar. */
    @Override
    public boolean awaitUntil(Date deadline) {
        throw new UnsupportedOperationException("a simulated program has no calendar");
    }

    private boolean letOthersIn() {
        lock.takeAgain(lock.giveUp());
        return false;
    }

    private boolean await(long limitNanos, boolean isInterruptible) {
        AppThread self = session.current();
        long deadline = self.nanoTime() + limitNanos;
        self.enterQueue(id());
        int holds = lock.giveUp();
        boolean isSignalled;
        try {
            long restNanos = limitNanos < 0 ? FOR_EVER : Math.max(0, deadline - self.nanoTime());
            isSignalled = self.awaitSignal(id(), restNanos, isInterruptible);
        } catch (DsmException lost) {
            lock.markLost();
            throw lost;
        }
        lock.takeAgain(holds);
        return isSignalled;
    }

    @Override
    protected void send(boolean toAll) {
        lock.checkHeld("signals " + this);
        session.current().signal(id(), toAll);
    }

    @Override
    protected long nanoTime() {
        return session.current().nanoTime();
    }
}
