package io.muninn.node;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocol.Bytes;
import io.muninn.protocol.Event;
import io.muninn.protocol.Outcome;
import io.muninn.protocol.WaiterId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * One application thread of a fixture's node: a list of operations, performed one by one. An
 * operation that cannot go on leaves an event for the node's kernel and blocks the thread.
 */
final class FixtureThread {
    static final long FOR_EVER = -1;

    /** What a thread can do. */
    sealed interface Op {
        record Load(PageId page, int word, LongConsumer seen) implements Op {}

        record Store(PageId page, int word, LongSupplier value) implements Op {}

        /**
         * @param skipped operations to leave out if the lock does not come in time
         */
        record Acquire(LockId lock, long timeoutNanos, int skipped) implements Op {}

        record Release(LockId lock) implements Op {}

        record Await(BarrierId barrier, int parties, long timeoutNanos) implements Op {}

        /** The first part of a wait: into the queue; the lock is released after it. */
        record Wait(ConditionId condition) implements Op {}

        /** The second part. */
        record AwaitSignal(ConditionId condition, long timeoutNanos) implements Op {}

        record Signal(ConditionId condition, boolean all) implements Op {}

        record Send(NodeId to, int tag, Bytes body) implements Op {}

        record Receive(int from, int tag, long timeoutNanos) implements Op {}

        record Seal() implements Op {}

        /** Tells the test that the thread has come to this point. */
        record Tell(Runnable test) implements Op {}
    }

    /** What a thread is up to. */
    enum Status {
        READY,
        FAULTED,
        WAITING,
        POISONED
    }

    private final FixtureNode node;
    private final WaiterId id;
    private final ArrayDeque<Op> ops = new ArrayDeque<>();
    private final ArrayDeque<Event> calls = new ArrayDeque<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private Status status = Status.READY;
    private int skipIfLate;

    FixtureThread(FixtureNode node, int index) {
        this.node = node;
        this.id = new WaiterId(MappingId.ONLY, index);
    }

    WaiterId id() {
        return id;
    }

    Status status() {
        return status;
    }

    /** How its calls ended, in order. */
    List<Outcome> outcomes() {
        return outcomes;
    }

    boolean isRunnable() {
        return status == Status.READY && !ops.isEmpty();
    }

    /** True when every operation is done. */
    boolean isDone() {
        return status == Status.READY && ops.isEmpty();
    }

    boolean hasCall() {
        return !calls.isEmpty();
    }

    Event nextCall() {
        return calls.remove();
    }

    FixtureThread then(Op op) {
        ops.add(op);
        return this;
    }

    FixtureThread load(PageId page, int word, LongConsumer seen) {
        return then(new Op.Load(page, word, seen));
    }

    FixtureThread store(PageId page, int word, long value) {
        return then(new Op.Store(page, word, () -> value));
    }

    FixtureThread acquire(LockId lock) {
        return then(new Op.Acquire(lock, FOR_EVER, 0));
    }

    FixtureThread release(LockId lock) {
        return then(new Op.Release(lock));
    }

    FixtureThread await(BarrierId barrier) {
        return await(barrier, Event.ALL_PARTIES, FOR_EVER);
    }

    FixtureThread await(BarrierId barrier, int parties, long timeoutNanos) {
        return then(new Op.Await(barrier, parties, timeoutNanos));
    }

    /** All of a wait, as an application does it: with the lock held before and after. */
    FixtureThread awaitCondition(ConditionId condition, long timeoutNanos) {
        return then(new Op.Wait(condition))
                .release(condition.lock())
                .then(new Op.AwaitSignal(condition, timeoutNanos))
                .acquire(condition.lock());
    }

    FixtureThread signal(ConditionId condition, boolean all) {
        return then(new Op.Signal(condition, all));
    }

    FixtureThread send(int to, int tag, Bytes body) {
        return then(new Op.Send(NodeId.of(to), tag, body));
    }

