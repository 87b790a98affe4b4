package io.muninn.verify.program;

import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.PageLostException;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Performs a thread's operations one by one; other threads and agents may run between two of them.
 */
final class ScriptedBody implements SimThread.Body {
    /** The progress of a wait at a condition. */
    private enum Stage {
        LOOKING,
        ENTERING,
        WAITING,
        RETAKING,
        RETAKING_LATE
    }

    private final Simulation simulation;
    private final List<Observer> observers;
    private final ObjectServers objects;
    private final RemoteBody remotes;
    private final List<Program.Step> script;
    private final long[] registers;
    private final Runnable atEnd;
    private int next;
    private Stage stage = Stage.LOOKING;

    /**
     * @param registers receives the values of loads
     * @param atEnd is run when every operation is done
     */
    ScriptedBody(
            Simulation simulation,
            List<Observer> observers,
            ObjectServers objects,
            List<Program.Step> script,
            long[] registers,
            Runnable atEnd) {
        this.simulation = simulation;
        this.observers = observers;
        this.objects = objects;
        this.remotes = new RemoteBody(observers);
        this.script = script;
        this.registers = registers;
        this.atEnd = atEnd;
    }

    @Override
    public void go(SimThread thread) {
        if (thread.hasOutcome() && !settle(thread, thread.takeOutcome())) {
            return;
        }
        if (next == script.size()) {
            atEnd.run();
            return;
        }
        try {
            Op op = script.get(next).op();
            if (!(op instanceof Op.Store)) {
                closeWindow(thread);
            }
            if (perform(thread, op)) {
                thread.sleep(simulation.delays().operation());
            }
        } catch (PageLostException lost) {
            thread.end();
        }
    }

    /** Stores that hardware has combined leave when the thread does anything else. */
    private static void closeWindow(SimThread thread) {
        thread.node().updates().ifPresent(updates -> updates.close(thread));
    }

    /** A call was answered. */
    private boolean settle(SimThread thread, Outcome outcome) {
        Op op = script.get(next).op();
        if (op instanceof Op.AwaitCondition await && !(outcome instanceof Outcome.Lost)) {
            return settle(thread, await, outcome);
        }
        if (op instanceof Op.Ship ship && !(outcome instanceof Outcome.Lost)) {
            settle(thread, ship, outcome);
            return true;
        }
        if (op instanceof Op.Remote remote && !(outcome instanceof Outcome.Lost)) {
            next++;
            remotes.settle(thread, remote, outcome);
            return true;
        }
        next++;
        switch (outcome) {
            case Outcome.Done() -> {}
            case Outcome.Delivered _ when op instanceof Op.Await || op instanceof Op.Gather -> {}
            case Outcome.Delivered(int _, Bytes body) -> {
                long serial = ByteBuffer.wrap(body.array()).getLong();
                observers.forEach(observer -> observer.onReceived(thread, serial));
            }
            case Outcome.Refused _, Outcome.Completed _ ->
                    throw new IllegalStateException(op + " was answered by " + outcome);
            case Outcome.TimedOut _, Outcome.Cancelled() -> skipSection(op);
            case Outcome.Broken(String reason) -> checkMayBreak(thread, op, reason);
            case Outcome.Lost _ -> {
                thread.end();
                return false;
            }
        }
        return true;
    }

    /**
     * A call within the wait at a condition was answered.
     *
     * @return false if the next call follows
     */
    private boolean settle(SimThread thread, Op.AwaitCondition await, Outcome outcome) {
        LockId lock = await.condition().lock();
        switch (stage) {
            case ENTERING -> {
                thread.freeLock(lock);
                stage = Stage.WAITING;
                thread.call(
                        new Event.SignalAwaited(
                                thread.id(), await.condition(), await.timeoutNanos()));
                return false;
            }
            case WAITING -> {
                boolean isSignalled = outcome instanceof Outcome.Done;
                stage = isSignalled ? Stage.RETAKING : Stage.RETAKING_LATE;
                if (!thread.acquire(lock, Op.FOR_EVER)) {
                    return false;
                }
            }
            case RETAKING, RETAKING_LATE -> {} // it has the lock again
            case LOOKING -> throw new IllegalStateException(thread + " was answered in " + await);
        }
        if (stage == Stage.RETAKING_LATE) {
            skipTo(new Op.Release(lock));
        }
        stage = Stage.LOOKING;
        return true;
    }

