package io.muninn.api.service;

import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.shipping.CallChain;
import io.muninn.model.ReadWriteLockId;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A re-entrant reader-writer lock, shared by the threads of one node. */
final class NodeReadWriteLock implements DsmReadWriteLock {
    private final int node;
    private final ReadWriteWord word;
    private final ReadWriteLockId id;
    private final Runnable beforeUnlock;
    private final Half reading = new ReadHalf();
    private final Half writing = new WriteHalf();
    private final ThreadLocal<Reads> reads =
            ThreadLocal.withInitial(() -> new Reads(Thread.currentThread()));

    /**
     * Those of the thread that looked last. Not volatile: at worst a thread repeats the look-up,
     * which costs more than to enter and to leave.
     */
    private @Nullable Reads lastReads; // null before the first

    /**
     * The writing thread; null while no thread of this node writes. Written by the writer. Not
     * volatile: a thread that tests whether it is the writer reads its own last write or a later
     * one of another thread.
     */
    private @Nullable Thread writer;

    private int writes; // written by the writer

    /** The holds of one reading thread, which alone changes them. */
    private static final class Reads {
        final Thread thread;
        int count;

        Reads(Thread thread) {
            this.thread = thread;
        }
    }

    /** Opens the lock. There is one instance per name and node. */
    NodeReadWriteLock(int node, LockLink link, ReadWriteLockId id, Runnable beforeUnlock) {
        this.node = node;
        this.word = link.openReadWriteLock(id);
        this.id = id;
        this.beforeUnlock = beforeUnlock;
    }

    @Override
    public String name() {
        return id.name();
    }

    @Override
    public Lock readLock() {
        return reading;
    }

    @Override
    public Lock writeLock() {
        return writing;
    }

    @Override
    public int readHoldCount() {
        return reading.holdCount();
    }

    private Reads mine() {
        Reads last = lastReads;
        if (last == null || last.thread != Thread.currentThread()) {
            last = reads.get();
            lastReads = last;
        }
        return last;
    }

    @Override
    public int writeHoldCount() {
        return writing.holdCount();
    }

    /** Its two locks. */
    List<HeldLock> halves() {
        return List.of(reading, writing);
    }

    @Override
    public String toString() {
        return "reader-writer lock '" + id + "'";
    }

    private String self() {
        return "thread " + Thread.currentThread().getName() + " of node " + node;
    }

    /** What the two locks have in common. */
    private abstract class Half extends HeldLock {
        private final boolean toWrite;
        private final String kind;

        Half(boolean toWrite) {
            this.toWrite = toWrite;
            this.kind = toWrite ? "write" : "read";
        }

        /** The number of holds of the calling thread. */
        abstract int holds(Reads mine);

        /** Adds a hold of the calling thread. */
        abstract void entered(Reads mine);

        /** Removes a hold of the calling thread. */
        abstract void left(Reads mine);

        /** True if the calling thread needs nobody to take this lock. */
        abstract boolean mayEnterAgain(Reads mine);

        /** Checks that the calling thread may wait for this lock. */
        void checkMayTake(Reads mine) {}

        @Override
        public final int holdCount() {
            return holds(mine());
        }

        @Override
        final void entered() {
            entered(mine());
        }

        @Override
        final String text() {
            return "the " + kind + " lock of '" + id + "'";
        }

        @Override
        final String chainName() {
            return id.chainName();
        }

        @Override
        public final boolean tryLock() {
            Reads mine = mine();
            if (mayEnterAgain(mine)) {
                if (CallChain.current().holds(chainName())) {
                    return false; // a caller of the current shipped call holds it
                }
            } else {
                checkMayTake(mine);
                if (!word.take(toWrite)) {
                    return false;
                }
            }
            entered(mine);
            return true;
        }

        @Override
        final void acquireWord() {
            word.acquire(toWrite);
        }

        @Override
        final boolean acquireWordInterruptibly(long limitNanos) throws TimeoutException {
            return word.acquireInterruptibly(toWrite, limitNanos);
        }

        @Override
        public final void unlock() {
            Reads mine = mine();
            if (holds(mine) == 0) {
                throw new IllegalMonitorStateException(
                        self() + " unlocks " + text() + ", which it does not hold");
            }
            left(mine);
        }

        @Override
        public final Condition newCondition() {
            throw new UnsupportedOperationException(text() + " has no conditions; a DsmLock has");
        }

        @Override
        public final String toString() {
            return text();
        }
    }

    private final class ReadHalf extends Half {
        ReadHalf() {
            super(false);
        }

        @Override
        int holds(Reads mine) {
            return mine.count;
        }

        @Override
        boolean mayEnterAgain(Reads mine) {
            return mine.count > 0 || writer == mine.thread;
        }

        @Override
        void entered(Reads mine) {
            mine.count++;
        }

        @Override
        void left(Reads mine) {
            mine.count--;
            if (mine.count == 0 && writer != mine.thread) {
                word.freeRead();
            }
        }
    }

    private final class WriteHalf extends Half {
        WriteHalf() {
            super(true);
        }

        @Override
        int holds(Reads mine) {
            return writer == mine.thread ? writes : 0;
        }

        @Override
        boolean mayEnterAgain(Reads mine) {
            return writer == mine.thread;
        }

        @Override
        void checkMayTake(Reads mine) {
            if (mine.count > 0) {
                throw new IllegalStateException(
                        self()
                                + " holds the read lock of '"
                                + id
                                + "' and takes its write lock, which would wait for all readers:"
                                + " unlock the read lock first, or take the write lock first");
            }
        }

        @Override
        void entered(Reads mine) {
            writer = mine.thread;
            writes++;
        }

        @Override
        void left(Reads mine) {
            if (writes == 1) {
                beforeUnlock.run();
            }
            writes--;
            if (writes == 0) {
                writer = null;
                word.freeWrite(mine.count > 0);
            }
        }
    }
}
