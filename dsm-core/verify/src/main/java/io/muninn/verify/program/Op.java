package io.muninn.verify.program;

import io.muninn.api.Mode;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.spi.PageAdvice;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import java.util.HexFormat;

/** What a thread can do. */
public sealed interface Op {
    /** Waits without limit. */
    long FOR_EVER = -1;

    /** Waits without limit at a barrier that can never fall: the wait ends because it breaks. */
    long UNTIL_BROKEN = -2;

    /** The value of a load goes nowhere but to the checkers. */
    int NO_REGISTER = -1;

    /**
     * @param register where the outcome of a litmus test finds the value, or {@link #NO_REGISTER}
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

    /** Takes a lock; if it does not come in time, everything to its release is left out. */
    record Acquire(LockId lock, long timeoutNanos) implements Op {
        @Override
        public String toString() {
            return "acquire " + lock + (timeoutNanos < 0 ? "" : " within " + timeoutNanos + " ns");
        }
    }

    record Release(LockId lock) implements Op {
        @Override
        public String toString() {
            return "release " + lock;
        }
    }

    /**
     * @param parties threads that arrive; {@link io.muninn.spi.Event#ALL_PARTIES} for all
     * @param timeoutNanos {@link #FOR_EVER} for a barrier that must fall, {@link #UNTIL_BROKEN} for
     *     one that must break; of one that may break, how long the thread waits
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
     * @param parties as of {@link Await}
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
     * With the condition's lock held: waits until an element is so large, and tests it again after
     * each signal. If a signal does not come in time, everything to the release of the lock is left
     * out.
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
     * @param to the receiving node
     * @param serial names the letter; unique in its program
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
     * @param timeoutNanos {@link #FOR_EVER}, or how long the thread waits before it goes on without
     *     a letter
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

    /** Sees what the threads of all other nodes have stored so far. */
    record Refresh() implements Op {
        @Override
        public String toString() {
            return "refresh";
        }
    }

    /** Prefetches pages of one region, and goes on. */
    record Prefetch(PageId first, int count, Mode mode) implements Op {
        @Override
        public String toString() {
            return "prefetch " + count + " pages from " + first + " to " + mode;
        }
    }

    /** Tells the thread's node something of pages of one region, and goes on. */
    record Advise(PageId first, int count, PageAdvice advice) implements Op {
        @Override
        public String toString() {
            return "advise " + advice + " for " + count + " pages from " + first;
        }
    }

    /** About a shipped object. */
    sealed interface Shipping extends Op {}

    /**
     * The thread's node knows an object from now on.
     *
     * @param node serves it
     * @param fingerprint the same on all nodes
     */
    record Declare(ObjectId object, int node, long fingerprint) implements Shipping {
        @Override
        public String toString() {
            return "declare " + object + " of node " + node + " as " + fingerprint;
        }
    }

    /**
     * Calls an object. What is done in the call, by this thread or by the object's own, is what
     * follows, to the {@link Return} of the same serial number. Calls may be nested.
     *
     * @param to the node that is taken to serve it
     * @param fingerprint the call is refused unless the object is declared with the same
     * @param serial names the call; unique in its program
     * @param isPosted whether the thread goes on without the reply
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

    /** The end of what is done in a call. */
    record Return(ObjectId object, long serial) implements Shipping {
        @Override
        public String toString() {
            return "end of call " + serial + " to " + object;
        }
    }

    /**
     * Interrupts a thread that waits for a lock or a signal and would not wait for ever; nothing
     * happens to one that does not.
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
