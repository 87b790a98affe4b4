package io.muninn.kernel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.api.Mode;
import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.PageLostException;
import io.muninn.sim.SimThread;
import io.muninn.sim.SimThread.Status;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One application thread of a {@link ManualCluster}: a list of operations, which the cluster
 * performs one by one. An operation that cannot continue blocks the thread.
 */
final class ManualThread {
    static final long FOR_EVER = -1;

    private final SimThread thread;
    private final ArrayDeque<BooleanSupplier> ops = new ArrayDeque<>(); // false: not done yet
    private final List<Outcome> outcomes = new ArrayList<>();
    private boolean poisoned;

    ManualThread(SimThread thread) {
        this.thread = thread;
        thread.start(_ -> goOn());
    }

    /** It was started, or its wait has ended. */
    private void goOn() {
        if (thread.hasOutcome()) {
            Outcome outcome = thread.takeOutcome();
            outcomes.add(outcome);
            if (outcome instanceof Outcome.Lost) {
                ops.clear();
            }
        }
    }

    /** How its calls ended, in order. */
    List<Outcome> outcomes() {
        return outcomes;
    }

    boolean isRunnable() {
        return thread.status() == Status.READY && !ops.isEmpty();
    }

    /** True when every operation is done. */
    boolean isDone() {
        return thread.status() == Status.READY && ops.isEmpty();
    }

    /** True while it waits for the answer to a call. */
    boolean isWaiting() {
        return thread.status() == Status.WAITING;
    }

    /** True once it has stopped at a page that is lost. */
    boolean isPoisoned() {
        return poisoned;
    }

    /** Performs the next operation, or blocks in it. */
    void perform() {
        try {
            if (ops.element().getAsBoolean()) {
                ops.remove();
            }
        } catch (PageLostException lost) {
            poisoned = true;
            thread.end();
        }
    }

    ManualThread load(PageId page, int word, LongConsumer seen) {
        return access(page, false, content -> seen.accept(content.getAtIndex(JAVA_LONG, word)));
    }

    ManualThread store(PageId page, int word, long value) {
        return access(page, true, content -> content.setAtIndex(JAVA_LONG, word, value));
    }

    /** Prefetches pages, without waiting. */
    void prefetch(PageId first, int count, Mode mode) {
        thread.post(new Event.PrefetchCalled(thread.process(), first, count, mode));
    }

    private ManualThread access(PageId page, boolean isStore, Consumer<MemorySegment> access) {
        ops.add(() -> {
            boolean may = thread.mayAccess(page, isStore);
            if (may) {
                access.accept(thread.node().pages().content(page));
            }
            return may;
        });
        return this;
    }

    ManualThread acquire(LockId lock) {
        return acquire(lock, FOR_EVER);
    }

    ManualThread acquire(LockId lock, long timeoutNanos) {
        return tell(() -> thread.acquire(lock, timeoutNanos));
    }

    ManualThread release(LockId lock) {
        return tell(() -> thread.freeLock(lock));
    }

    ManualThread enter(ReadWriteLockId lock, boolean toWrite, long timeoutNanos) {
        return tell(() -> thread.permissions().acquire(lock, toWrite, timeoutNanos));
    }

    ManualThread leave(ReadWriteLockId lock, boolean isWriter) {
        return tell(() -> {
            if (isWriter) {
                thread.permissions().freeWrite(lock, false);
            } else {
                thread.permissions().freeRead(lock);
            }
        });
    }

    ManualThread downgrade(ReadWriteLockId lock) {
        return tell(() -> thread.permissions().freeWrite(lock, true));
    }

    ManualThread await(BarrierId barrier) {
        return await(barrier, Event.ALL_PARTIES, FOR_EVER);
    }

    ManualThread await(BarrierId barrier, int parties, long timeoutNanos) {
        return tell(() ->
                thread.call(new Event.BarrierReached(thread.id(), barrier, parties, timeoutNanos)));
    }

    /** A complete wait, as an application performs it: with the lock held before and after. */
    ManualThread awaitCondition(ConditionId condition, long timeoutNanos) {
        return enterCondition(condition)
                .release(condition.lock())
                .awaitSignal(condition, timeoutNanos)
                .acquire(condition.lock());
    }

    /** The first part of a wait: into the queue; the lock is released after it. */
    ManualThread enterCondition(ConditionId condition) {
        return tell(() -> thread.call(new Event.WaitCalled(thread.id(), condition)));
    }

    /** The second part. */
    ManualThread awaitSignal(ConditionId condition, long timeoutNanos) {
        return tell(
                () -> thread.call(new Event.SignalAwaited(thread.id(), condition, timeoutNanos)));
    }

    ManualThread signal(ConditionId condition, boolean all) {
        return tell(() -> thread.call(new Event.SignalCalled(thread.id(), condition, all)));
    }

    ManualThread send(int to, int tag, Bytes body) {
        return call(new Event.SendCalled(thread.id(), NodeId.of(to), tag, body));
    }

    ManualThread receive(int from, int tag) {
        return receive(from, tag, FOR_EVER);
    }

    ManualThread receive(int from, int tag, long timeoutNanos) {
        return call(new Event.ReceiveCalled(thread.id(), from, tag, timeoutNanos));
    }

    /** Has operations on remote words performed by their home, and waits for their answer. */
    ManualThread remote(int home, Bytes operations) {
        return call(new Event.RemoteCalled(thread.id(), NodeId.of(home), operations));
    }

    /** The same without an answer. */
    ManualThread postRemote(int home, Bytes operations) {
        return call(
                new Event.RemotePosted(thread.id(), Event.NO_ANSWER, NodeId.of(home), operations));
    }

    /** Performs operations on remote words of its own node. */
    ManualThread directRemote(Bytes operations) {
        return tell(() ->
                RemoteOperations.perform(operations.array(), thread.node().remotes().memory()));
    }

    ManualThread fence() {
        return call(new Event.FenceCalled(thread.id()));
    }

    ManualThread awaitRemote(int home, WordCondition condition, long timeoutNanos) {
        return call(new Event.RemoteAwaited(thread.id(), NodeId.of(home), condition, timeoutNanos));
    }

    ManualThread refresh() {
        return call(new Event.RefreshCalled(thread.id()));
    }

    ManualThread seal() {
        return call(new Event.Sealed(thread.id())).tell(thread.node().simulation()::initialized);
    }

    private ManualThread call(Event.Waiting event) {
        return tell(() -> thread.call(event));
    }

    /** Runs an action of the test when the thread has come to this point. */
    ManualThread tell(Runnable test) {
        ops.add(() -> {
            test.run();
            return true;
        });
        return this;
    }

    /** Ends its wait for a lock, whether it still waits or not. */
    void cancelAcquire(LockId lock) {
        thread.post(new Event.AcquireCancelled(thread.id(), lock));
    }

    /** Ends its wait for a signal. */
    void cancelAwaitSignal() {
        thread.post(new Event.SignalAwaitCancelled(thread.id()));
    }

    @Override
    public String toString() {
        return thread + " is " + thread.status() + ", was told " + outcomes;
    }
}
