package io.muninn.api.single;

import io.muninn.api.DsmLock;
import io.muninn.api.shipping.CallChain;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A lock among the threads of one process. */
final class LocalLock implements DsmLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final String name;
    private final RunState state;

    LocalLock(String name, RunState state) {
        this.name = name;
        this.state = state;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return lock.isHeldByCurrentThread();
    }

    @Override
    public int holdCount() {
        return lock.getHoldCount();
    }

    @Override
    public void lock() {
        if (tryLock()) {
            return;
        }
        CallChain.checkWait(name);
        state.uninterruptibly(() -> {
            lock.lockInterruptibly();
            return true;
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        CallChain.checkWait(name);
        state.interruptibly(() -> {
            lock.lockInterruptibly();
            return true;
        });
    }

    @Override
    public boolean tryLock() {
        state.check();
        return !CallChain.current().holds(name) && lock.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        CallChain.checkWait(name);
        return state.interruptibly(() -> lock.tryLock(time, unit));
    }

    @Override
    public void unlock() {
        if (!lock.isHeldByCurrentThread()) {
            throw new IllegalMonitorStateException(
                    "lock " + name + " is not held by " + Thread.currentThread().getName());
        }
        lock.unlock();
    }
}