    /** A call of a shipped object, or the wait for its turn, was answered. */
    private void settle(SimThread thread, Op.Ship ship, Outcome outcome) {
        boolean isAccepted = outcome instanceof Outcome.Done;
        if (isAccepted && !ship.isPosted()) {
            objects.begin(thread, ship.object(), ship.serial());
        } else {
            if (!isAccepted) {
                objects.tell(thread, ship.serial(), outcome);
            }
            skipTo(new Op.Return(ship.object(), ship.serial()));
        }
        next++;
    }

    private static void checkMayBreak(SimThread thread, Op op, String reason) {
        boolean mayBreak =
                op instanceof Op.Await await && await.timeoutNanos() != Op.FOR_EVER
                        || op instanceof Op.Gather gather && gather.isBroken();
        if (!mayBreak) {
            throw new Violation("barriers", thread + " is told in " + op + ": " + reason);
        }
    }

    private void skipSection(Op op) {
        if (op instanceof Op.Acquire(var lock, long _)) {
            skipTo(new Op.Release(lock));
            next++;
        } else if (op instanceof Op.Enter(var lock, boolean _, long _)) {
            while (!(script.get(next).op() instanceof Op.Leave end && end.lock().equals(lock))) {
                next++;
            }
            next++;
        }
    }

    private void skipTo(Op op) {
        while (!script.get(next).op().equals(op)) {
            next++;
        }
    }

    /**
     * @return false if the thread waits, at a page or for an answer
     */
    private boolean perform(SimThread thread, Op op) {
        switch (op) {
            case Op.Load load -> {
                if (!load(thread, load)) {
                    return false;
                }
            }
            case Op.Store(Variable variable, long value) -> {
                if (!thread.mayAccess(variable.page(), true)) {
                    closeWindow(thread);
                    return false;
                }
                store(thread, variable, value);
            }
            case Op.Locking about -> {
                if (!perform(thread, about)) {
                    return false;
                }
            }
            case Op.Await await -> {
                await(thread, await);
                return false;
            }
            case Op.Gather gather -> {
                gather(thread, gather);
                return false;
            }
            case Op.AwaitCondition await -> {
                return awaitCondition(thread, await);
            }
            case Op.Signal signal -> {
                signal(thread, signal);
                return false;
            }
            case Op.Send letter -> {
                send(thread, letter);
                return false;
            }
            case Op.Receive receive -> {
                receive(thread, receive);
                return false;
            }
            case Op.Refresh() -> {
                refresh(thread);
                return false;
            }
            case Op.Prefetch prefetch -> prefetch(thread, prefetch);
            case Op.Advise(PageId first, int count, PageAdvice advice) ->
                    thread.post(new Event.Advised(first, count, advice));
            case Op.Shipping about -> {
                if (!perform(thread, about)) {
                    return false;
                }
            }
            case Op.Remote about -> {
                if (!remotes.perform(thread, about)) {
                    return false;
                }
            }
            case Op.Interrupt(int other) -> interrupt(other);
            case Op.Work work -> {
                return sleep(thread, work);
            }
        }
        next++;
        return true;
    }

    /** Loads, if the thread may access the page. */
    private boolean load(SimThread thread, Op.Load op) {
        if (!thread.mayAccess(op.variable().page(), false)) {
            return false;
        }
        long value = load(thread, op.variable());
        if (op.register() >= 0) {
            registers[op.register()] = value;
        }
        return true;
    }

    private boolean sleep(SimThread thread, Op.Work op) {
        next++;
        thread.sleep(op.nanos());
        return false;
    }

    private static void signal(SimThread thread, Op.Signal op) {
        thread.call(new Event.SignalCalled(thread.id(), op.condition(), op.all()));
    }

    private void interrupt(int thread) {
        int threads = simulation.cluster().threads();
        simulation.nodes().get(thread / threads).threads().get(thread % threads).cancelTimedWait();
    }

    private void send(SimThread thread, Op.Send letter) {
        observers.forEach(observer -> observer.onSend(thread, letter.serial()));
        byte[] body = ByteBuffer.allocate(letter.bytes()).putLong(letter.serial()).array();
        NodeId to = NodeId.of(letter.to());
        thread.call(new Event.SendCalled(thread.id(), to, letter.tag(), new Bytes(body)));
    }

