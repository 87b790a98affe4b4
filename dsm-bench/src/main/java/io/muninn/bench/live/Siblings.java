package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * Times of operations between the processes of a node, and of the operations with which they are
 * compared. Pages are home-based, so each process has a view. The root is the first process of its
 * node.
 *
 * <pre>
 * sibling-first-touch  a load from a page that no process has accessed
 * sibling-fault        a load from a page that only a sibling has accessed, between unused pages
 * sibling-fault-16     time per page of loads from 16 such consecutive pages
 * sibling-lock-own     lock() and unlock() by the last holder
 * sibling-lock         the same after a sibling; the root's view covers the sibling's
 * sibling-lock-notice  lock() after a sibling, which has seen one more write notice
 * sibling-lock-remote  lock() after another node; the grant carries one write notice
 * sibling-release-1    a release of 16 pages with another home, to which the root has stored
 * sibling-release-2    the same when a sibling has stored to them, too
 * sibling-barrier-NxP  a barrier of N nodes of P processes each; nothing was stored
 * </pre>
 */
final class Siblings implements Section {
    private static final String FIRST_TOUCH = "sibling-first-touch";
    private static final String FAULT = "sibling-fault";
    private static final String FAULT_16 = "sibling-fault-16";
    private static final String LOCK_OWN = "sibling-lock-own";
    private static final String LOCK = "sibling-lock";
    private static final String LOCK_NOTICE = "sibling-lock-notice";
    private static final String LOCK_REMOTE = "sibling-lock-remote";
    private static final String RELEASE = "sibling-release-";
    private static final String BARRIER = "sibling-barrier-";

    private static final int SIBLING = 1;

    /** Consecutive pages that one fault of a process maps, if its node has them. */
    private static final int AROUND = 16;

    /** Faults of each kind in a round. */
    private static final int FAULTS = 16;

    /** One in so many of the usual samples, because the pages of a round are never freed. */
    private static final int FAULTS_SHARE = 2;

    private static final int LOCKS = 64;
    private static final int RELEASED_PAGES = 16;

    /** Words of a page to which each process stores: 1 percent. */
    private static final int RELEASED_WORDS = 5;

    /** One in so many of the usual samples, because a round with a release takes a millisecond. */
    private static final int RELEASES_SHARE = 4;

    private final int processes;

    /**
     * @param processes processes of each node, at least 1
     */
    Siblings(int processes) {
        this.processes = processes;
    }

    @Override
    public String name() {
        return "processes";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        TimedAccess.warmUp();
        String form = node.nodes() / processes + "x" + processes;
        if (recorder.wants(BARRIER + form)) {
            Series series = effort.series(BARRIER + form);
            BarrierTimes.measure(node, DsmBarrier::await, series, recorder);
        }
        if (processes == 1) {
            return;
        }
        if (recorder.wants(FIRST_TOUCH, FAULT, FAULT_16)) {
            faults(node, effort, recorder);
        }
        if (recorder.wants(LOCK_OWN, LOCK)) {
            locks(node, effort, recorder);
        }
        boolean hasOthers = node.nodes() > processes;
        if (hasOthers && recorder.wants(LOCK_NOTICE, LOCK_REMOTE)) {
            notices(node, effort, recorder);
        }
        for (int writers = 1; hasOthers && writers <= 2; writers++) {
            if (recorder.wants(RELEASE + writers)) {
                releases(node, writers, effort, recorder);
            }
        }
    }

    private static Effort few(Effort all) {
        return new Effort(all.samples() / RELEASES_SHARE, all.warmUpNanos());
    }

