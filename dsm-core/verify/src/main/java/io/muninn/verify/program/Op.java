package io.muninn.verify.program;

import io.muninn.api.Mode;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.spi.PageAdvice;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Bytes;
import java.util.HexFormat;

/** An operation of a thread. */
public sealed interface Op {
    /** Waits without limit. */
    long FOR_EVER = -1;

    /**
     * Waits without limit at a barrier that cannot be completed: the wait ends because it breaks.
     */
    long UNTIL_BROKEN = -2;

    /** Only checkers receive the value of the load. */
    int NO_REGISTER = -1;

    /**
     * @param register index of the value in the outcome of a litmus test, or {@link #NO_REGISTER}
     */
    record Load(Variable variable, int register) implements Op {
        @Override
        public String toString() {
            return "load " + variable + (register < 0 ? "" : " to r" + register);
        }
    }

    record Store(Variable variable, long value) implements Op {
        @Override
        public String toString() {
            return "store " + value + " to " + variable;
        }
    }

    /** An operation on a lock. */
    sealed interface Locking extends Op {}

    /** Takes a lock; after a time-out, all operations to its release are skipped. */
    record Acquire(LockId lock, long timeoutNanos) implements Locking {
        @Override
        public String toString() {
            return "acquire " + lock + (timeoutNanos < 0 ? "" : " within " + timeoutNanos + " ns");
        }
    }

    record Release(LockId lock) implements Locking {
        @Override
        public String toString() {
            return "release " + lock;
        }
    }

    /** An operation on a reader-writer lock. */
    sealed interface Permitting extends Locking {
        ReadWriteLockId lock();
    }

    /** Takes a reader-writer lock; after a time-out, all operations to its end are skipped. */
    record Enter(ReadWriteLockId lock, boolean toWrite, long timeoutNanos) implements Permitting {
        @Override
        public String toString() {
            return (toWrite ? "write under " : "read under ")
                    + lock
                    + (timeoutNanos < 0 ? "" : " within " + timeoutNanos + " ns");
        }
    }

    /** Goes on as a reader where the thread was the writer. */
    record Downgrade(ReadWriteLockId lock) implements Permitting {
        @Override
        public String toString() {
            return "downgrade " + lock;
        }
    }

    /** Ends reading or writing. */
    record Leave(ReadWriteLockId lock, boolean toWrite) implements Permitting {
        @Override
        public String toString() {
            return (toWrite ? "end of writing under " : "end of reading under ") + lock;
        }
    }

    /**
     * @param parties number of threads that arrive; {@link io.muninn.spi.Event#ALL_PARTIES} for all
     * @param timeoutNanos {@link #FOR_EVER} for a barrier that must be completed, {@link
     *     #UNTIL_BROKEN} for one that must break; otherwise the limit of the wait
     * @param contribution to a reduction, encoded; empty for none
     */
    record Await(BarrierId barrier, int parties, long timeoutNanos, Bytes contribution)
            implements Op {
        public Await(BarrierId barrier, int parties, long timeoutNanos) {
            this(barrier, parties, timeoutNanos, Bytes.EMPTY);
        }

        public Await(BarrierId barrier, int parties) {
            this(barrier, parties, FOR_EVER);
        }

        @Override
        public String toString() {
            return "await "
                    + barrier
                    + (parties == 0 ? "" : " with " + parties)
                    + (timeoutNanos == UNTIL_BROKEN ? " until it breaks" : "")
                    + (timeoutNanos < 0 ? "" : " within " + timeoutNanos + " ns")
                    + (contribution.length() == 0 ? "" : " contributing " + text(contribution));
        }

        private static String text(Bytes contribution) {
            byte[] encoded = contribution.array();
            return Contribution.decode(encoded).text() + " " + HexFormat.of().formatHex(encoded);
        }
    }

    /**
     * Waits until all other parties have arrived at a barrier, at which the thread arrives next.
     *
     * @param parties as in {@link Await}
     * @param isBroken true if the barrier breaks before
     */
    record Gather(BarrierId barrier, int parties, boolean isBroken) implements Op {
        @Override
        public String toString() {
            return "gather at "
                    + barrier
                    + (parties == 0 ? "" : " with " + parties)
                    + (isBroken ? ", which has broken" : "");
        }
    }

    /**
     * With the condition's lock held: waits until an element has at least a value, which is tested
     * after each signal. After a time-out, all operations to the release of the lock are skipped.
     *
     * @param flag stored to under that lock only
     * @param timeoutNanos of each wait
     */
    record AwaitCondition(ConditionId condition, Variable flag, long least, long timeoutNanos)
            implements Op {
        @Override
        public String toString() {
            return "await condition "
                    + condition
                    + " until "
                    + flag
                    + " is "
                    + least
                    + (timeoutNanos < 0 ? "" : " within " + timeoutNanos + " ns");
        }
    }

    /** With the condition's lock held: wakes the oldest waiter, or all. */
    record Signal(ConditionId condition, boolean all) implements Op {
        @Override
        public String toString() {
            return "signal " + (all ? "all at " : "") + condition;
        }
    }

