package io.muninn.api.service;

import io.muninn.api.DsmException;
import io.muninn.api.DsmLock;
import io.muninn.api.shipping.CallChain;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A re-entrant lock, shared by the threads of one node. */
final class NodeLock extends HeldLock implements DsmLock {
    private final int node;
    private final LockLink link;
    private final LockWord word;
    private final LockId id;
    private final String name;
    private final Runnable beforeUnlock;

    /**
     * The holding thread; null while no thread of this node holds the lock. Written by the holder
     * while it has the lock word. Not volatile: a thread that tests whether it is the holder reads
     * its own last write or a later one of another thread.
     */
    private @Nullable Thread owner;

    private int holds; // written by the owner
    private volatile boolean isLost; // true when a condition wait has ended because the run ended
    private final AtomicInteger numbered = new AtomicInteger(); // conditions without a name

    /** Opens the lock. There is one instance per name and node. */
    NodeLock(int node, LockLink link, LockId id, Runnable beforeUnlock) {
        this.node = node;
        this.link = link;
        this.word = link.openLock(id);
        this.id = id;
        this.name = id.name();
        this.beforeUnlock = beforeUnlock;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    String text() {
        return "lock '" + name + "'";
    }

    @Override
    String chainName() {
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
    public boolean tryLock() {
        if (isHeldByCurrentThread()) {
            if (CallChain.current().holds(name)) {
                return false; // a caller of the current shipped call holds it
            }
            holds++;
            return true;
        }
        if (word.take()) {
            entered();
            return true;
        }
        return false;
    }

    @Override
    public void unlock() {
        if (!isHeldByCurrentThread() && isLost) {
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
        return new NodeCondition(link, this, new ConditionId(id, condition));
    }

    /**
     * @param deed the operation that needs the lock, for the message
     */
    void checkHeld(String deed) {
        if (!isHeldByCurrentThread()) {
            Thread holder = owner;
            throw new IllegalMonitorStateException(
                    "lock '"
                            + name
                            + "' is "
                            + (holder == null
                                    ? "not held on"
                                    : "held by thread " + holder.getName() + " of")
                            + " node "
                            + node
                            + ", and thread "
                            + Thread.currentThread().getName()
                            + " "
                            + deed);
        }
    }

    /**
     * Releases all holds of the calling thread.
     *
     * @return the number of holds
     */
    int giveUp() {
        int before = holds;
        holds = 0;
        free();
        return before;
    }

    /**
     * Acquires the lock after {@link #giveUp}. An interrupt stays pending.
     *
     * @param times the result of {@link #giveUp}
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

    /**
     * Records that a waiting thread will not regain the lock, so that its unlock does not throw.
     */
    void markLost() {
        isLost = true;
    }

    /** Called before a signal, which releases as a free lock does. */
    void beforeRelease() {
        beforeUnlock.run();
    }

    private void free() {
        beforeUnlock.run();
        owner = null;
        word.free();
    }

    @Override
    void acquireWord() {
        word.acquire();
    }

    @Override
    boolean acquireWordInterruptibly(long limitNanos) throws TimeoutException {
        return word.acquireInterruptibly(limitNanos);
    }

    @Override
    void entered() {
        owner = Thread.currentThread();
        holds = 1;
    }
}