    FixtureThread receive(int from, int tag) {
        return then(new Op.Receive(from, tag, FOR_EVER));
    }

    FixtureThread tell(Runnable test) {
        return then(new Op.Tell(test));
    }

    /** Performs the next operation, or blocks in it. */
    void run() {
        switch (ops.element()) {
            case Op.Load(var page, int word, var seen) -> {
                if (mayTouch(page, FaultKind.READ)) {
                    ops.remove();
                    seen.accept(node.pages().load(page, word));
                }
            }
            case Op.Store(var page, int word, var value) -> {
                if (mayTouch(page, FaultKind.WRITE)) {
                    ops.remove();
                    node.pages().store(page, word, value.getAsLong());
                }
            }
            case Op.Acquire(var lock, long timeoutNanos, int skipped) -> {
                ops.remove();
                if (!node.takeLock(lock)) {
                    skipIfLate = skipped;
                    call(new Event.AcquireCalled(id, lock, timeoutNanos));
                }
            }
            case Op.Release(var lock) -> {
                ops.remove();
                node.freeLock(lock, calls);
            }
            case Op.Await(var barrier, int parties, long timeoutNanos) -> {
                ops.remove();
                call(new Event.BarrierReached(id, barrier, parties, timeoutNanos));
            }
            case Op.Wait(var condition) -> {
                ops.remove();
                call(new Event.WaitCalled(id, condition));
            }
            case Op.AwaitSignal(var condition, long timeoutNanos) -> {
                ops.remove();
                call(new Event.SignalAwaited(id, condition, timeoutNanos));
            }
            case Op.Signal(var condition, boolean all) -> {
                ops.remove();
                call(new Event.SignalCalled(id, condition, all));
            }
            case Op.Send(var to, int tag, var body) -> {
                ops.remove();
                call(new Event.SendCalled(id, to, tag, body));
            }
            case Op.Receive(int from, int tag, long timeoutNanos) -> {
                ops.remove();
                call(new Event.ReceiveCalled(id, from, tag, timeoutNanos));
            }
            case Op.Seal() -> {
                ops.remove();
                call(new Event.Sealed(id));
            }
            case Op.Tell(var test) -> {
                ops.remove();
                test.run();
            }
        }
    }

    void resume(Outcome outcome) {
        if (status != Status.WAITING) {
            throw new AssertionError(this + " is told " + outcome + " and did not ask");
        }
        status = Status.READY;
        outcomes.add(outcome);
        if (outcome instanceof Outcome.Lost) {
            ops.clear();
        }
        if (!(outcome instanceof Outcome.Done)) {
            for (int i = 0; i < skipIfLate && !ops.isEmpty(); i++) {
                ops.remove();
            }
        }
        skipIfLate = 0;
    }

    /** The page it may have stopped at was resumed, or fails from now on. */
    void wakeUp(PageId page, boolean poisoned) {
        if (status == Status.FAULTED && page.equals(touched())) {
            status = poisoned ? Status.POISONED : Status.READY;
        }
    }

    private void call(Event event) {
        status = Status.WAITING;
        calls.add(event);
    }

    private boolean mayTouch(PageId page, FaultKind kind) {
        if (node.pages().isPoisoned(page)) {
            status = Status.POISONED;
            return false;
        }
        PageAccess access = node.pages().access(page);
        if (access == PageAccess.READ_WRITE || (access == PageAccess.READ && !kind.isStore())) {
            return true;
        }
        status = Status.FAULTED;
        node.fault(page, access == PageAccess.READ ? FaultKind.UPGRADE : kind);
        return false;
    }

    private PageId touched() {
        return switch (ops.element()) {
            case Op.Load load -> load.page();
            case Op.Store store -> store.page();
            case Op other -> throw new AssertionError(this + " stopped at a page in " + other);
        };
    }

    @Override
    public String toString() {
        return "node="
                + node.self()
                + " "
                + id
                + " status="
                + status
                + " next="
                + ops.peek()
                + " outcomes="
                + outcomes;
    }
}