    /** Measures the three kinds alternately, on new pages in each round. */
    private static void faults(DsmNode node, Effort effort, Recorder recorder) {
        int samples = effort.samples() / FAULTS_SHARE;
        Series first = effort.shortSeries(FIRST_TOUCH, samples);
        Series fault = effort.shortSeries(FAULT, samples);
        Series around = effort.shortSeries(FAULT_16, samples);
        DsmBarrier barrier = node.barrier("siblings");
        CpuTimes cpuOfFirst = CpuTimes.of(node, first);
        CpuTimes cpu = CpuTimes.of(node, fault);
        CpuTimes cpuAround = CpuTimes.of(node, around);
        PageOrder order = new PageOrder(FAULTS);
        int part = FAULTS * AROUND * PageOrder.PAGE_ELEMENTS; // elements of the pages of each kind
        Rounds rounds = new Rounds(node, FAULTS, first, fault, around);
        while (rounds.next()) {
            int round = rounds.count();
            LongArray pages =
                    node.allocate("siblings-" + round, LongArray.of(3 * part), Protocol.HOME_BASED);
            if (node.id() == SIBLING) {
                for (int i = 0; i < FAULTS; i++) {
                    pages.setVolatile(part + order.element(i) * AROUND, round);
                }
                for (int i = 2 * part; i < 3 * part; i += PageOrder.PAGE_ELEMENTS) {
                    pages.setVolatile(i, round);
                }
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.untilNothingIsHeld();
                cpuOfFirst.begin();
                for (int i = 0; i < FAULTS; i++) {
                    first.add(TimedAccess.load(pages, order.element(i) * AROUND, 0));
                }
                cpuOfFirst.end();
                cpu.begin();
                for (int i = 0; i < FAULTS; i++) {
                    fault.add(TimedAccess.load(pages, part + order.element(i) * AROUND, round));
                }
                cpu.end();
                cpuAround.begin();
                for (int i = 0; i < FAULTS; i++) {
                    around.add(loadGroup(pages, 2 * part + order.element(i) * AROUND, round));
                }
                cpuAround.end();
            }
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(first, cpuOfFirst.perOperation(FAULTS));
            recorder.add(fault, cpu.perOperation(FAULTS));
            recorder.add(around, cpuAround.perOperation(FAULTS * AROUND));
        }
    }

    /** Loads from a group of consecutive pages; returns the nanoseconds per page. */
    private static long loadGroup(LongArray pages, int first, int expected) {
        long nanos = 0;
        for (int i = 0; i < AROUND; i++) {
            nanos += TimedAccess.load(pages, first + i * PageOrder.PAGE_ELEMENTS, expected);
        }
        return nanos / AROUND;
    }

    /**
     * The root takes its own locks, then the locks that the sibling has held. A sample is the mean
     * of a batch.
     */
    private static void locks(DsmNode node, Effort effort, Recorder recorder) {
        LatePages.of(0, node, "locked", 1, Protocol.HOME_BASED); // makes locks compare views
        List<Lock> own = locks(node, "own");
        List<Lock> passed = locks(node, "sibling");
        DsmBarrier barrier = node.barrier("siblings");
        Series again = effort.series(LOCK_OWN);
        Series taken = effort.series(LOCK);
        CpuTimes cpu = CpuTimes.of(node, taken);
        Rounds rounds = new Rounds(node, 1, again, taken);
        while (rounds.next()) {
            if (node.id() == SIBLING) {
                pairNanos(passed);
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.untilQuiet();
                again.add(pairNanos(own));
                cpu.begin();
                taken.add(pairNanos(passed));
                cpu.end();
            }
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(again);
            recorder.add(taken, cpu.perOperation(LOCKS));
        }
    }

