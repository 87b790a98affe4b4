package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.concurrent.TimeUnit;

/**
 * A table that all threads look up and few change: readers find all elements equal, and never less
 * than before; a writer adds one to each. Some writers go on as readers, some wait for a short time
 * only. An upgrade is refused.
 */
public final class ReadMostly implements DsmProgram {
    private static final int ROUNDS_LIVE = 200;
    private static final int WRITES_ONE_IN = 8;
    private static final int ELEMENTS = 1500; // on three pages

    @Shared(Protocol.WRITE_SHARED)
    final LongArray table = LongArray.of(ELEMENTS);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray writes = LongArray.of(1);

    private final int rounds;

    public ReadMostly() {
        this(ROUNDS_LIVE);
    }

    public ReadMostly(int rounds) {
        this.rounds = rounds;
    }

    /** The first write, before the other nodes run. */
    @Override
    public void initialize(DsmNode root) {
        write(root.readWriteLock("table"), 1);
    }

    @Override
    public void run(DsmNode node) {
        DsmReadWriteLock lock = node.readWriteLock("table");
        DsmBarrier end = node.barrier("end");
        long before = 0;
        for (int i = 0; i < rounds; i++) {
            before =
                    i % WRITES_ONE_IN == node.position() % WRITES_ONE_IN
                            ? write(lock, i)
                            : read(lock, before);
        }
        end.await();
    }

    private long read(DsmReadWriteLock lock, long before) {
        lock.readLock().lock();
        try {
            refuseUpgrade(lock);
            return check(before);
        } finally {
            lock.readLock().unlock();
        }
    }

    private static void refuseUpgrade(DsmReadWriteLock lock) {
        try {
            lock.writeLock().lock();
        } catch (IllegalStateException refused) {
            return;
        }
        throw new AssertionError("a reader has become a writer");
    }

    private long check(long before) {
        long value = table.get(0);
        if (value < before) {
            throw new IllegalStateException(value + " after " + before);
        }
        for (int i = 1; i < ELEMENTS; i++) {
            if (table.get(i) != value) {
                throw new IllegalStateException(
                        "element " + i + " is " + table.get(i) + " beside " + value);
            }
        }
        return value;
    }

    private long write(DsmReadWriteLock lock, int round) {
        if (!isLocked(lock, round)) {
            return read(lock, 0);
        }
        boolean goesOn = round % 3 == 0;
        long value;
        try {
            value = table.get(0) + 1;
            for (int i = 0; i < ELEMENTS; i++) {
                table.set(i, value);
            }
            writes.set(0, writes.get(0) + 1);
            if (goesOn) {
                lock.readLock().lock();
            }
        } finally {
            lock.writeLock().unlock();
        }
        if (goesOn) {
            check(value);
            lock.readLock().unlock();
        }
        return value;
    }

    private static boolean isLocked(DsmReadWriteLock lock, int round) {
        if (round % 5 > 0) {
            lock.writeLock().lock();
            return true;
        }
        try {
            return lock.writeLock().tryLock(1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("nobody interrupts", impossible);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        DsmReadWriteLock lock = root.readWriteLock("table");
        long value = read(lock, 0);
        boolean isRight = value > 1 && value == writes.get(0);
        return isRight
                ? Verdict.right("readers saw whole tables")
                : Verdict.wrong(value + " of " + writes.get(0) + " writes");
    }
}
