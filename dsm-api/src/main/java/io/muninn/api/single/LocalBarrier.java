package io.muninn.api.single;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.DsmBarrier;
import io.muninn.api.shipping.CallChain;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
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

    /** The barrier as application thread {@code thread} uses it. */
    DsmBarrier of(int thread) {
        return new Party(thread);
    }

    private final class Party implements DsmBarrier {
        private final int thread;

        Party(int thread) {
            this.thread = thread;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int parties() {
            return parties;
        }

        @Override
        public void await() {
            long mine = arrive(thread);
            state.uninterruptibly(() -> {
                awaitTurn(mine);
                return true;
            });
        }

        @Override
        public void await(long time, TimeUnit unit) throws TimeoutException {
            long deadline = System.nanoTime() + unit.toNanos(time);
            long mine = arrive(thread);
            if (!state.uninterruptibly(() -> awaitTurnUntil(mine, deadline))) {
                throw new TimeoutException(giveUp(thread, time, unit));
            }
        }
    }

    /** Counts a thread in; the last one turns the round. Returns the round it arrived in. */
    private long arrive(int thread) {
        CallChain.checkBarrier(name);
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

    private void awaitTurn(long mine) throws InterruptedException {
        lock.lock();
        try {
            while (round == mine) {
                checkWhole();
                turned.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitTurnUntil(long mine, long deadline) throws InterruptedException {
        lock.lock();
        try {
            while (round == mine) {
                checkWhole();
                long nanos = deadline - System.nanoTime();
                if (nanos <= 0) {
                    return false;
                }
                turned.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private String giveUp(int thread, long time, TimeUnit unit) {
        lock.lock();
        try {
            String missing =
                    IntStream.range(0, threads)
                            .filter(i -> !arrived.get(i))
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(", "));
            String text =
                    ("barrier %s: %d of %d parties arrived within %d %s; "
                                    + "not among them: node 0, thread %s")
                            .formatted(
                                    name,
                                    arrivals,
                                    parties,
                                    time,
                                    unit.toString().toLowerCase(Locale.ROOT),
                                    missing);
            broken = "barrier " + name + " is broken: node 0, thread " + thread + " gave up";
            turned.signalAll();
            return text;
        } finally {
            lock.unlock();
        }
    }

    private void checkWhole() {
        if (!broken.isEmpty()) {
            throw new BarrierBrokenException(broken);
        }
    }
}
