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
    private final ThreadLocal<int[]> reads = ThreadLocal.withInitial(() -> new int[1]);

    /**
     * The writing thread; null while no thread of this node writes. Written by the writer. Not
     * volatile: a thread that tests whether it is the writer reads its own last write or a later
     * one of another thread.
     */
    private @Nullable Thread writer;

    private int writes; // written by the writer

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
        return reads.get()[0];
    }

    @Override
    public int writeHoldCount() {
        return writer == Thread.currentThread() ? writes : 0;
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

        /** Adds a hold to one or more that the calling thread has. */
        abstract void enteredAgain();

        /** Removes a hold of the calling thread. */
        abstract void left();

        /** True if the calling thread needs nobody to take this lock. */
        abstract boolean mayEnterAgain();

        /** Checks that the calling thread may wait for this lock. */
        void checkMayTake() {}

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
            if (mayEnterAgain()) {
                if (CallChain.current().holds(chainName())) {
                    return false; // a caller of the current shipped call holds it
                }
                enteredAgain();
                return true;
            }
            checkMayTake();
            if (word.take(toWrite)) {
                entered();
                return true;
            }
            return false;
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
            if (holdCount() == 0) {
                throw new IllegalMonitorStateException(
                        self() + " unlocks " + text() + ", which it does not hold");
            }
            left();
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
        public int holdCount() {
            return readHoldCount();
        }

        @Override
        boolean mayEnterAgain() {
            return readHoldCount() > 0 || isWriteLockedByCurrentThread();
        }

        @Override
        void entered() {
            reads.get()[0] = 1;
        }

        @Override
        void enteredAgain() {
            reads.get()[0]++;
        }

        @Override
        void left() {
            int[] mine = reads.get();
            mine[0]--;
            if (mine[0] == 0 && !isWriteLockedByCurrentThread()) {
                word.freeRead();
            }
        }
    }

    private final class WriteHalf extends Half {
        WriteHalf() {
            super(true);
        }

        @Override
        public int holdCount() {
            return writeHoldCount();
        }

        @Override
        boolean mayEnterAgain() {
            return isWriteLockedByCurrentThread();
        }

        @Override
        void checkMayTake() {
            if (readHoldCount() > 0) {
                throw new IllegalStateException(
                        self()
                                + " holds the read lock of '"
                                + id
                                + "' and takes its write lock, which would wait for all readers:"
                                + " unlock the read lock first, or take the write lock first");
            }
        }

        @Override
        void entered() {
            writer = Thread.currentThread();
            writes = 1;
        }

        @Override
        void enteredAgain() {
            writes++;
        }

        @Override
        void left() {
            if (writes == 1) {
                beforeUnlock.run();
            }
            writes--;
            if (writes == 0) {
                writer = null;
                word.freeWrite(readHoldCount() > 0);
            }
        }
    }
}
