package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** On three nodes: waits at conditions that end by time, by interrupt and by signal. */
public final class EndedConditionWaits implements DsmProgram {
    private static final int NODES = 3;

    /** How many wait, how many have been woken, and what is said. */
    @Shared(Protocol.WRITE_SHARED)
    final LongArray words = LongArray.of(3);

    @Override
    public void run(DsmNode node) throws InterruptedException {
        DsmBarrier step = node.barrier("step");
        DsmLock lock = node.lock("one");
        Condition said = lock.newCondition();
        Condition awaited = lock.newCondition();
        checkStrangers(said);
        step.await();
        checkLimits(lock, said);
        step.await();
        checkInterrupt(lock, said);
        step.await();
        if (node.id() == 0) {
            tellAll(lock, said, awaited);
        } else {
            awaitWord(lock, said, awaited);
        }
        step.await();
        check(words.get(1) == NODES - 1, "everybody was woken");
    }

    private static void checkStrangers(Condition said) throws InterruptedException {
        try {
            said.signalAll();
            check(false, "signals need the lock");
        } catch (IllegalMonitorStateException expected) {
            String text = expected.getMessage();
            String thread = Thread.currentThread().getName();
            check(text.contains("'one'") && text.contains(thread), "both are named: " + text);
        }
        try {
            said.await();
            check(false, "waits need the lock");
        } catch (IllegalMonitorStateException expected) {
            check(expected.getMessage().contains("'one'"), expected.getMessage());
        }
    }

    /** All nodes at once: each gives the lock up while it waits. */
    private static void checkLimits(DsmLock lock, Condition said) throws InterruptedException {
        lock.lock();
        lock.lock();
        check(!said.await(20, TimeUnit.MILLISECONDS), "nobody signals");
        check(!said.await(0, TimeUnit.SECONDS), "no time at all");
        check(said.awaitNanos(-7) <= 0, "less than none");
        check(lock.holdCount() == 2, "held as often as before");
        lock.unlock();
        lock.unlock();
        check(!lock.isHeldByCurrentThread(), "given up");
    }

    private static void checkInterrupt(DsmLock lock, Condition said) {
        lock.lock();
        Thread waiter = Thread.currentThread();
        Thread.ofPlatform().daemon().start(waiter::interrupt);
        try {
            said.await();
            check(false, "an interrupt ends the wait");
        } catch (InterruptedException expected) {
            check(lock.holdCount() == 1, "held after an interrupt");
        } finally {
            lock.unlock();
        }
    }

    private void tellAll(DsmLock lock, Condition said, Condition awaited)
            throws InterruptedException {
        lock.lock();
        try {
            while (words.get(0) < NODES - 1) {
                awaited.await();
            }
            words.set(2, 1);
            said.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitWord(DsmLock lock, Condition said, Condition awaited)
            throws InterruptedException {
        lock.lock();
        try {
            words.set(0, words.get(0) + 1);
            awaited.signal();
            while (words.get(2) == 0) {
                said.await();
            }
            words.set(1, words.get(1) + 1);
        } finally {
            lock.unlock();
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("does not hold: " + what);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right("conditions hold");
    }
}