    private static void receive(SimThread thread, Op.Receive op) {
        thread.call(new Event.ReceiveCalled(thread.id(), op.from(), op.tag(), op.timeoutNanos()));
    }

    private static void prefetch(SimThread thread, Op.Prefetch op) {
        thread.post(new Event.PrefetchCalled(thread.process(), op.first(), op.count(), op.mode()));
    }

    private static void await(SimThread thread, Op.Await op) {
        thread.call(
                new Event.BarrierReached(
                        thread.id(),
                        op.barrier(),
                        op.parties(),
                        op.timeoutNanos(),
                        op.contribution()));
    }

    private static void gather(SimThread thread, Op.Gather op) {
        thread.call(new Event.GatherCalled(thread.id(), op.barrier(), op.parties()));
    }

    private static void refresh(SimThread thread) {
        thread.call(new Event.RefreshCalled(thread.id()));
    }

    private static boolean perform(SimThread thread, Op.Locking op) {
        switch (op) {
            case Op.Acquire(var lock, long timeoutNanos) -> {
                return thread.acquire(lock, timeoutNanos);
            }
            case Op.Release(var lock) -> thread.freeLock(lock);
            case Op.Enter(var lock, boolean toWrite, long timeoutNanos) -> {
                return thread.permissions().acquire(lock, toWrite, timeoutNanos);
            }
            case Op.Downgrade(var lock) -> thread.permissions().freeWrite(lock, true);
            case Op.Leave(var lock, boolean toWrite) -> {
                if (toWrite) {
                    thread.permissions().freeWrite(lock, false);
                } else {
                    thread.permissions().freeRead(lock);
                }
            }
        }
        return true;
    }

    private boolean perform(SimThread thread, Op.Shipping op) {
        switch (op) {
            case Op.Declare declare -> objects.declare(thread, declare);
            case Op.Ship ship -> {
                return objects.call(thread, ship);
            }
            case Op.Return end -> objects.endDirect(thread, end);
        }
        return true;
    }

    /** Tests the condition, and begins a wait if it is not met. */
    private boolean awaitCondition(SimThread thread, Op.AwaitCondition await) {
        if (!thread.mayAccess(await.flag().page(), false)) {
            return false;
        }
        if (load(thread, await.flag()) >= await.least()) {
            next++;
            return true;
        }
        stage = Stage.ENTERING;
        thread.call(new Event.WaitCalled(thread.id(), await.condition()));
        return false;
    }

    private long load(SimThread thread, Variable variable) {
        long value = get(thread, variable);
        simulation.onLoad(thread, variable.page(), variable.offset(), variable.bytes(), value);
        return value;
    }

    private void store(SimThread thread, Variable variable, long value) {
        thread.node()
                .updates()
                .ifPresent(updates ->
                        updates.storing(
                                thread, variable.page(), variable.offset(), variable.bytes()));
        set(thread, variable, value);
        simulation.onStore(
                thread, variable.page(), variable.offset(), variable.bytes(), variable.cut(value));
    }

    private static long get(SimThread thread, Variable variable) {
        MemorySegment memory = thread.node().pages().memory(variable.page().region());
        long at = offset(thread, variable);
        return switch (variable.bytes()) {
            case Byte.BYTES -> memory.get(ValueLayout.JAVA_BYTE, at);
            case Short.BYTES -> memory.get(ValueLayout.JAVA_SHORT, at);
            case Integer.BYTES -> memory.get(ValueLayout.JAVA_INT, at);
            default -> memory.get(ValueLayout.JAVA_LONG, at);
        };
    }

    private static void set(SimThread thread, Variable variable, long value) {
        MemorySegment memory = thread.node().pages().memory(variable.page().region());
        long at = offset(thread, variable);
        switch (variable.bytes()) {
            case Byte.BYTES -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
            case Short.BYTES -> memory.set(ValueLayout.JAVA_SHORT, at, (short) value);
            case Integer.BYTES -> memory.set(ValueLayout.JAVA_INT, at, (int) value);
            default -> memory.set(ValueLayout.JAVA_LONG, at, value);
        }
    }

    private static long offset(SimThread thread, Variable variable) {
        RegionSpec region = thread.node().pages().spec(variable.page().region());
        return (long) variable.page().index() * region.pageBytes() + variable.offset();
    }
}
