package io.muninn.link;

import io.muninn.api.service.LockLink;
import io.muninn.api.service.LockWord;
import io.muninn.api.service.ReadWriteWord;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Turns the waits for locks, and the requests of conditions, into events. */
public abstract class EventLocks implements LockLink {
    private final Supplier<? extends ThreadCalls> calls;

    /**
     * @param calls returns the calls of the calling thread; throws if it is no application thread
     */
    protected EventLocks(Supplier<? extends ThreadCalls> calls) {
        this.calls = calls;
    }

    @Override
    public void enterQueue(ConditionId condition) {
        ThreadCalls mine = calls.get();
        mine.call(new Event.WaitCalled(mine.id(), condition));
    }

    @Override
    public boolean awaitSignal(ConditionId condition, long limitNanos, boolean isInterruptible) {
        ThreadCalls mine = calls.get();
        Event.Waiting call = new Event.SignalAwaited(mine.id(), condition, limitNanos);
        Outcome outcome = isInterruptible ? mine.awaitInterruptibly(call) : mine.await(call);
        if (outcome instanceof Outcome.TimedOut || outcome instanceof Outcome.Cancelled) {
            return false;
        }
        ThreadCalls.checkUntimed(outcome);
        return true;
    }

    @Override
    public void signal(ConditionId condition, boolean toAll) {
        ThreadCalls mine = calls.get();
        mine.call(new Event.SignalCalled(mine.id(), condition, toAll));
    }

    /** The waits for one lock. */
    protected abstract class Word implements LockWord {
        private final LockId lock;

        protected Word(LockId lock) {
            this.lock = lock;
        }

        @Override
        public void acquire() {
            ThreadCalls mine = calls.get();
            mine.call(new Event.AcquireCalled(mine.id(), lock, EventLink.FOR_EVER));
            onAcquired();
        }

        @Override
        public boolean acquireInterruptibly(long limitNanos) throws TimeoutException {
            ThreadCalls mine = calls.get();
            Outcome outcome =
                    mine.awaitInterruptibly(new Event.AcquireCalled(mine.id(), lock, limitNanos));
            boolean isHeld = outcome instanceof Outcome.Done;
            if (isHeld) {
                onAcquired();
            } else if (!Thread.currentThread().isInterrupted()) {
                ThreadCalls.check(outcome);
            }
            return isHeld;
        }

        /** Called when the calling thread has obtained the lock by a call. */
        protected void onAcquired() {}
    }

    /** The waits for one reader-writer lock. */
    protected abstract class PermissionWord implements ReadWriteWord {
        private final ReadWriteLockId lock;

        protected PermissionWord(ReadWriteLockId lock) {
            this.lock = lock;
        }

        @Override
        public void acquire(boolean toWrite) {
            ThreadCalls mine = calls.get();
            mine.call(new Event.PermissionCalled(mine.id(), lock, toWrite, EventLink.FOR_EVER));
            onAcquired(toWrite);
        }

        @Override
        public boolean acquireInterruptibly(boolean toWrite, long limitNanos)
                throws TimeoutException {
            ThreadCalls mine = calls.get();
            Outcome outcome =
                    mine.awaitInterruptibly(
                            new Event.PermissionCalled(mine.id(), lock, toWrite, limitNanos));
            boolean isHeld = outcome instanceof Outcome.Done;
            if (isHeld) {
                onAcquired(toWrite);
            } else if (!Thread.currentThread().isInterrupted()) {
                ThreadCalls.check(outcome);
            }
            return isHeld;
        }

        /** Called when the calling thread has obtained the lock by a call. */
        protected void onAcquired(boolean toWrite) {}
    }
}
