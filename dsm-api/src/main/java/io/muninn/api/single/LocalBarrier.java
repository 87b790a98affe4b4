package io.muninn.api.single;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.service.BarrierLink;
import java.util.BitSet;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A barrier among the threads of one process. */
final class LocalBarrier {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition turned = lock.newCondition();
    private final String name;
    private final int parties;
    private final int threads;
    private final RunState state;

    /** Rounds completed; guarded by the lock, as is all that follows. */
    private long round;

    private int arrivals;
    private final BitSet arrived = new BitSet();

    /** Why the barrier is broken; empty while it is not. */
    private String broken = "";

    LocalBarrier(String name, int parties, int threads, RunState state) {
        this.name = name;
        this.parties = parties;
        this.threads = threads;
        this.state = state;
    }

    int parties() {
        return parties;
    }

    /** The barrier as application thread {@code thread} arrives at it. */
    BarrierLink of(int thread) {
        return limitNanos -> {
            long deadline = System.nanoTime() + limitNanos;
            long mine = arrive(thread);
            String missing = state.uninterruptibly(() -> awaitTurn(mine, limitNanos < 0, deadline));
            if (!missing.isEmpty()) {
                throw new TimeoutException(missing);
            }
        };
    }

    /** Counts a thread in; the last one turns the round. Returns the round it arrived in. */
    private long arrive(int thread) {
        state.check();
        lock.lock();
        try {
            checkWhole();
            long mine = round;
            arrived.set(thread);
            arrivals++;
            if (arrivals == parties) {
                arrived.clear();
                arrivals = 0;
                round++;
                turned.signalAll();
            }
            return mine;
        } finally {
            lock.unlock();
        }
    }

    /** Breaks the barrier if the time runs out, and returns who is missing; empty if it did not. */
    private String awaitTurn(long mine, boolean isEndless, long deadline)
            throws InterruptedException {
        lock.lock();
        try {
            while (round == mine) {
                checkWhole();
                long restNanos = deadline - System.nanoTime();
                if (isEndless) {
                    turned.await();
                } else if (restNanos > 0) {
                    turned.awaitNanos(restNanos);
                } else {
                    broken = missing();
                    turned.signalAll();
                    return broken;
                }
            }
            return "";
        } finally {
            lock.unlock();
        }
    }

    private String missing() {
        return IntStream.range(0, threads)
                .filter(thread -> !arrived.get(thread))
                .mapToObj(Integer::toString)
                .collect(
                        Collectors.joining(
                                ", ",
                                "barrier '%s' has %d of %d parties, missing: node 0, thread "
                                        .formatted(name, arrivals, parties),
                                ""));
    }

    private void checkWhole() {
        if (!broken.isEmpty()) {
            throw new BarrierBrokenException(broken);
        }
    }
}
