package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.Statistics;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;

/**
 * Times of locks.
 *
 * <pre>
 * lock-again           lock() and unlock() by the last holder
 * reentrant-lock       the same with an uncontended java.util.concurrent lock
 * lock-read-again      lock() and unlock() of a read lock on a node with permission to read
 * reentrant-read-lock  the same with an uncontended java.util.concurrent lock
 * lock-passed          lock() and unlock() while the token is unused on another node
 * lock-contended-N     lock() when N nodes request the lock at the same time
 * </pre>
 */
final class Locks implements Section {
    private static final String AGAIN = "lock-again";
    private static final String REENTRANT = "reentrant-lock";
    private static final String READ_AGAIN = "lock-read-again";
    private static final String REENTRANT_READ = "reentrant-read-lock";
    private static final String PASSED = "lock-passed";

    /** Pairs per sample, because one pair takes about as long as reading the clock. */
    private static final int BATCH = 200;

    /** Locks per round. */
    private static final int PASSED_LOCKS = 64;

    private static final int OTHER = 1;

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        boolean isPair = node.nodes() == 2;
        if (isPair && recorder.wants(AGAIN, REENTRANT)) {
            again(node, effort, recorder);
        }
        if (isPair && recorder.wants(READ_AGAIN, REENTRANT_READ)) {
            readAgain(node, effort, recorder);
        }
        if (isPair && recorder.wants(PASSED)) {
            passed(node, effort, recorder);
        }
        String contended = "lock-contended-" + node.nodes();
        if (recorder.wants(contended)) {
            contended(node, effort.series(contended), recorder);
        }
    }

    private static void again(DsmNode node, Effort effort, Recorder recorder) {
        DsmLock lock = node.lock("again");
        ReentrantLock plain = new ReentrantLock();
        Again again = new Again(AGAIN, () -> pairs(lock), REENTRANT, () -> pairs(plain));
        again.run(node, effort, recorder);
    }

    private static void readAgain(DsmNode node, Effort effort, Recorder recorder) {
        DsmReadWriteLock lock = node.readWriteLock("again");
        ReentrantReadWriteLock plain = new ReentrantReadWriteLock();
        Again again =
                new Again(
                        READ_AGAIN, () -> readPairs(lock), REENTRANT_READ, () -> readPairs(plain));
        again.run(node, effort, recorder);
    }

    /**
     * A lock that the root takes again, beside a lock of its JVM.
     *
     * @param pairs the nanoseconds of a batch of {@code lock()} and {@code unlock()}
     * @param plainPairs the same for the other lock
     */
    private record Again(String name, LongSupplier pairs, String plain, LongSupplier plainPairs) {
        void run(DsmNode node, Effort effort, Recorder recorder) {
            DsmBarrier barrier = node.barrier("locks");
            barrier.await();
            if (node.isRoot()) {
                Series own = effort.series(name);
                Series floor = effort.series(plain);
                var _ = pairs.getAsLong(); // the first asks the lock's manager
                Statistics before = node.statistics();
                long taken = 0;
                while (!own.isFull()) {
                    own.add(pairs.getAsLong() / BATCH);
                    floor.add(plainPairs.getAsLong() / BATCH);
                    taken += BATCH;
                    if (own.isWarm() && floor.isWarm()) {
                        own.begin();
                        floor.begin();
                    }
                }
                Statistics sent = node.statistics().since(before);
                own.sent((double) sent.messages() / taken, (double) sent.bytes() / taken);
                recorder.add(own);
                recorder.add(floor);
            }
            barrier.await();
        }
    }

    /** Nanoseconds of a batch. Each kind of lock has its own loop. */
    private static long pairs(DsmLock lock) {
        long begin = System.nanoTime();
        for (int i = 0; i < BATCH; i++) {
            lock.lock();
            lock.unlock();
        }
        return System.nanoTime() - begin;
    }

    private static long pairs(ReentrantLock lock) {
        long begin = System.nanoTime();
        for (int i = 0; i < BATCH; i++) {
            lock.lock();
            lock.unlock();
        }
        return System.nanoTime() - begin;
    }

    private static long readPairs(DsmReadWriteLock lock) {
        long begin = System.nanoTime();
        for (int i = 0; i < BATCH; i++) {
            lock.readLock().lock();
            lock.readLock().unlock();
        }
        return System.nanoTime() - begin;
    }

    private static long readPairs(ReentrantReadWriteLock lock) {
        long begin = System.nanoTime();
        for (int i = 0; i < BATCH; i++) {
            lock.readLock().lock();
            lock.readLock().unlock();
        }
        return System.nanoTime() - begin;
    }

    /**
     * The other node locks and unlocks every lock, then the root does. The root's operations follow
     * each other without pauses, as in the measurement of floors and of faults.
     */
    private static void passed(DsmNode node, Effort effort, Recorder recorder) {
        List<Lock> locks = new ArrayList<>();
        for (int i = 0; i < PASSED_LOCKS; i++) {
            locks.add(node.lock("passed-" + i));
        }
        DsmBarrier barrier = node.barrier("locks");
        Series series = effort.series(PASSED);
        CpuTimes cpu = CpuTimes.of(node, series);
        Rounds rounds = new Rounds(node, PASSED_LOCKS, series);
        while (rounds.next()) {
            if (node.id() == OTHER) {
                for (Lock lock : locks) {
                    lock.lock();
                    lock.unlock();
                }
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.untilQuiet();
                cpu.begin();
                for (Lock lock : locks) {
                    long begin = System.nanoTime();
                    lock.lock();
                    lock.unlock();
                    series.add(System.nanoTime() - begin);
                }
                cpu.end();
            }
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(series, cpu.perOperation(PASSED_LOCKS));
        }
    }

    private static void contended(DsmNode node, Series series, Recorder recorder) {
        Lock lock = node.lock("contended");
        DsmBarrier barrier = node.barrier("locks");
        Rounds rounds = new Rounds(node, 1, series);
        while (rounds.next()) {
            barrier.await();
            long begin = System.nanoTime();
            lock.lock();
            series.add(System.nanoTime() - begin);
            lock.unlock();
        }
        if (node.isRoot()) {
            recorder.add(series);
        }
    }
}
