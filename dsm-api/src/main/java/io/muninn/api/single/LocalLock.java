package io.muninn.api.single;

import io.muninn.api.DsmLock;
import io.muninn.api.shipping.CallChain;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A lock among the threads of one process. */
final class LocalLock implements DsmLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final String name;
    private final RunState state;
    private final Map<String, Condition> conditions = new HashMap<>();
    private int numbered; // conditions that were given no name

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
        checkHeld("unlocks it");
        lock.unlock();
    }

    @Override
    public synchronized Condition newCondition() {
        Condition condition = newCondition(ConditionId.numbered(numbered));
        numbered++;
        return condition;
    }

    @Override
    public synchronized Condition newCondition(String condition) {
        ConditionId id = new ConditionId(new LockId(name), condition);
        Condition here = conditions.computeIfAbsent(id.name(), _ -> lock.newCondition());
        return new LocalCondition(this, here, id, state);
    }

    /**
     * @param deed of the calling thread that needs the lock
     */
    void checkHeld(String deed) {
        if (!lock.isHeldByCurrentThread()) {
            String thread = Thread.currentThread().getName();
            throw new IllegalMonitorStateException(
                    "lock " + name + " is not held by " + thread + ", which " + deed);
        }
    }
}