    /**
     * @param to the receiving node; with several processes per node, the process
     * @param serial identifies the letter; unique in its program
     * @param bytes length of the body, at least 8
     */
    record Send(int to, int tag, long serial, int bytes) implements Op {
        /** A letter that is no longer than its serial number. */
        public Send(int to, int tag, long serial) {
            this(to, tag, serial, Long.BYTES);
        }

        @Override
        public String toString() {
            return "send letter "
                    + serial
                    + " to node "
                    + to
                    + " tag "
                    + tag
                    + (bytes == Long.BYTES ? "" : " of " + bytes + " bytes");
        }
    }

    /**
     * @param from the sending node, or {@link io.muninn.spi.Event#ANY_NODE}
     * @param timeoutNanos {@link #FOR_EVER}, or how long the thread waits before it continues
     *     without a letter
     */
    record Receive(int from, int tag, long timeoutNanos) implements Op {
        public Receive(int from, int tag) {
            this(from, tag, FOR_EVER);
        }

        @Override
        public String toString() {
            return "receive tag "
                    + tag
                    + (from < 0 ? "" : " from node " + from)
                    + (timeoutNanos < 0 ? "" : " within " + timeoutNanos + " ns");
        }
    }

    /** An operation on remote words. */
    sealed interface Remote extends Op {}

    /** An operation on one remote word. */
    sealed interface RemoteAccess extends Remote {
        int home();

        int word();
    }

    record RemoteLoad(int home, int word) implements RemoteAccess {
        @Override
        public String toString() {
            return "load remote " + home + ":" + word;
        }
    }

    /**
     * @param isAnswered whether the thread waits for the value before
     */
    record RemoteAdd(int home, int word, long amount, boolean isAnswered) implements RemoteAccess {
        @Override
        public String toString() {
            String to = amount + " to remote " + home + ":" + word;
            return (isAnswered ? "get and add " : "add ") + to;
        }
    }

    record RemoteExchange(int home, int word, long value) implements RemoteAccess {
        @Override
        public String toString() {
            return "exchange remote " + home + ":" + word + " by " + value;
        }
    }

    /** Compares with the value of the word that the thread has seen last, or 0. */
    record RemoteCompare(int home, int word, long next) implements RemoteAccess {
        @Override
        public String toString() {
            return "compare remote " + home + ":" + word + " and store " + next;
        }
    }

    record RemoteFence() implements Remote {
        @Override
        public String toString() {
            return "fence";
        }
    }

    /**
     * Waits until a remote word has at least a value.
     *
     * @param timeoutNanos {@link #FOR_EVER}, or how long the thread waits
     */
    record RemoteUntil(int home, int word, long least, long timeoutNanos) implements Remote {
        @Override
        public String toString() {
            return "until remote "
                    + home
                    + ":"
                    + word
                    + " is "
                    + least
                    + (timeoutNanos < 0 ? "" : " within " + timeoutNanos + " ns");
        }
    }

    /** Makes all earlier stores of other nodes visible to the thread. */
    record Refresh() implements Op {
        @Override
        public String toString() {
            return "refresh";
        }
    }

    /** Prefetches pages of one region, without waiting. */
    record Prefetch(PageId first, int count, Mode mode) implements Op {
        @Override
        public String toString() {
            return "prefetch " + count + " pages from " + first + " to " + mode;
        }
    }

    /** Gives the thread's node advice on pages of one region, without waiting. */
    record Advise(PageId first, int count, PageAdvice advice) implements Op {
        @Override
        public String toString() {
            return "advise " + advice + " for " + count + " pages from " + first;
        }
    }

    /** An operation on a shipped object. */
    sealed interface Shipping extends Op {}

    /**
     * Declares an object in the thread's process.
     *
     * @param node the node that serves it; with several processes per node, the process
     * @param fingerprint equal in all processes
     */
    record Declare(ObjectId object, int node, long fingerprint) implements Shipping {
        @Override
        public String toString() {
            return "declare " + object + " of node " + node + " as " + fingerprint;
        }
    }

    /**
     * Calls an object. The operations that follow, to the {@link Return} with the same serial
     * number, are performed in the call, by this thread or by the object's own. Calls may be
     * nested.
     *
     * @param to the node that the caller assumes to serve it; with several processes per node, the
     *     process
     * @param fingerprint the call is refused unless the object is declared with the same
     * @param serial identifies the call; unique in its program
     * @param isPosted whether the thread continues without the reply
     */
    record Ship(ObjectId object, int to, long fingerprint, long serial, boolean isPosted)
            implements Shipping {
        @Override
        public String toString() {
            return (isPosted ? "post call " : "call ")
                    + serial
                    + " to "
                    + object
                    + " of node "
                    + to
                    + " as "
                    + fingerprint;
        }
    }

    /** The end of the operations in a call. */
    record Return(ObjectId object, long serial) implements Shipping {
        @Override
        public String toString() {
            return "end of call " + serial + " to " + object;
        }
    }

    /**
     * Interrupts a thread that waits for a lock or a signal with a limit; has no effect on others.
     *
     * @param thread its position in the cluster
     */
    record Interrupt(int thread) implements Op {
        @Override
        public String toString() {
            return "interrupt thread " + thread;
        }
    }

    /** Lets time pass. */
    record Work(long nanos) implements Op {
        @Override
        public String toString() {
            return "work " + nanos + " ns";
        }
    }
}
