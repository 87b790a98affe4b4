package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.Statistics;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What locks take.
 *
 * <pre>
 * lock-again         taken and given up by its last holder; a pair
 * reentrant-lock     the same of Java's own lock, which no other thread wants
 * lock-passed        taken and given up where the token lies unused on another node; a pair
 * lock-contended-N   the wait for a lock that N nodes come to want at the same time
 * </pre>
 */
final class Locks implements Section {
    /** Pairs to a sample: one alone is of the order of the clock's own time. */
    private static final int BATCH = 200;

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
    public void run(DsmNode node, int samples, Recorder recorder) {
        if (node.nodes() == 2) {
            again(node, samples, recorder);
            passed(node, samples, recorder);
        }
        contended(node, samples, recorder);
    }

    private static void again(DsmNode node, int samples, Recorder recorder) {
        DsmLock lock = node.lock("again");
        DsmBarrier barrier = node.barrier("locks");
        barrier.await();
        if (node.isRoot()) {
            ReentrantLock plain = new ReentrantLock();
            Series own = new Series("lock-again", samples);
            Series floor = new Series("reentrant-lock", samples);
            lock.lock();
            lock.unlock();
            Statistics before = node.statistics();
            while (!own.isFull()) {
                own.add(pairs(lock) / BATCH);
                floor.add(pairs(plain) / BATCH);
            }
            Statistics sent = node.statistics().since(before);
            double pairs = (double) BATCH * samples;
            own.sent(sent.messages() / pairs, sent.bytes() / pairs);
            recorder.add(own);
            recorder.add(floor);
        }
        barrier.await();
    }

    /** Nanoseconds of a batch; a loop of its own for each kind of lock. */
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

    private static void passed(DsmNode node, int samples, Recorder recorder) {
        Lock lock = node.lock("passed");
        DsmBarrier barrier = node.barrier("locks");
        Series series = new Series("lock-passed", samples);
        while (!series.isFull()) {
            if (node.id() == OTHER) {
                lock.lock();
                lock.unlock();
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.take();
            }
            long begin = System.nanoTime();
            if (node.isRoot()) {
                lock.lock();
                lock.unlock();
            }
            series.add(System.nanoTime() - begin);
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(series);
        }
    }

    private static void contended(DsmNode node, int samples, Recorder recorder) {
        Lock lock = node.lock("contended");
        DsmBarrier barrier = node.barrier("locks");
        Series series = new Series("lock-contended-" + node.nodes(), samples);
        while (!series.isFull()) {
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