    private static List<Lock> locks(DsmNode node, String name) {
        List<Lock> locks = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            locks.add(node.lock(name + "-" + i));
        }
        return locks;
    }

    /** Mean nanoseconds of lock() and unlock(). */
    private static long pairNanos(List<Lock> locks) {
        long begin = System.nanoTime();
        for (Lock lock : locks) {
            lock.lock();
            lock.unlock();
        }
        return (System.nanoTime() - begin) / locks.size();
    }

    /**
     * The other node stores to a page under a lock. Alternately, the root takes this lock, or the
     * sibling takes it and then passes another lock to the root. In both cases the root's copy of
     * the page becomes stale.
     */
    private void notices(DsmNode node, Effort effort, Recorder recorder) {
        int writer = processes; // the first of the other node
        LatePages page = LatePages.of(writer, node, "noticed", 1, Protocol.HOME_BASED);
        LongArray stored = node.allocate("noticed", LongArray.of(1), Protocol.CONVENTIONAL);
        LongArray passed = node.allocate("passed-on", LongArray.of(1), Protocol.CONVENTIONAL);
        Lock remote = node.lock("noticed");
        Lock local = node.lock("passed-on");
        DsmBarrier barrier = node.barrier("siblings");
        Series fromSibling = few(effort).series(LOCK_NOTICE);
        Series fromNode = few(effort).series(LOCK_REMOTE);
        CpuTimes cpu = CpuTimes.of(node, fromSibling);
        CpuTimes cpuOfNode = CpuTimes.of(node, fromNode);
        Rounds rounds = new Rounds(node, 1, fromSibling, fromNode);
        for (long value = 1; rounds.next(); value += 2) {
            store(node, writer, remote, page, stored, value);
            if (node.id() == SIBLING) {
                Acquires.awaitWithoutAcquire(stored, value);
                remote.lock();
                remote.unlock();
                local.lock();
                local.unlock();
                passed.setVolatile(0, value);
            } else if (node.isRoot()) {
                Acquires.awaitWithoutAcquire(passed, value);
                measure(local, page, value, fromSibling, cpu);
            }
            barrier.await();
            store(node, writer, remote, page, stored, value + 1);
            if (node.isRoot()) {
                Acquires.awaitWithoutAcquire(stored, value + 1);
                measure(remote, page, value + 1, fromNode, cpuOfNode);
            }
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(fromSibling, cpu.perOperation(1));
            recorder.add(fromNode, cpuOfNode.perOperation(1));
        }
    }

    private static void store(
            DsmNode node, int writer, Lock lock, LatePages page, LongArray stored, long value) {
        if (node.id() == writer) {
            lock.lock();
            page.store(1, value);
            lock.unlock();
            stored.setVolatile(0, value);
        }
    }

    private static void measure(
            Lock lock, LatePages page, long value, Series series, CpuTimes cpu) {
        Pause.untilNothingIsHeld();
        cpu.begin();
        long begin = System.nanoTime();
        lock.lock();
        series.add(System.nanoTime() - begin);
        cpu.end();
        page.load(1, value);
        lock.unlock();
    }

    /** The root enters the barrier last, as in {@link ReleasedPages}. */
    private void releases(DsmNode node, int writers, Effort effort, Recorder recorder) {
        int home = processes; // the first of the other node
        String name = RELEASE + writers;
        LatePages pages = LatePages.of(home, node, name, RELEASED_PAGES, Protocol.HOME_BASED);
        LongArray stored = node.allocate(name, LongArray.of(1), Protocol.CONVENTIONAL);
        DsmBarrier begun = node.barrier("siblings");
        DsmBarrier done = node.barrier("siblings-released");
        Series series = few(effort).series(name);
        CpuTimes cpu = CpuTimes.of(node, series);
        Rounds rounds = new Rounds(node, 1, series);
        while (rounds.next()) {
            int round = rounds.count();
            begun.await();
            if (node.id() == SIBLING && writers > 1) {
                storeWords(pages, SIBLING, round);
            }
            if (node.id() == SIBLING) {
                stored.setVolatile(0, round);
            }
            if (node.isRoot()) {
                Acquires.awaitWithoutAcquire(stored, round);
                storeWords(pages, 0, round);
                Pause.untilQuiet();
            }
            cpu.begin();
            long begin = System.nanoTime();
            done.await();
            series.add(System.nanoTime() - begin);
            cpu.end();
            begun.await();
            if (node.id() == home) {
                checkWords(pages, writers, round);
            }
        }
        if (node.isRoot()) {
            recorder.add(series, cpu.perOperation(1));
        }
    }

    /** The index of a word to which a process stores. The words are spread evenly over the page. */
    private static int element(LatePages pages, int page, int word, int process) {
        int spread = PageOrder.PAGE_ELEMENTS / RELEASED_WORDS;
        return pages.element(page) + word * spread + process * spread / 2;
    }

    private static void storeWords(LatePages pages, int process, long value) {
        for (int page = 0; page < RELEASED_PAGES; page++) {
            for (int word = 0; word < RELEASED_WORDS; word++) {
                pages.array().setVolatile(element(pages, page, word, process), value);
            }
        }
    }

    private static void checkWords(LatePages pages, int writers, long value) {
        for (int page = 0; page < RELEASED_PAGES; page++) {
            for (int process = 0; process < writers; process++) {
                TimedAccess.load(pages.array(), element(pages, page, 0, process), value);
            }
        }
    }
}
