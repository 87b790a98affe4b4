package io.muninn.sim.ncc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * A lock whose waiters form a queue, first in, first out; readers that follow each other enter
 * together. To join the queue takes an atomic operation at the lock's home. A waiter spins on its
 * own memory, which its predecessor writes.
 *
 * <p>A reader's release neither flushes nor publishes: it has stored nothing.
 *
 * <p>Source: Mellor-Crummey and Scott, "Algorithms for scalable synchronization on shared-memory
 * multiprocessors"; Kontothanassis and Scott, section 4.3 (readers).
 */
final class QueueLock {
    private record Waiter(NccProcessor processor, boolean toWrite) {}

    private final Machine machine;
    private final int home;
    private final Deque<Waiter> queue = new ArrayDeque<>();
    private OptionalLong place = OptionalLong.empty(); // address, if it lies in a shared page
    private int readers;
    private boolean isWritten;

    QueueLock(Machine machine, int home) {
        this.machine = machine;
        this.home = home;
    }

    void place(OptionalLong address) {
        place = address;
    }

    private boolean isOpen(boolean toWrite) {
        return !isWritten && queue.isEmpty() && (!toWrite || readers == 0);
    }

    private void enter(boolean toWrite) {
        if (toWrite) {
            isWritten = true;
        } else {
            readers++;
        }
    }

    /** An atomic operation on the lock. */
    private void touch(NccProcessor by) {
        if (!machine.isTimed()) {
            return;
        }
        by.settle();
        if (place.isPresent()) {
            machine.coherence().access(by, place.getAsLong(), 1, true);
        } else {
            long answered = machine.hardware().word(by.id(), home, by.now());
            by.passUntil(answered, Spent.SYNCHRONIZATION);
        }
    }

    private void acquired(NccProcessor by) {
        if (machine.isTimed()) {
            machine.coherence().acquire(by);
        }
    }

    boolean take(boolean toWrite) {
        NccProcessor by = machine.current();
        by.settle();
        if (!isOpen(toWrite)) {
            return false;
        }
        enter(toWrite);
        touch(by);
        acquired(by);
        return true;
    }

    void acquire(boolean toWrite) {
        NccProcessor by = machine.current();
        touch(by);
        if (isOpen(toWrite)) {
            enter(toWrite);
        } else {
            queue.add(new Waiter(by, toWrite));
            by.suspend();
        }
        acquired(by);
    }

    /**
     * @param wasWriting whether the holder was a writer
     * @param keepsReading whether it reads from now on
     */
    void free(boolean wasWriting, boolean keepsReading) {
        NccProcessor by = machine.current();
        if (wasWriting && machine.isTimed()) {
            machine.coherence().release(by);
        }
        if (place.isPresent() || queue.isEmpty()) {
            touch(by);
        } else {
            by.settle();
        }
        if (wasWriting) {
            isWritten = false;
            readers = keepsReading ? 1 : 0;
        } else {
            readers--;
        }
        grant(by);
    }

    private void grant(NccProcessor by) {
        while (!queue.isEmpty()) {
            Waiter next = queue.getFirst();
            if (isWritten || next.toWrite() && readers > 0) {
                return;
            }
            queue.removeFirst();
            enter(next.toWrite());
            NccProcessor waiter = next.processor();
            Hardware hardware = machine.hardware();
            long told = by.now() + hardware.way(by.id(), waiter.id()) + hardware.model().memory(1);
            waiter.passUntil(told, Spent.SYNCHRONIZATION);
            machine.timeline().wake(waiter, by);
        }
    }
}
