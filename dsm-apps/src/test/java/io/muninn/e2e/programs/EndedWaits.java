package io.muninn.e2e.programs;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** On three nodes: waits with an end, by time or by interrupt, and what they leave behind. */
public final class EndedWaits implements DsmProgram {
    @Shared(Protocol.WRITE_SHARED)
    final LongArray words = LongArray.of(2000);

    @Override
    public void run(DsmNode node) throws InterruptedException {
        DsmBarrier step = node.barrier("step");
        DsmLock lock = node.lock("one");
        if (node.id() == 0) {
            lock.lock();
        }
        step.await();
        if (node.id() == 1) {
            check(!lock.tryLock(), "tryLock asks nobody");
            check(!lock.tryLock(20, TimeUnit.MILLISECONDS), "the lock is held");
            check(lock.holdCount() == 0, "not held");
        }
        if (node.id() == 2) {
            Thread.currentThread().interrupt();
            checkInterrupted(lock);
            interruptInWait(lock);
        }
        step.await();
        if (node.id() == 0) {
            words.set(0, 7);
            lock.unlock(); // to nodes that no longer wait, and go on
        }
        lock.lock();
        check(words.get(0) >= 7, "a store before the unlock");
        words.set(0, words.get(0) + 1);
        lock.unlock();
        step.await();
        check(words.get(0) == 7 + node.nodes(), "every node has had the lock");
        step.await();
        waitInVain(node);
    }

    /** In the wait or just before it: both have to end in the same way. */
    private static void interruptInWait(DsmLock lock) {
        Thread waiter = Thread.currentThread();
        Thread.ofPlatform().daemon().start(waiter::interrupt);
        checkInterrupted(lock);
    }

    private static void checkInterrupted(DsmLock lock) {
        try {
            lock.lockInterruptibly();
            check(false, "an interrupt ends the wait");
        } catch (InterruptedException expected) {
            check(!lock.isHeldByCurrentThread(), "not held after an interrupt");
        }
    }

    /** Node 0 stays away; one of the others runs out of time, with stores to flush on arrival. */
    private void waitInVain(DsmNode node) {
        if (node.id() == 0) {
            return;
        }
        for (int i = node.id(); i < words.length(); i += node.nodes()) {
            words.set(i, -i);
        }
        DsmBarrier barrier = node.barrier("in vain");
        long millis = node.id() == 1 ? 1 : 60_000;
        try {
            barrier.await(millis, TimeUnit.MILLISECONDS);
            check(false, "the barrier fell");
        } catch (TimeoutException late) {
            check(node.id() == 1, "only node 1 has had too little time");
            System.out.println("late: " + late.getMessage());
        } catch (BarrierBrokenException broken) {
            check(node.id() == 2, "node 1 has run out of time");
            System.out.println("broken: " + broken.getMessage());
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("does not hold: " + what);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right("waits have ended");
    }
}
